"""What the numbered migrations share: idempotent SQL steps and grants to the application's database role."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def sql(statements: str, *, state_operations: Sequence[Any] = ()) -> migrations.SeparateDatabaseAndState:
    """Run idempotent SQL, and tell Django's model state what it amounts to."""
    return migrations.SeparateDatabaseAndState(
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
    """SQL that makes `<table>_<column>_check` the one CHECK on the column, whatever an older one was called."""
    allowed = ", ".join(f"'{value}'" for value in values)
    return f"""
DO $$
DECLARE older record;
BEGIN
    FOR older IN
        SELECT con.conname FROM pg_constraint con
        JOIN pg_attribute att ON att.attrelid = con.conrelid AND con.conkey = ARRAY[att.attnum]
        WHERE con.conrelid = '{table}'::regclass AND con.contype = 'c' AND att.attname = '{column}'
    LOOP
        EXECUTE format('ALTER TABLE {table} DROP CONSTRAINT %I', older.conname);
    END LOOP;
END $$;
ALTER TABLE {table} ADD CONSTRAINT {table}_{column}_check CHECK ({column} IN ({allowed}));
"""


def grant(*tables: str) -> migrations.RunPython:
    """Grant reading and writing of the tables (all of the schema's, if none is named) to `KB_APP_ROLE`.

    Does nothing when the setting is empty; fails, and so rolls the migration back, when the role does not exist.
    """

    def apply(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        role = settings.KB_APP_ROLE
        if not role:
            return
        quote = schema_editor.connection.ops.quote_name
        names = ", ".join(quote(table) for table in tables) or "ALL TABLES IN SCHEMA public"
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(f"GRANT USAGE ON SCHEMA public TO {quote(role)}")
            cursor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {names} TO {quote(role)}")
            cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {quote(role)}")

    return migrations.RunPython(apply, migrations.RunPython.noop)
