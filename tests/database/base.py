"""The project's backend, on which emptying the database puts the rows of the migrations back by copying them.

Django truncates every table and then saves each of some two hundred rows anew, which takes longer than most tests.
Servers in the tests' own process have a pool of connections, as a web process has.
"""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from django.db.backends.postgresql import creation, operations
from psycopg import sql
from psycopg_pool import ConnectionPool

from kb_project.database.postgresql import base

# Without indexes: those of empty tables alone are larger than the rows of most tests.
_SIZE = "SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
REQUEST_THREAD = "request"  # as kb_project.web.asgi_handler names them
_MAKING = 0x6B62_6D61  # an advisory lock
LARGE = 1024 * 1024  # bytes of all tables, from which truncating them is quicker than deleting rows


class DatabaseCreation(creation.DatabaseCreation):
    """The migrations are run once: of several processes of a run the others copy the database of the first."""

    def create_test_db(self, *arguments: Any, **options: Any) -> str:
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
        if not run:
            return super().create_test_db(*arguments, **options)
        with self._alone() as cursor:
            migrated = f"test_migrated_{run}"
            cursor.execute("SELECT FROM pg_database WHERE datname = %s", [migrated])
            is_there = cursor.fetchone() is not None
            self.connection.settings_dict["TEST"]["TEMPLATE"] = migrated if is_there else None
            made = super().create_test_db(*arguments, **options)
            if not is_there:
                self.connection.close()
                cursor.execute(
                    sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(migrated), sql.Identifier(made))
                )
        return made

    @contextmanager
    def _alone(self) -> Iterator[Any]:
        """A cursor of the server, while no other process makes or drops a database of the run."""
        with self._nodb_cursor() as cursor:  # type: ignore[attr-defined]  # the stubs leave it out
            cursor.execute("SELECT pg_advisory_lock(%s)", [_MAKING])  # until the connection ends
            yield cursor

    def serialize_db_to_string(self) -> str:
        """Keep what the migrations have put in, in tables of another schema. Django keeps the string and is content."""
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT FROM pg_namespace WHERE nspname = 'seeded'")
            if cursor.fetchone() is not None:  # the database is a copy
                return ""
            cursor.execute("CREATE SCHEMA seeded")
            for table in _tables(cursor):
                name = sql.Identifier(table)
                cursor.execute(sql.SQL("CREATE TABLE seeded.{} AS TABLE public.{}").format(name, name))
                if not cursor.rowcount:
                    cursor.execute(sql.SQL("DROP TABLE seeded.{}").format(name))
        return ""

    def deserialize_db_from_string(self, data: str) -> None:
        """The rows are there since the database was emptied."""

    def destroy_test_db(self, *arguments: Any, **options: Any) -> None:
        self.connection.close_pool()
        super().destroy_test_db(*arguments, **options)
        if run := os.environ.get("PYTEST_XDIST_TESTRUNUID"):
            with self._alone() as cursor:
                cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(f"test_migrated_{run}")))


class DatabaseOperations(operations.DatabaseOperations):
    def sql_flush(self, style: Any, tables: Sequence[str], **options: Any) -> list[Any]:
        with self.connection.cursor() as cursor:
            cursor.execute(_SIZE)
            is_large = cursor.fetchone()[0] > LARGE
            public = [sql.Identifier("public", table) for table in _tables(cursor)]
            cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'seeded'")
            seeded = [table for (table,) in cursor.fetchall()]
        if is_large:
            emptied = [sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(public))]
        else:
            # Whoever is still writing is waited for, as TRUNCATE does.
            emptied = [sql.SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(sql.SQL(", ").join(public))]
            emptied += [sql.SQL("DELETE FROM {}").format(table) for table in public]
        copied = [
            sql.SQL("INSERT INTO public.{} OVERRIDING SYSTEM VALUE TABLE seeded.{}").format(name, name)
            for name in map(sql.Identifier, seeded)
        ]
        # No trigger forbids the deletion of audit entries, no foreign key asks for an order.
        return [sql.SQL("; ").join([sql.SQL("SET LOCAL session_replication_role = replica"), *emptied, *copied])]


class DatabaseWrapper(base.DatabaseWrapper):
    creation_class = DatabaseCreation
    ops_class = DatabaseOperations
    _connection_pools: ClassVar[dict[str, ConnectionPool[Any]]]  # Django's

    @property
    def pool(self) -> ConnectionPool[Any] | None:
        """A pool for the threads that answer requests, as in a web process. Each test opens its own connections."""
        return super().pool if threading.current_thread().name.startswith(REQUEST_THREAD) else None

    def close_pool(self) -> None:
        """Whichever thread asks for it."""
        if pool := self._connection_pools.pop(self.alias, None):
            pool.close()


def _tables(cursor: Any) -> list[str]:
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'django_migrations'")
    return [table for (table,) in cursor.fetchall()]
