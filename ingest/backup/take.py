"""Make a backup: the rows of one snapshot first, then the files that they name."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.utils import timezone

from ingest.backup import archive, tables
from ingest.backup.archive import NAME, BackupRefused, BackupTable, Manifest, StoredCopy
from ingest.intake.scan import legacy_files
from sources.files import storage
from sources.files.deletions import deletions_held

# A job that is over may name a file that has gone since; a source, and a job under way, may not.
NAMED = """
SELECT file_key, bool_or(needed) FROM (
    SELECT file_key, true AS needed FROM kb_source
    UNION ALL
    SELECT file_key, true FROM kb_trashed_source
    UNION ALL
    SELECT file_key, status IN ('queued', 'processing', 'awaiting_review') FROM kb_ingest_job
) AS named WHERE file_key <> '' GROUP BY file_key ORDER BY file_key
"""
SAY_EVERY = 500  # files


def take(target: Path, *, say: Callable[[str], None] = lambda line: None) -> Manifest:
    """Write a backup to the path, a .tar if it ends so, else a directory. The service may run meanwhile.

    Raises `BackupRefused` when something is at the path already, or when the database is not this program's.
    """
    with archive.writing(target) as writer, TemporaryDirectory(dir=target.parent, prefix=".kb-backup-") as directory:
        with deletions_held():
            manifest, keys = _read(Path(directory), say=say)
            _copy_files(keys, writer, manifest, say=say)
        for table in manifest.tables:
            writer.add(table.member, Path(directory) / f"{table.name}.copy.gz")
        written = Path(directory) / NAME
        written.write_text(manifest.as_json(), encoding="utf-8")
        writer.add(NAME, written)
    return manifest


def _read(directory: Path, *, say: Callable[[str], None]) -> tuple[Manifest, dict[str, bool]]:
    """Write the rows of one snapshot as gzips. The manifest has no files yet: those that it is to have are the keys.

    They come with whether something that is not over needs the file.
    """
    made: list[BackupTable] = []
    with tables.one_moment(), connection.cursor() as cursor:
        migrations = tables.applied_migrations()
        if not migrations or tables.unknown_migrations(migrations):
            raise BackupRefused("The database is empty, or of another version: run `manage.py prepare` first.")
        for name in tables.model_tables():
            path, columns = directory / f"{name}.copy.gz", tables.columns_of(name)
            rows = tables.write_rows(name, columns, path)
            with path.open("rb") as packed:
                _, sha256 = archive.sha256_of(packed)
            made.append(BackupTable(name=name, columns=columns, rows=rows, sha256=sha256))
            say(f"{name}: {rows} rows")
        cursor.execute("SHOW server_version")
        manifest = Manifest(
            made_at=timezone.now().isoformat(timespec="seconds"),
            version=str(settings.SPECTACULAR_SETTINGS["VERSION"]),
            postgres=cursor.fetchone()[0],
            migrations=migrations,
            tables=made,
            sequences=tables.sequences(),
        )
        cursor.execute(NAMED)
        keys = dict(cursor.fetchall())
    # No row names a file of the legacy inbox before it is scanned.
    inbox = {key: False for _, key in legacy_files() if storage.printable(key) == key}
    return manifest, inbox | keys


def _copy_files(
    keys: dict[str, bool], writer: archive.Writer, manifest: Manifest, *, say: Callable[[str], None]
) -> None:
    """Write the files, and name in the manifest those that are there and those that are missing."""
    for number, (key, needed) in enumerate(keys.items(), start=1):
        try:
            with storage.local_copy(key) as path:
                size, sha256 = writer.add(f"files/{key}", path)
        except FileNotFoundError:
            if needed:
                manifest.missing.append(key)
            continue
        manifest.files.append(StoredCopy(key=key, size=size, sha256=sha256))
        if number % SAY_EVERY == 0:
            say(f"files: {number} of {len(keys)}")
    say(f"files: {len(manifest.files)}, {sum(file.size for file in manifest.files)} bytes")
