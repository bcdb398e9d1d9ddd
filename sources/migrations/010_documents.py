"""010 documents: where a file lies and what was read from it, the works that sources are versions of, and the trash.

A source that is here already gets a work of its own. Of what was read from it nothing is known.
"""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import migrations, models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Now

from kb_project.database.migration_sql import check_constraint, grant, sql
from kb_project.database.migration_state import array, fields, model, number, to
from kb_project.database.migration_tables import TableColumn, complete

KINDS = [
    ("law", "Law"),
    ("regulation", "Regulation"),
    ("circular", "Circular"),
    ("caselaw", "Case law"),
    ("tool", "Tool"),
]
COLUMNS = complete(
    "kb_source",
    TableColumn("filename", "text", default="''"),
    TableColumn("file_key", "text", default="''"),
    TableColumn("content_sha256", "varchar(64)", default="''"),
    TableColumn("size", "bigint", default="0"),
    TableColumn("pages", "integer", required=False),
    TableColumn("chunk_count", "integer", default="0"),
    TableColumn("unread_pages", "jsonb", required=False),
    TableColumn("warnings", "jsonb", default="'[]'"),
    TableColumn("numbering", "jsonb", required=False),
    TableColumn("lost", "jsonb", default="'[]'"),
    TableColumn("valid_from", "date", required=False),
    TableColumn("valid_to", "date", required=False),
) + check_constraint("kb_source", "kb_source_days_check", "valid_from < valid_to")
# kb_words: quotation marks are dropped, as they stand inside words. Every other sign parts words. What is so long is no
# title. The words are kept, as a plan that had to make them anew for each row would take seconds. Neither they nor
# `listed_text` are model fields, so that they are not read with each row. Without a list of pending entries, no search
# has to read it whole.
LISTS = """
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS aliases text[] NOT NULL DEFAULT '{}';
-- In lower case and in one place: half the work for a search of every row, which is what part of a word needs.
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS listed_text text
    GENERATED ALWAYS AS (lower(title || E'\\n' || identifier || E'\\n' || subject)) STORED;
CREATE OR REPLACE FUNCTION kb_words(text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    to_tsvector('simple'::regconfig, regexp_replace(
        translate(lower(left($1, 500)), '"''׳״’‘“”„', ''), '[^[:alnum:]]+', ' ', 'g'
    ));
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS title_words tsvector
    GENERATED ALWAYS AS (kb_words(title)) STORED;
CREATE INDEX IF NOT EXISTS kb_source_title_words_idx ON kb_source USING gin (title_words) WITH (fastupdate = off);
CREATE INDEX IF NOT EXISTS kb_source_topic_content_idx ON kb_source (topic_id, content_sha256);
CREATE INDEX IF NOT EXISTS kb_source_published_idx ON kb_source (published_at);
CREATE INDEX IF NOT EXISTS kb_source_topic_newest_idx ON kb_source (topic_id, id DESC);
-- It holds the days, so that a search reads no row to leave out some of them.
CREATE INDEX IF NOT EXISTS kb_source_dated_idx ON kb_source (topic_id) INCLUDE (id, valid_from, valid_to)
    WHERE valid_from IS NOT NULL OR valid_to IS NOT NULL;
"""
SOURCES = sql(
    COLUMNS + LISTS,
    state_operations=[
        *fields(
            "source",
            {
                "filename": models.TextField(blank=True, default=""),
                "file_key": models.TextField(blank=True, default=""),
                "content_sha256": models.CharField(blank=True, default="", max_length=64),
                "size": models.BigIntegerField(default=0),
                "pages": models.IntegerField(blank=True, null=True),
                "chunk_count": models.IntegerField(default=0),
                "unread_pages": models.JSONField(blank=True, null=True),
                "warnings": models.JSONField(blank=True, default=list),
                "numbering": models.JSONField(blank=True, null=True),
                "lost": models.JSONField(blank=True, db_default=[], default=list),
                "valid_from": models.DateField(blank=True, null=True),
                "valid_to": models.DateField(blank=True, null=True),
                "aliases": array(models.TextField(), blank=True, default=list),
            },
        ),
        *(
            migrations.AddIndex("source", index)
            for index in (
                models.Index(fields=["topic", "content_sha256"], name="kb_source_topic_content_idx"),
                models.Index(fields=["published_at"], name="kb_source_published_idx"),
                models.Index(fields=["topic", "-id"], name="kb_source_topic_newest_idx"),
                models.Index(
                    fields=["topic"],
                    name="kb_source_dated_idx",
                    include=("id", "valid_from", "valid_to"),
                    condition=Q(valid_from__isnull=False) | Q(valid_to__isnull=False),
                ),
            )
        ),
        migrations.AddConstraint(
            "source", models.CheckConstraint(condition=Q(valid_from__lt=F("valid_to")), name="kb_source_days_check")
        ),
    ],
)
WORKS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_work (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    kind varchar(20) NOT NULL,
    title text NOT NULL DEFAULT '',
    identifier text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS kb_work_topic_idx ON kb_work (topic_id);
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS work_id bigint;
UPDATE kb_source SET work_id = nextval(pg_get_serial_sequence('kb_work', 'id')) WHERE work_id IS NULL;
INSERT INTO kb_work (id, topic_id, kind, title, identifier, created_at)
    SELECT work_id, topic_id, kind, title, identifier, created_at FROM kb_source ORDER BY work_id
    ON CONFLICT (id) DO NOTHING;
ALTER TABLE kb_source ALTER COLUMN work_id SET NOT NULL;
ALTER TABLE kb_source DROP CONSTRAINT IF EXISTS kb_source_work_fk;
ALTER TABLE kb_source ADD CONSTRAINT kb_source_work_fk FOREIGN KEY (work_id) REFERENCES kb_work (id);
CREATE INDEX IF NOT EXISTS kb_source_work_idx ON kb_source (work_id);
-- The work as a range: an index of both kinds would need an extension.
ALTER TABLE kb_source DROP CONSTRAINT IF EXISTS kb_source_one_version_a_day;
ALTER TABLE kb_source ADD CONSTRAINT kb_source_one_version_a_day
    EXCLUDE USING gist (int8range(work_id, work_id, '[]') WITH &&, daterange(valid_from, valid_to) WITH &&)
    DEFERRABLE INITIALLY DEFERRED;
""",
    state_operations=[
        model(
            "Work",
            "kb_work",
            {
                "id": number(),
                "topic": to("topics.topic", models.PROTECT, related_name="works"),
                "kind": models.CharField(choices=KINDS, max_length=20),
                "title": models.TextField(blank=True, default=""),
                "identifier": models.TextField(blank=True, default=""),
                "created_at": models.DateTimeField(db_default=Now()),
            },
            named=("work", "works"),
        ),
        *fields("source", {"work": to("sources.work", models.PROTECT, related_name="versions")}),
        migrations.AddConstraint(
            "source",
            ExclusionConstraint(
                name="kb_source_one_version_a_day",
                expressions=[
                    (Func("work", "work", Value("[]"), function="int8range"), RangeOperators.OVERLAPS),
                    (Func("valid_from", "valid_to", function="daterange"), RangeOperators.OVERLAPS),
                ],
                deferrable=models.Deferrable.DEFERRED,
            ),
        ),
    ],
)
FILES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_file_deletion (
    id bigserial PRIMARY KEY,
    key text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0
);
""",
    state_operations=[
        model(
            "FileDeletion",
            "kb_file_deletion",
            {
                "id": number(),
                "key": models.TextField(),
                "requested_at": models.DateTimeField(db_default=Now()),
                "attempts": models.IntegerField(default=0),
            },
            named=("file deletion", "file deletions"),
        )
    ],
)
TRASH = sql(
    """
CREATE TABLE IF NOT EXISTS kb_trashed_source (
    source_id bigint PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    title text NOT NULL DEFAULT '',
    file_key text NOT NULL DEFAULT '',
    size bigint NOT NULL DEFAULT 0,
    "row" jsonb NOT NULL,
    labels jsonb NOT NULL DEFAULT '[]',
    jobs jsonb NOT NULL DEFAULT '[]',
    deleted_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    deleted_by text NOT NULL
);
CREATE INDEX IF NOT EXISTS kb_trashed_source_topic_id_idx ON kb_trashed_source (topic_id);
""",
    state_operations=[
        model(
            "TrashedSource",
            "kb_trashed_source",
            {
                "source_id": models.BigIntegerField(primary_key=True, serialize=False),
                "topic": to("topics.topic", models.PROTECT),
                "title": models.TextField(blank=True, default=""),
                "file_key": models.TextField(blank=True, default=""),
                "size": models.BigIntegerField(default=0),
                "row": models.JSONField(),
                "labels": models.JSONField(default=list),
                "jobs": models.JSONField(default=list),
                "deleted_at": models.DateTimeField(db_default=Now()),
                "deleted_by": models.TextField(),
            },
            named=("deleted source", "deleted sources"),
            ordering=["-deleted_at", "-source_id"],
        )
    ],
)


class Migration(migrations.Migration):
    dependencies = [("sources", "005_source_description"), ("topics", "008_keys_and_former_slugs")]
    operations = [SOURCES, WORKS, FILES, TRASH, grant("kb_work", "kb_file_deletion", "kb_trashed_source")]
