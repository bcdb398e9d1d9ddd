"""What the numbered migrations share: idempotent SQL steps and grants to the application's database role."""

from collections.abc import Sequence
from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation

from kb_project.database import grants


class _SqlAndState(migrations.SeparateDatabaseAndState):
    """With each change Django makes the changed models anew, and all that they are related to: here that is all.

    So they are let go of, and made when something asks for them.
    """

    def state_forwards(self, app_label: str, state: Any) -> None:
        state.__dict__.pop("apps", None)
        super().state_forwards(app_label, state)


def sql(statements: str, *, state_operations: Sequence[Any] = ()) -> migrations.SeparateDatabaseAndState:
    """Run idempotent SQL, and tell Django's model state what it amounts to."""
    return _SqlAndState(
        database_operations=[migrations.RunSQL(statements, reverse_sql=migrations.RunSQL.noop)],
        state_operations=list(state_operations),
    )


def check_constraint(table: str, name: str, condition: str) -> str:
    """SQL that puts a CHECK constraint in place, replacing one of the same name."""
    return (
        f'ALTER TABLE {table} DROP CONSTRAINT IF EXISTS "{name}";\n'
        f'ALTER TABLE {table} ADD CONSTRAINT "{name}" CHECK ({condition});\n'
    )


def values_constraint(table: str, column: str, values: Sequence[str]) -> str:
    """SQL that makes `<table>_<column>_check` the one CHECK on the column, whatever an older one was called.

    Rows that hold anything else are refused with a sentence that names it.
    """
    return _replace_check(table, column, f"allowed := {array(values)};")


def add_values(table: str, column: str, values: Sequence[str]) -> str:
    """As `values_constraint`, but what was allowed already, or is held by a row, stays allowed.

    So a migration that brings a value can run again after a later one brought another.
    """
    return _replace_check(
        table,
        column,
        f"""SELECT array_agg(value ORDER BY first) INTO allowed FROM (
        SELECT value, min(place) AS first FROM (
            SELECT value, place FROM unnest({array(values)}) WITH ORDINALITY AS own (value, place)
            UNION ALL
            SELECT literal[1], 1000 + place FROM pg_constraint con
                JOIN pg_attribute att ON att.attrelid = con.conrelid AND con.conkey = ARRAY[att.attnum],
                regexp_matches(pg_get_constraintdef(con.oid), '''([^'']+)''', 'g')
                    WITH ORDINALITY AS literals (literal, place)
                WHERE con.conrelid = '{table}'::regclass AND con.contype = 'c' AND att.attname = '{column}'
            UNION ALL
            SELECT DISTINCT {column}::text, 2000 FROM {table}
        ) AS every WHERE value IS NOT NULL GROUP BY value
    ) AS one;""",
    )


def _replace_check(table: str, column: str, choose: str) -> str:
    return f"""
DO $$
DECLARE allowed text[]; strange text; older record;
BEGIN
    {choose}
    SELECT string_agg(DISTINCT {column}, ', ') INTO strange FROM {table} WHERE {column} <> ALL (allowed);
    IF strange IS NOT NULL THEN
        RAISE EXCEPTION '{table} has rows whose {column} is none of %: %', array_to_string(allowed, ', '), strange;
    END IF;
    FOR older IN
        SELECT con.conname FROM pg_constraint con
        JOIN pg_attribute att ON att.attrelid = con.conrelid AND con.conkey = ARRAY[att.attnum]
        WHERE con.conrelid = '{table}'::regclass AND con.contype = 'c' AND att.attname = '{column}'
    LOOP
        EXECUTE format('ALTER TABLE {table} DROP CONSTRAINT %I', older.conname);
    END LOOP;
    EXECUTE format(
        'ALTER TABLE {table} ADD CONSTRAINT {table}_{column}_check CHECK ({column} IN (%s))',
        (SELECT string_agg(quote_literal(value), ', ' ORDER BY place)
            FROM unnest(allowed) WITH ORDINALITY AS one (value, place))
    );
END $$;
"""


def array(values: Sequence[str]) -> str:
    """Texts as SQL."""
    return "ARRAY[" + ", ".join(f"'{value}'" for value in values) + "]::text[]"


class _Grant(Operation):
    """Unlike `RunPython` it asks for no models, which Django would make anew, all of them, each time."""

    reversible = True
    reduces_to_sql = False  # `sqlmigrate` is not to carry it out

    def __init__(self, tables: Sequence[str]) -> None:
        self.tables = tables

    def state_forwards(self, app_label: str, state: Any) -> None:
        pass

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        grants.grant(schema_editor.connection, self.tables)

    def database_backwards(self, *_: Any) -> None:
        pass


def grant(*tables: str) -> Operation:
    """Grant the tables to `KB_APP_ROLE` in the migration's own transaction (`kb_project.database.grants`)."""

    return _Grant(tables)
