"""008 source_files: where the document's file lies, what its bytes are, and how much was read from it."""

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
SQL = """
CREATE INDEX IF NOT EXISTS kb_source_topic_content_idx ON kb_source (topic_id, content_sha256);
CREATE INDEX IF NOT EXISTS kb_source_published_idx ON kb_source (published_at);
CREATE TABLE IF NOT EXISTS kb_file_deletion (
    id bigserial PRIMARY KEY,
    key text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0
);
"""


class Migration(migrations.Migration):
    dependencies = [("sources", "005_source_description")]
    operations = [
        sql(
            COLUMNS + SQL,
            state_operations=[
                migrations.AddField("source", "filename", models.TextField(blank=True, default="")),
                migrations.AddField("source", "file_key", models.TextField(blank=True, default="")),
                migrations.AddField(
                    "source", "content_sha256", models.CharField(blank=True, default="", max_length=64)
                ),
                migrations.AddField("source", "size", models.BigIntegerField(default=0)),
                migrations.AddField("source", "pages", models.IntegerField(blank=True, null=True)),
                migrations.AddField("source", "chunk_count", models.IntegerField(default=0)),
                migrations.AddIndex(
                    "source",
                    models.Index(fields=["topic", "content_sha256"], name="kb_source_topic_content_idx"),
                ),
                migrations.AddIndex("source", models.Index(fields=["published_at"], name="kb_source_published_idx")),
                migrations.CreateModel(
                    name="FileDeletion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.TextField()),
                        ("requested_at", models.DateTimeField(db_default=Now())),
                        ("attempts", models.IntegerField(default=0)),
                    ],
                    options={
                        "db_table": "kb_file_deletion",
                        "verbose_name": "file deletion",
                        "verbose_name_plural": "file deletions",
                    },
                ),
            ],
        ),
        grant("kb_source", "kb_file_deletion"),
    ]
