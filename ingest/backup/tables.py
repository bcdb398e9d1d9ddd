"""Copy rows out of the database and back, table by table, with COPY."""

import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from ingest.backup.archive import BLOCK, BackupRefused
from kb_project.database.rows import fetch

# The schema's own history is made by the migrations themselves. Sessions stay out: whoever had one signs in again,
# and a backup that is read by the wrong person opens no browser's session.
# Beside what Django makes anew: what is known of an index outside the database, which is filled again, and the drafts
# that people had checked, which are kept for days alone.
LEFT_OUT = frozenset({"django_migrations", "django_session", "kb_collection", "kb_collection_work", "kb_text_check"})

COLUMNS = """
SELECT attname FROM pg_attribute
WHERE attrelid = %s::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
"""
REFERENCES = """
SELECT child.relname, parent.relname FROM pg_constraint con
JOIN pg_class child ON child.oid = con.conrelid JOIN pg_class parent ON parent.oid = con.confrelid
WHERE con.contype = 'f' AND child.relnamespace = current_schema()::regnamespace AND child.oid <> parent.oid
"""
# Those of constraints stay: a primary key may be what another table's key refers to.
INDEXES = """
SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i
WHERE i.indrelid = %s::regclass AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
"""
SEQUENCES = """
SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL
"""


def model_tables() -> list[str]:
    """The tables of all models that are in the database, without those that no backup holds."""
    found = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(set(found) - LEFT_OUT)


@contextmanager
def one_moment() -> Iterator[None]:
    """A read-only transaction that sees the database as it was when it began, whatever is committed meanwhile."""
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def columns_of(table: str) -> list[str]:
    """The names of a table's columns that can be written, in their order."""
    return [name for (name,) in fetch(COLUMNS, [table])]


def write_rows(table: str, columns: Sequence[str], path: Path) -> int:
    """Write the rows of a table to a gzip. Returns their number."""
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    command = sql.SQL("COPY {} ({}) TO STDOUT").format(sql.Identifier(table), names)
    with connection.cursor() as cursor, gzip.open(path, "wb", compresslevel=3) as packed:
        with cursor.copy(command) as copy:
            for block in copy:
                packed.write(block)
        return int(cursor.rowcount)


def sequences() -> dict[str, int]:
    """The last number that each sequence gave out. Those that gave none are left out."""
    return dict(fetch(SEQUENCES, ()))


def read_rows(table: str, columns: Sequence[str], packed: IO[bytes]) -> None:
    """Put rows that `write_rows` wrote into the emptied table. Its indexes are built when all are in.

    Its triggers are silent meanwhile: what they wrote is in the backup.
    """
    name = sql.Identifier(table)
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(name))
        cursor.execute(INDEXES, [table])
        indexes = cursor.fetchall()
        for index, _ in indexes:
            cursor.execute(f"DROP INDEX {index}")
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        command = sql.SQL("COPY {} ({}) FROM STDIN").format(name, names)
        with gzip.open(packed) as rows, cursor.copy(command) as copy:
            while block := rows.read(BLOCK):
                copy.write(block)
        for _, definition in indexes:
            cursor.execute(definition)
        cursor.execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(name))


def empty(tables: Sequence[str]) -> None:
    """Delete what the migrations had put in. From here on foreign keys are checked at once."""
    names = sql.SQL(", ").join(map(sql.Identifier, tables))
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("TRUNCATE {} CASCADE").format(names))
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # an index cannot be built while checks are still to come


def count_rows(table: str) -> int:
    """How many rows a table has."""
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
        return int(cursor.fetchone()[0])


def set_sequences(values: dict[str, int]) -> None:
    """Set the last value of each sequence, by its name. One that is not here is left out."""
    with connection.cursor() as cursor:
        for name, value in values.items():
            # A schema may hold sequences that are not the program's: their tables are in no backup.
            cursor.execute(
                "SELECT setval(found, %s) FROM to_regclass(%s) AS found WHERE found IS NOT NULL",
                [value, connection.ops.quote_name(name)],
            )


def parents_first(tables: Sequence[str]) -> list[str]:
    """The tables in an order in which each comes after those that its foreign keys refer to."""
    pairs = [(child, parent) for child, parent in fetch(REFERENCES, ()) if child in tables and parent in tables]
    ordered: list[str] = []
    waiting = list(tables)
    while waiting:
        ready = [t for t in waiting if all(parent in ordered for child, parent in pairs if child == t)]
        if not ready:
            raise BackupRefused(f"The tables {', '.join(waiting)} refer to each other in a circle.")
        ordered += ready
        waiting = [t for t in waiting if t not in ordered]
    return ordered


def applied_migrations() -> list[tuple[str, str]]:
    return sorted(MigrationRecorder(connection).applied_migrations())


def drop_everything() -> None:
    """Drop the tables of all models, and the record of the migrations."""
    found = connection.introspection.django_table_names(only_existing=True, include_views=False)
    with connection.cursor() as cursor:
        for table in {*found, "django_migrations"}:
            cursor.execute(sql.SQL("DROP TABLE IF EXISTS {} CASCADE").format(sql.Identifier(table)))


def make_schema(migrations: Sequence[tuple[str, str]]) -> None:
    """Apply exactly these migrations to a database without tables."""
    executor = MigrationExecutor(connection)
    graph, wanted = executor.loader.graph, set(migrations)
    # The executor takes a target that another one brings along for one to go back to: only the last ones are named.
    last = [node for node in migrations if not any(child.key in wanted for child in graph.node_map[node].children)]
    executor.migrate(last)


def unknown_migrations(migrations: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those that this version of the program does not have."""
    return sorted(set(migrations) - set(MigrationExecutor(connection).loader.graph.nodes))
