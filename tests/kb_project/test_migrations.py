"""The numbered migrations on an empty database, on an older one that holds documents, twice, and cut short."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from psycopg import sql

ROOT = Path(__file__).resolve().parents[2]
OURS = ["kb_project", "topics", "sources", "labels", "search", "ingest"]

LEGACY = """
CREATE TABLE kb_source (
    id serial PRIMARY KEY,
    kind varchar(20) NOT NULL CONSTRAINT source_kind CHECK (kind IN ('law', 'regulation', 'circular')),
    title text,
    file_path text
);
INSERT INTO kb_source (kind, title, file_path) VALUES
    ('law', 'חוק הביטוח', 'a.pdf'), ('law', NULL, 'b.pdf'), ('regulation', 'תקנות', 'c.pdf'),
    ('circular', 'חוזר 1', 'd.pdf'), ('circular', 'חוזר 2', 'e.pdf'), ('law', 'Companies Act', 'f.pdf');
"""

FINGERPRINT = """
SELECT 'column', table_name, column_name, data_type || coalesce(column_default, '') || is_nullable
    FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
ORDER BY 1, 2, 3
"""


class Database:
    """A database of its own, migrated by the real command in a real process."""

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

    def migrate(self, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
        secret = f":{self.password}" if self.password else ""
        url = f"postgres://{self.user}{secret}@{self.host}:{self.port}/{self.name}"
        return subprocess.run(
            [sys.executable, "manage.py", "migrate", "--no-input", *args],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": url, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def rows(self, query: str, *params: object) -> list[tuple]:
        with self.connect() as connection:
            return connection.execute(query, params or None).fetchall()


@pytest.fixture
def database(django_db_blocker) -> Iterator[Database]:
    database = Database(f"kb_migrations_{uuid.uuid4().hex[:8]}")
    with database.connect("postgres") as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(database.name))
        )
    yield database
    with database.connect("postgres") as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database.name)))


def applied(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 0, run.stdout + run.stderr


def test_an_empty_database_gets_the_whole_schema_and_one_topic(database: Database) -> None:
    applied(database.migrate())
    assert database.rows("SELECT id FROM kb_topic") == [(1,)]
    kinds = ["law", "regulation", "circular", "caselaw", "tool"]
    with database.connect() as connection:
        for kind in kinds:
            connection.execute("INSERT INTO kb_source (kind, topic_id) VALUES (%s, 1)", [kind])
            connection.execute("INSERT INTO kb_ingest_job (kind, topic_id) VALUES (%s, 1)", [kind])
        for table in ("kb_source", "kb_ingest_job"):
            with pytest.raises(psycopg.errors.CheckViolation):
                connection.execute(
                    sql.SQL("INSERT INTO {} (kind, topic_id) VALUES ('poem', 1)").format(sql.Identifier(table))
                )
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("UPDATE kb_ingest_job SET status = 'processing'")
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("UPDATE kb_ingest_job SET processing_stage = 'embedding'")
        with pytest.raises(psycopg.errors.NotNullViolation):
            connection.execute("INSERT INTO kb_source (kind, topic_id) VALUES ('law', NULL)")


def test_an_older_database_keeps_its_six_sources_and_gives_them_topic_one(database: Database) -> None:
    with database.connect() as connection:
        connection.execute(LEGACY)
    applied(database.migrate())
    assert database.rows("SELECT count(*), min(topic_id), max(topic_id) FROM kb_source") == [(6, 1, 1)]
    assert database.rows("SELECT title, file_path, identifier FROM kb_source WHERE id = 2") == [("", "b.pdf", "")]
    with database.connect() as connection:
        connection.execute("INSERT INTO kb_source (kind, topic_id) VALUES ('tool', 1)")


def test_running_every_migration_a_second_time_changes_nothing(database: Database) -> None:
    with database.connect() as connection:
        connection.execute(LEGACY)
    applied(database.migrate())
    before = database.rows(FINGERPRINT)
    with database.connect() as connection:
        connection.execute("DELETE FROM django_migrations WHERE app = ANY(%s)", [OURS])
    applied(database.migrate())
    assert database.rows(FINGERPRINT) == before
    assert database.rows("SELECT count(*) FROM kb_source") == [(6,)]
    assert database.rows("SELECT count(*) FROM kb_topic") == [(1,)]


def test_a_source_that_stays_without_topic_aborts_the_migration_and_leaves_nothing_behind(
    database: Database,
) -> None:
    with database.connect() as connection:
        connection.execute(LEGACY)
        connection.execute("ALTER TABLE kb_source ADD COLUMN topic_id bigint")
        connection.execute(
            "CREATE FUNCTION keep_empty() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN IF NEW.id = 4 THEN NEW.topic_id := NULL; END IF; RETURN NEW; END $$"
        )
        connection.execute(
            "CREATE TRIGGER keep_empty BEFORE UPDATE ON kb_source FOR EACH ROW EXECUTE FUNCTION keep_empty()"
        )
    run = database.migrate()
    assert run.returncode != 0
    assert "backfill of kb_source.topic_id is incomplete" in run.stderr
    assert database.rows("SELECT count(*) FROM kb_source WHERE topic_id IS NOT NULL") == [(0,)]
    done = {row[0] for row in database.rows("SELECT name FROM django_migrations WHERE app = 'sources'")}
    assert done == {"000_baseline"}


def test_the_application_role_may_use_every_table(database: Database) -> None:
    role = f"kb_app_{uuid.uuid4().hex[:8]}"
    with database.connect() as connection:
        connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(role)))
    try:
        applied(database.migrate(KB_APP_ROLE=role))
        refused = database.rows(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND NOT ("
            "has_table_privilege(%s, 'public.' || tablename, 'SELECT') AND "
            "has_table_privilege(%s, 'public.' || tablename, 'INSERT') AND "
            "has_table_privilege(%s, 'public.' || tablename, 'UPDATE') AND "
            "has_table_privilege(%s, 'public.' || tablename, 'DELETE'))",
            role,
            role,
            role,
            role,
        )
        assert refused == []
        with database.connect() as connection:
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
            connection.execute("INSERT INTO kb_source (kind, topic_id) VALUES ('law', 1)")
    finally:
        with database.connect() as connection:
            connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(role)))
            connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))


def test_a_role_that_does_not_exist_stops_the_migration(database: Database) -> None:
    run = database.migrate(KB_APP_ROLE="nobody_of_this_name")
    assert run.returncode != 0
    assert "nobody_of_this_name" in run.stderr
