"""What `KB_APP_ROLE` may do: read and write rows, and nothing else, so that the service can run as that role."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper


def grant(connection: BaseDatabaseWrapper, tables: Sequence[str] = ()) -> None:
    """Grant reading and writing of the tables, all of the schema's if none is named. Nothing without the setting.

    Raises `CommandError` when the database has no such role.
    """
    role = settings.KB_APP_ROLE
    if not role:
        return
    quote = connection.ops.quote_name
    names = ", ".join(quote(table) for table in tables) or "ALL TABLES IN SCHEMA public"
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone() is None:
            raise CommandError(f"KB_APP_ROLE: the database has no role {role!r}. Create it, or correct the setting.")
        cursor.execute(f"GRANT USAGE ON SCHEMA public TO {quote(role)}")
        cursor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {names} TO {quote(role)}")
        cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {quote(role)}")


def grant_after_migrate(using: str, **_: Any) -> None:
    """After every `migrate`, one that had nothing to apply too: the role may have been named since."""
    grant(connections[using])
