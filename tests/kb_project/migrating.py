"""Databases of their own for tests of migrations."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import override_settings
from psycopg import sql

ROOT = Path(__file__).resolve().parents[2]
OURS = ["kb_project", "topics", "oauth", "webhooks", "sources", "labels", "search", "answers", "ingest", "keeping"]

FINGERPRINT = """
SELECT 'column', table_name, column_name, data_type || coalesce(column_default, '') || is_nullable
    FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
ORDER BY 1, 2, 3
"""


class Database:
    """A database of its own."""

    def __init__(self, name: str) -> None:
        config = settings.DATABASES["default"]
        self.host, self.port = config["HOST"] or "127.0.0.1", config["PORT"] or 5432
        self.user, self.password, self.name = config["USER"], config["PASSWORD"], name

    def connect(self, dbname: str | None = None) -> psycopg.Connection:
        return psycopg.connect(
            host=self.host,
            port=self.port,
            user=self.user,
            password=self.password or None,
            dbname=dbname or self.name,
            autocommit=True,
        )

    def migrate(self, *target: str, role: str = "") -> None:
        """Run the command on this database. Raises what it does. `role` is `KB_APP_ROLE`."""
        connections.databases[self.name] = {**connections.databases["default"], "NAME": self.name}
        try:
            with override_settings(KB_APP_ROLE=role):
                call_command("migrate", *target, database=self.name, interactive=False, verbosity=0)
        finally:
            connections[self.name].close()
            del connections[self.name], connections.databases[self.name]

    def manage(self, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Give a command in a process of its own."""
        return self.run("manage.py", *args, **environment)

    def run(self, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run Python with these arguments."""
        secret = f":{self.password}" if self.password else ""
        url = f"postgres://{self.user}{secret}@{self.host}:{self.port}/{self.name}"
        return subprocess.run(
            [sys.executable, *args],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": url, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def execute(self, *statements: str) -> None:
        with self.connect() as connection:
            for statement in statements:
                connection.execute(statement)

    def forget_migrations(self) -> None:
        """As if none of ours had ever been applied: the next `migrate` runs them all."""
        with self.connect() as connection:
            connection.execute("DELETE FROM django_migrations WHERE app = ANY(%s)", [OURS])

    def rows(self, query: str, *params: object) -> list[tuple]:
        with self.connect() as connection:
            return connection.execute(query, params or None).fetchall()


@contextmanager
def _made(template: str) -> Iterator[Database]:
    database = Database(f"kb_migrations_{uuid.uuid4().hex[:8]}")
    name = sql.Identifier(database.name)
    with database.connect("postgres") as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} ENCODING 'UTF8'").format(name, sql.Identifier(template))
        )
    try:
        yield database
    finally:
        with database.connect("postgres") as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@pytest.fixture
def database(django_db_blocker: Any) -> Iterator[Database]:
    """An empty one."""
    with _made("template0") as database, django_db_blocker.unblock():
        yield database


@pytest.fixture(scope="module")
def template() -> Iterator[Database]:
    """An empty one, migrated by the command."""
    with _made("template0") as database:
        applied(database.manage("migrate", "--no-input"))
        yield database


@pytest.fixture
def migrated(template: Database, django_db_blocker: Any) -> Iterator[Database]:
    """A copy of the one that the command has migrated."""
    with _made(template.name) as database, django_db_blocker.unblock():
        yield database


@pytest.fixture
def role(migrated: Database) -> Iterator[str]:
    """A database role without rights, for `KB_APP_ROLE`."""
    name = f"kb_app_{uuid.uuid4().hex[:8]}"
    with migrated.connect() as connection:
        connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(name)))
    yield name
    with migrated.connect() as connection:
        connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(name)))
        connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def applied(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 0, run.stdout + run.stderr
