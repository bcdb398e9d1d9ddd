"""The numbered migrations on an empty database, on an older one that holds documents, twice, and cut short."""

from io import StringIO

import psycopg
import pytest
from django.core.management import call_command
from django.db import DatabaseError
from django.test import override_settings
from psycopg import sql

from tests.kb_project.migrating import FINGERPRINT, Database, applied, database, migrated, role, template

__all__ = ["database", "migrated", "role", "template"]  # fixtures

KINDS = ["law", "regulation", "circular", "caselaw", "tool"]
SOURCE = """
WITH work AS (INSERT INTO kb_work (topic_id, kind) VALUES (1, %(kind)s) RETURNING id)
INSERT INTO kb_source (kind, topic_id, work_id) SELECT %(kind)s, 1, id FROM work
"""
JOB = "INSERT INTO kb_ingest_job (kind, topic_id) VALUES (%(kind)s, 1)"
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


def test_an_empty_database_gets_the_whole_schema_and_one_topic(migrated: Database) -> None:
    assert migrated.rows("SELECT id FROM kb_topic") == [(1,)]
    with migrated.connect() as connection:
        for kind in KINDS:
            connection.execute(SOURCE, {"kind": kind})
            connection.execute(JOB, {"kind": kind})
        for statement in (SOURCE, JOB):
            with pytest.raises(psycopg.errors.CheckViolation):
                connection.execute(statement, {"kind": "poem"})
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("UPDATE kb_ingest_job SET status = 'processing'")
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("UPDATE kb_ingest_job SET processing_stage = 'embedding'")
        with pytest.raises(psycopg.errors.NotNullViolation):
            connection.execute("INSERT INTO kb_source (kind, topic_id, work_id) VALUES ('law', NULL, 1)")


@pytest.mark.deep
def test_an_older_database_keeps_six_sources_in_topic_one(database: Database) -> None:
    database.execute(LEGACY)
    database.migrate()
    assert database.rows("SELECT count(*), min(topic_id), max(topic_id) FROM kb_source") == [(6, 1, 1)]
    assert database.rows("SELECT title, file_path, identifier FROM kb_source WHERE id = 2") == [("", "b.pdf", "")]
    migrating_again_changes_nothing(database)


@pytest.mark.deep
def test_rows_of_the_first_seven_migrations_come_right(database: Database) -> None:
    database.migrate("labels", "006_labels")
    database.migrate("ingest", "007_ingest_classifier")
    database.execute(
        "INSERT INTO kb_topic (id, name, slug) VALUES (7, 'Tax', 'tax')",
        "INSERT INTO kb_source (id, kind, title, topic_id) VALUES (3, 'law', 'Income Tax Act', 7)",
        "INSERT INTO kb_label (id, slug, name, usage_count) VALUES (5, 'mth', 'מטה', 1), (6, 'rent', 'Rent', 0)",
        "INSERT INTO kb_label_alias (label_id, slug, name) VALUES (6, 'lease', 'Lease')",
        "INSERT INTO kb_source_label (source_id, label_id) VALUES (3, 5)",
        """INSERT INTO kb_ingest_job (kind, topic_id, status, processing_stage) VALUES
            ('law', 7, 'processing', NULL), ('regulation', 7, 'processing', 'classifying'),
            ('circular', 7, 'awaiting_review', 'classifying'), ('caselaw', 7, 'done', NULL)""",
    )
    database.migrate()
    assert database.rows("SELECT id, slug FROM kb_topic ORDER BY id") == [(1, "general"), (7, "tax")]
    assert database.rows("SELECT id, topic_id, title, filename, pages, listed_text FROM kb_source") == [
        (3, 7, "Income Tax Act", "", None, "income tax act\n\n")
    ]
    assert database.rows("SELECT id, slug, name, usage_count FROM kb_label ORDER BY id") == [
        (5, "mtth", "מטה", 1),
        (6, "rent", "Rent", 0),
    ]
    assert database.rows("SELECT label_id, slug, name FROM kb_label_alias ORDER BY label_id") == [
        (5, "mth", "מטה"),
        (6, "lease", "Lease"),
    ]
    assert database.rows("SELECT source_id, label_id FROM kb_source_label") == [(3, 5)]
    assert database.rows("SELECT kind, status, processing_stage, warnings, reindex FROM kb_ingest_job ORDER BY 1") == [
        ("caselaw", "done", None, [], False),
        ("circular", "awaiting_review", None, [], False),
        ("law", "processing", "embedding", [], False),
        ("regulation", "processing", "classifying", [], False),
    ]


def everything(database: Database) -> tuple[list[tuple], ...]:
    """The schema, and the rows of the tables that the specification names."""
    tables = ("kb_topic", "kb_source", "kb_ingest_job")
    return database.rows(FINGERPRINT), *(database.rows(f"SELECT * FROM {table} ORDER BY id") for table in tables)


def migrating_again_changes_nothing(database: Database) -> None:
    """Whatever was written since, with all five kinds."""
    for kind in KINDS:
        with database.connect() as connection:
            connection.execute(SOURCE, {"kind": kind})
            connection.execute(JOB, {"kind": kind})
    database.execute("UPDATE kb_ingest_job SET status = 'awaiting_review'")
    before = everything(database)
    database.forget_migrations()
    database.migrate()
    assert everything(database) == before


def test_every_migration_runs_twice(migrated: Database) -> None:
    migrating_again_changes_nothing(migrated)


def test_a_source_without_a_topic_aborts_the_migration(
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
    with pytest.raises(DatabaseError, match=r"backfill of kb_source.topic_id is incomplete"):
        database.migrate()
    assert database.rows("SELECT count(*) FROM kb_source WHERE topic_id IS NOT NULL") == [(0,)]
    done = {row[0] for row in database.rows("SELECT name FROM django_migrations WHERE app = 'sources'")}
    assert done == {"000_baseline"}
    assert database.rows("SELECT to_regclass('kb_topic')") == [(None,)]
    assert database.rows("SELECT name FROM django_migrations WHERE app = 'topics'") == []


@pytest.mark.django_db
def test_the_models_and_the_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


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


@pytest.mark.deep
def test_the_application_role_may_use_every_table(migrated: Database, role: str) -> None:
    assert not_granted(migrated, role)
    migrated.migrate(role=role)
    assert not_granted(migrated, role) == []
    with migrated.connect() as connection:
        connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
        connection.execute(SOURCE, {"kind": "law"})
    migrated.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}")
    assert not_granted(migrated, role)
    applied(migrated.manage("prepare", KB_APP_ROLE=role))
    assert not_granted(migrated, role) == []


@pytest.mark.deep
def test_a_role_that_does_not_exist_stops_the_migration(migrated: Database) -> None:
    run = migrated.manage("migrate", KB_APP_ROLE="nobody_of_this_name")
    assert run.returncode != 0
    assert "KB_APP_ROLE" in run.stderr
    assert "nobody_of_this_name" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.django_db
def test_sqlmigrate_grants_nothing() -> None:
    shown = StringIO()
    with override_settings(KB_APP_ROLE="a role that the database does not have"):
        call_command("sqlmigrate", "answers", "014", stdout=shown)
    assert "CANNOT BE WRITTEN AS SQL" in shown.getvalue()
