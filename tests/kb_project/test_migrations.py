"""The numbered migrations on an empty database, on an older one that holds documents, twice, and cut short."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import sql

from tests.kb_project.migrating import FINGERPRINT, Database, applied, database, role

__all__ = ["database", "role"]  # fixtures

KINDS = ["law", "regulation", "circular", "caselaw", "tool"]
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


def test_an_empty_database_gets_the_whole_schema_and_one_topic(database: Database) -> None:
    applied(database.migrate())
    assert database.rows("SELECT id FROM kb_topic") == [(1,)]
    with database.connect() as connection:
        for kind in KINDS:
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
    database.forget_migrations()
    applied(database.migrate())
    assert database.rows(FINGERPRINT) == before
    assert database.rows("SELECT count(*) FROM kb_source") == [(6,)]
    assert database.rows("SELECT count(*) FROM kb_topic") == [(1,)]


@pytest.mark.parametrize("start", ["", LEGACY], ids=["empty", "six old sources"])
def test_every_migration_runs_twice_with_all_five_kinds(database: Database, start: str) -> None:
    if start:
        database.execute(start)
    applied(database.migrate())
    with database.connect() as connection:
        for kind in KINDS:
            connection.execute("INSERT INTO kb_source (kind, topic_id) VALUES (%s, 1)", [kind])
            connection.execute("INSERT INTO kb_ingest_job (kind, topic_id) VALUES (%s, 1)", [kind])
        connection.execute("UPDATE kb_ingest_job SET status = 'awaiting_review'")
    before = database.rows(FINGERPRINT), database.rows("SELECT id, kind FROM kb_source ORDER BY id")
    database.forget_migrations()
    applied(database.migrate())
    after = database.rows(FINGERPRINT), database.rows("SELECT id, kind FROM kb_source ORDER BY id")
    assert after == before


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
    assert database.rows("SELECT to_regclass('kb_topic')") == [(None,)]
    assert database.rows("SELECT name FROM django_migrations WHERE app = 'topics'") == []


NOT_GRANTED = """
SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND NOT (
    has_table_privilege(%(role)s, 'public.' || tablename, 'SELECT')
    AND has_table_privilege(%(role)s, 'public.' || tablename, 'INSERT')
    AND has_table_privilege(%(role)s, 'public.' || tablename, 'UPDATE')
    AND has_table_privilege(%(role)s, 'public.' || tablename, 'DELETE'))
"""


def not_granted(database: Database, role: str) -> list[tuple]:
    with database.connect() as connection:
        return connection.execute(NOT_GRANTED, {"role": role}).fetchall()


def test_the_application_role_may_use_every_table(database: Database, role: str) -> None:
    applied(database.migrate(KB_APP_ROLE=role))
    assert not_granted(database, role) == []
    with database.connect() as connection:
        connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
        connection.execute("INSERT INTO kb_source (kind, topic_id) VALUES ('law', 1)")


@pytest.mark.parametrize("command", ["migrate", "prepare"])
def test_a_role_named_later_is_granted_though_nothing_is_left_to_migrate(
    database: Database, role: str, command: str
) -> None:
    applied(database.migrate())
    assert not_granted(database, role)
    applied(database.manage(command, KB_APP_ROLE=role))
    assert not_granted(database, role) == []


def test_a_role_that_does_not_exist_stops_the_migration(database: Database) -> None:
    run = database.migrate(KB_APP_ROLE="nobody_of_this_name")
    assert run.returncode != 0
    assert "KB_APP_ROLE" in run.stderr
    assert "nobody_of_this_name" in run.stderr
    assert "Traceback" not in run.stderr
