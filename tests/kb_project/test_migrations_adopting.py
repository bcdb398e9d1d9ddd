"""The numbered migrations on a database that has tables of its own under our names."""

import re

import pytest
from django.db import DatabaseError

from tests.kb_project.migrating import FINGERPRINT, Database, database

pytestmark = pytest.mark.deep

__all__ = ["database"]  # a fixture

# Tables as the specification names them, and no more: what it leaves out is missing or made otherwise.
OWN = [
    "CREATE TABLE kb_topic (id integer PRIMARY KEY, name text, slug text, system_prompt_addendum text)",
    "INSERT INTO kb_topic VALUES (1, 'Insurance', 'insurance', NULL), (5, 'general', 'general', 'Be brief.')",
    """CREATE TABLE kb_source (
        id serial PRIMARY KEY,
        topic_id integer NOT NULL REFERENCES kb_topic (id),
        kind varchar(20) NOT NULL CHECK (kind IN ('law', 'regulation', 'circular', 'caselaw', 'tool')),
        identifier text,
        description text,
        ai_classified_at timestamp,
        file_path text NOT NULL
    )""",
    """INSERT INTO kb_source (topic_id, kind, description, file_path) VALUES
        (1, 'law', 'About banks', 'a'), (1, 'regulation', NULL, 'b'), (1, 'circular', NULL, 'c'),
        (5, 'caselaw', NULL, 'd'), (5, 'tool', NULL, 'e')""",
    """CREATE TABLE kb_ingest_job (
        id uuid PRIMARY KEY,
        topic_id integer REFERENCES kb_topic (id),
        kind varchar(20) NOT NULL,
        status text NOT NULL CHECK (status IN ('queued', 'processing', 'done', 'failed', 'awaiting_review')),
        processing_stage text,
        ai_suggestions json,
        batch_id uuid,
        error_message text,
        file_path text NOT NULL
    )""",
    """INSERT INTO kb_ingest_job (id, topic_id, kind, status, file_path)
        VALUES (gen_random_uuid(), 1, 'tool', 'done', 'a'), (gen_random_uuid(), NULL, 'law', 'awaiting_review', 'b')""",
    "CREATE TABLE kb_label (id serial PRIMARY KEY, slug text NOT NULL UNIQUE, usage_count integer)",
    "INSERT INTO kb_label (slug, usage_count) VALUES ('deposits', NULL)",
    """CREATE TABLE kb_source_label (
        source_id integer REFERENCES kb_source (id), label_id integer REFERENCES kb_label (id),
        PRIMARY KEY (source_id, label_id)
    )""",
    "INSERT INTO kb_source_label VALUES (1, 1)",
]


def test_its_own_tables_are_completed_once_with_their_rows(
    database: Database,
) -> None:
    database.execute(*OWN)
    database.migrate()
    assert database.rows("SELECT id, name, slug, system_prompt_addendum FROM kb_topic ORDER BY id") == [
        (1, "Insurance", "insurance", ""),
        (5, "general", "general", "Be brief."),
    ]
    assert database.rows("SELECT title, identifier, description FROM kb_source ORDER BY id") == [
        ("", "", "About banks"),
        *[("", "", "")] * 4,
    ]
    assert database.rows(
        "SELECT topic_id, kind, status, ai_suggestions, error_message FROM kb_ingest_job ORDER BY 2"
    ) == [
        (1, "law", "awaiting_review", {}, ""),
        (1, "tool", "done", {}, ""),
    ]
    assert database.rows("SELECT slug, name, usage_count FROM kb_label") == [("deposits", "deposits", 0)]
    assert database.rows("SELECT id, source_id, label_id FROM kb_source_label") == [(1, 1, 1)]

    before = database.rows(FINGERPRINT)
    database.forget_migrations()
    database.migrate()
    assert database.rows(FINGERPRINT) == before

    database.execute(
        "INSERT INTO kb_topic (name, slug) VALUES ('New', 'new')",
        "INSERT INTO kb_work (id, kind, topic_id) VALUES (77, 'tool', 6)",
        "INSERT INTO kb_source (kind, topic_id, work_id) VALUES ('tool', 6, 77)",
        "INSERT INTO kb_ingest_job (kind, topic_id) VALUES ('caselaw', 6)",
        "INSERT INTO kb_label (slug, name) VALUES ('b', 'B') ON CONFLICT (slug) DO NOTHING",
        "INSERT INTO kb_source_label (source_id, label_id) VALUES (1, 1) ON CONFLICT (source_id, label_id) DO NOTHING",
        "INSERT INTO kb_source_label (source_id, label_id) VALUES (2, 2)",
    )
    assert database.rows("SELECT max(id) FROM kb_topic") == [(6,)]
    assert database.rows("SELECT description FROM kb_source WHERE topic_id = 6") == [("",)]
    assert database.rows("SELECT count(*), count(DISTINCT id) FROM kb_source_label") == [(2, 2)]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            "CREATE TABLE kb_ingest_job (id serial PRIMARY KEY, kind text NOT NULL)",
            "kb_ingest_job.id is of type integer and has to be uuid",
        ),
        (
            "CREATE TYPE source_kind AS ENUM ('law'); CREATE TABLE kb_source (id serial, kind source_kind NOT NULL)",
            "kb_source.kind is of type source_kind and has to be text",
        ),
        (
            "CREATE TABLE kb_source (id serial, kind text); INSERT INTO kb_source (kind) VALUES ('law'), ('poem')",
            "kb_source has rows whose kind is none of law, regulation, circular, caselaw, tool: poem",
        ),
        (
            "CREATE TABLE kb_source (id serial, kind text); INSERT INTO kb_source (kind) VALUES ('law'), (NULL)",
            "kb_source.kind is empty in 1 of its rows and has to hold a value",
        ),
        (
            "CREATE TABLE kb_topic (id serial PRIMARY KEY, name text, slug text);"
            "INSERT INTO kb_topic (name, slug) VALUES ('Tax', 'tax/income')",
            "kb_topic has slugs with other signs than Latin letters, digits, hyphens and underscores: tax/income",
        ),
    ],
)
def test_what_cannot_be_completed_is_refused_with_a_sentence(database: Database, table: str, sentence: str) -> None:
    database.execute(table)
    with pytest.raises(DatabaseError, match=re.escape(sentence)):
        database.migrate()


@pytest.mark.parametrize("name", ["general", "General"])
def test_another_topic_may_have_name_that_the_first_one_gets(database: Database, name: str) -> None:
    database.execute(
        "CREATE TABLE kb_topic (id serial PRIMARY KEY, name text NOT NULL UNIQUE, slug text NOT NULL UNIQUE)",
        f"INSERT INTO kb_topic (id, name, slug) VALUES (5, '{name}', 'general')",
        "CREATE TABLE kb_source (id serial PRIMARY KEY, kind text NOT NULL)",
        "INSERT INTO kb_source (kind) VALUES ('law')",
    )
    database.migrate()
    database.forget_migrations()
    database.migrate()
    assert database.rows("SELECT id, name, slug FROM kb_topic ORDER BY id") == [
        (1, "General 2", "general-2"),
        (5, name, "general"),
    ]
    assert database.rows("SELECT topic_id FROM kb_source") == [(1,)]
    database.execute("INSERT INTO kb_topic (name, slug) VALUES ('Next', 'next')")
    assert database.rows("SELECT max(id) FROM kb_topic") == [(6,)]
