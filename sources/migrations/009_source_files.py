"""009 source files: where a document's file lies, how much was read from it, and what lists of sources are read by."""

from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_tables import Column, complete

COLUMNS = complete(
    "kb_source",
    Column("filename", "text", default="''"),
    Column("file_key", "text", default="''"),
    Column("content_sha256", "varchar(64)", default="''"),
    Column("size", "bigint", default="0"),
    Column("pages", "integer", required=False),
    Column("chunk_count", "integer", default="0"),
)
LISTS = """
-- In lower case and in one place: half the work for a search of every row, which is what part of a word needs.
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS listed_text text
    GENERATED ALWAYS AS (lower(title || E'\\n' || identifier || E'\\n' || subject)) STORED;
CREATE INDEX IF NOT EXISTS kb_source_topic_content_idx ON kb_source (topic_id, content_sha256);
CREATE INDEX IF NOT EXISTS kb_source_published_idx ON kb_source (published_at);
CREATE INDEX IF NOT EXISTS kb_source_topic_newest_idx ON kb_source (topic_id, id DESC);
"""
DELETIONS = """
CREATE TABLE IF NOT EXISTS kb_file_deletion (
    id bigserial PRIMARY KEY,
    key text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0
);
"""

FIELDS = {
    "filename": models.TextField(blank=True, default=""),
    "file_key": models.TextField(blank=True, default=""),
    "content_sha256": models.CharField(blank=True, default="", max_length=64),
    "size": models.BigIntegerField(default=0),
    "pages": models.IntegerField(blank=True, null=True),
    "chunk_count": models.IntegerField(default=0),
}
INDEXES = [
    models.Index(fields=["topic", "content_sha256"], name="kb_source_topic_content_idx"),
    models.Index(fields=["published_at"], name="kb_source_published_idx"),
    models.Index(fields=["topic", "-id"], name="kb_source_topic_newest_idx"),
]
SOURCE = [
    *[migrations.AddField("source", name, field) for name, field in FIELDS.items()],
    *[migrations.AddIndex("source", index) for index in INDEXES],
]
FILE_DELETION = migrations.CreateModel(
    name="FileDeletion",
    fields=[
        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
        ("key", models.TextField()),
        ("requested_at", models.DateTimeField(db_default=Now())),
        ("attempts", models.IntegerField(default=0)),
    ],
    options={
        "db_table": "kb_file_deletion",
        "verbose_name": "file deletion",
        "verbose_name_plural": "file deletions",
    },
)


class Migration(migrations.Migration):
    dependencies = [("sources", "005_source_description")]
    operations = [
        sql(COLUMNS + LISTS, state_operations=SOURCE),
        sql(DELETIONS, state_operations=[FILE_DELETION]),
        grant("kb_file_deletion"),
    ]
