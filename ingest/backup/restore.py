"""Restore a backup: it is verified before anything is changed, and again afterwards."""

from collections.abc import Callable
from pathlib import Path

from django.core.management import call_command
from django.db import connection, transaction

from ingest.backup import archive, tables
from ingest.backup.archive import NAME, BackupRefused, BackupTable, Manifest, StoredCopy
from kb_project.processes import scratch
from sources.files import storage

# What is in an installation that somebody has used; the first admin, topic and groups are in every one.
HOLDS_WORK = ("kb_source", "kb_ingest_job", "kb_label", "kb_chunk")
OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND application_name = current_setting('application_name')
    AND pid <> pg_backend_pid()
"""
SHOWN = 3


def restore(path: Path, *, force: bool = False, say: Callable[[str], None] = lambda line: None) -> Manifest:
    """Put a backup into this installation, whose service is stopped, and bring its schema up to date.

    The rows are inserted in one transaction. `force` replaces the contents of an installation in use. Files that the
    backup does not name stay, as stray files. Raises `BackupRefused` before anything is changed when the backup is
    damaged, of a newer version, or the installation is not empty, and afterwards when the result differs.
    """
    with archive.reading(path) as reader:
        with reader.open(NAME) as stream:
            manifest = Manifest.from_json(stream.read().decode("utf-8", "replace"))
        _require_fitting(manifest, force=force)
        _verify(manifest, reader)
        say(f"backup: of {manifest.made_at}, version {manifest.version}; all checksums are right")
        _put_files(manifest, reader)
        say(f"files: {len(manifest.files)}, {sum(file.size for file in manifest.files)} bytes, each read back")
        _put_rows(manifest, reader)
    for table in manifest.tables:
        if table.rows:
            say(f"{table.name}: {table.rows} rows")
    missing_now = len(tables.applied_migrations())
    call_command("migrate", interactive=False, verbosity=0)
    say(f"migrations: {missing_now} as in the backup, {len(tables.applied_migrations()) - missing_now} since then")
    return manifest


def _require_fitting(manifest: Manifest, *, force: bool) -> None:
    """Raise `BackupRefused` for a backup of a newer program, beside other connections, and where there is work."""
    unknown = tables.unknown_migrations(manifest.migrations)
    if unknown:
        app, name = unknown[0]
        raise BackupRefused(
            f"The backup comes from a newer version ({manifest.version}): this one has no migration {app}.{name}. "
            "Install that version first."
        )
    with connection.cursor() as cursor:
        cursor.execute(OTHERS)
        others = cursor.fetchone()[0]
    if others:
        raise BackupRefused(f"The service is running ({others} connections to this database): stop it first.")
    if not force and (held := _work_held()):
        raise BackupRefused(
            f"This installation is in use ({held}). Restore into an empty one, or replace all it holds with --force."
        )


def _work_held() -> str:
    present = [table for table in HOLDS_WORK if table in tables.model_tables()]
    counts = {table: tables.count_rows(table) for table in present}
    return ", ".join(f"{table}: {rows} rows" for table, rows in counts.items() if rows)


def _verify(manifest: Manifest, reader: archive.Reader) -> None:
    """Raise `BackupRefused` unless every part is there with its checksum."""
    wrong = []
    parts: list[BackupTable | StoredCopy] = [*manifest.tables, *manifest.files]
    for part in parts:
        with reader.open(part.member) as stream:
            if archive.sha256_of(stream)[1] != part.sha256:
                wrong.append(part.member)
    if wrong:
        shown = ", ".join(wrong[:SHOWN]) + (" …" if len(wrong) > SHOWN else "")
        raise BackupRefused(f"The backup is damaged: the checksum of {len(wrong)} parts is wrong ({shown}).")


def _put_files(manifest: Manifest, reader: archive.Reader) -> None:
    """Store the files. They come before the rows, because a row without its file is worse than a stray file."""
    storage.make_ready()
    for file in manifest.files:
        with scratch.file("restore") as temporary:
            with reader.open(file.member) as stream:
                archive.sha256_of(stream, into=temporary)
            temporary.flush()
            storage.save(file.key, Path(temporary.name))
        with storage.open_stored(file.key) as stored:
            size, sha256 = archive.sha256_of(stored)
        if (size, sha256) != (file.size, file.sha256):
            raise BackupRefused(f"The storage gives {file.key} back otherwise than it was put in; no row was changed.")


def _put_rows(manifest: Manifest, reader: archive.Reader) -> None:
    """Make the schema anew and fill its tables and sequences, parents first. Then the planner counts the rows."""
    tables.drop_everything()
    tables.make_schema(manifest.migrations)
    by_name = {table.name: table for table in manifest.tables}
    with transaction.atomic():
        tables.empty([*by_name])
        for name in tables.parents_first([*by_name]):
            with reader.open(by_name[name].member) as packed:
                tables.read_rows(name, by_name[name].columns, packed)
            found = tables.count_rows(name)
            if found != by_name[name].rows:
                raise BackupRefused(
                    f"{name} has {found} rows instead of {by_name[name].rows}; the database is empty now, "
                    "restore again."
                )
        tables.set_sequences(manifest.sequences)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
