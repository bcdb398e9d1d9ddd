"""Make a backup: the rows of one snapshot first, then the files that they name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.utils import timezone

from ingest.backup import archive, tables
from ingest.backup.archive import BackupRefused
from ingest.backup.manifest import NAME, BackupTable, Manifest, StoredCopy
from sources import storage
from sources.deletions import deletions_held
from sources.kinds import Kind
from sources.storage import Area

# A job that is over may name a file that has gone since; a source, and a job under way, may not.
NAMED = """
SELECT file_key, bool_or(needed) FROM (
    SELECT file_key, true AS needed FROM kb_source
    UNION ALL
    SELECT file_key, status IN ('queued', 'processing', 'awaiting_review') FROM kb_ingest_job
) AS named WHERE file_key <> '' GROUP BY file_key ORDER BY file_key
"""
SAY_EVERY = 500  # files


@dataclass(slots=True)
class _Snapshot:
    """One snapshot: the rows as gzips, and the keys of the files to copy."""

    tables: list[tuple[BackupTable, Path]] = field(default_factory=list)
    keys: dict[str, bool] = field(default_factory=dict)  # whether something that is not over needs it
    sequences: dict[str, int] = field(default_factory=dict)
    migrations: list[tuple[str, str]] = field(default_factory=list)
    postgres: str = ""


def take(target: Path, *, say: Callable[[str], None] = lambda line: None) -> Manifest:
    """Write a backup to the path, a .tar if it ends so, else a directory; the service may run meanwhile.

    Raises `BackupRefused` when something is at the path already, or when the database is not this program's.
    """
    with archive.writing(target) as writer, TemporaryDirectory(dir=target.parent, prefix=".kb-backup-") as directory:
        with deletions_held():
            snapshot = _read(Path(directory), say=say)
            files, missing = _copy_files(snapshot.keys, writer, say=say)
        for table, path in snapshot.tables:
            writer.add(table.member, path)
        manifest = Manifest(
            made_at=timezone.now().isoformat(timespec="seconds"),
            version=str(settings.SPECTACULAR_SETTINGS["VERSION"]),
            postgres=snapshot.postgres,
            migrations=snapshot.migrations,
            tables=[table for table, _ in snapshot.tables],
            sequences=snapshot.sequences,
            files=files,
            missing=missing,
        )
        written = Path(directory) / NAME
        written.write_text(manifest.as_json(), encoding="utf-8")
        writer.add(NAME, written)
    return manifest


def _read(directory: Path, *, say: Callable[[str], None]) -> _Snapshot:
    snapshot = _Snapshot()
    with tables.one_moment(), connection.cursor() as cursor:
        snapshot.migrations = tables.applied_migrations()
        if not snapshot.migrations or tables.unknown_migrations(snapshot.migrations):
            raise BackupRefused("The database is empty, or of another version: run `manage.py prepare` first.")
        cursor.execute("SHOW server_version")
        snapshot.postgres = cursor.fetchone()[0]
        for name in tables.model_tables():
            path = directory / f"{name}.copy.gz"
            columns = tables.columns_of(name)
            rows = tables.write_rows(name, columns, path)
            with path.open("rb") as packed:
                _, sha256 = archive.sha256_of(packed)
            snapshot.tables.append((BackupTable(name=name, columns=columns, rows=rows, sha256=sha256), path))
            say(f"{name}: {rows} rows")
        snapshot.sequences = tables.sequences()
        cursor.execute(NAMED)
        snapshot.keys = dict(cursor.fetchall())
    for key in _not_scanned_yet():
        snapshot.keys.setdefault(key, False)
    return snapshot


def _not_scanned_yet() -> list[str]:
    """What people put into the legacy inbox, which no row names before it is scanned."""
    keys = [f"{Area.INBOX}/{kind}/{name}" for kind in Kind.values for name in storage.names_in(f"{Area.INBOX}/{kind}")]
    return [key for key in keys if storage.printable(key) == key]


def _copy_files(
    keys: dict[str, bool], writer: archive.Writer, *, say: Callable[[str], None]
) -> tuple[list[StoredCopy], list[str]]:
    files: list[StoredCopy] = []
    missing: list[str] = []
    for number, (key, needed) in enumerate(keys.items(), start=1):
        try:
            with storage.local_copy(key) as path:
                size, sha256 = writer.add(f"files/{key}", path)
        except FileNotFoundError:
            if needed:
                missing.append(key)
            continue
        files.append(StoredCopy(key=key, size=size, sha256=sha256))
        if number % SAY_EVERY == 0:
            say(f"files: {number} of {len(keys)}")
    say(f"files: {len(files)}, {sum(file.size for file in files)} bytes")
    return files, missing
