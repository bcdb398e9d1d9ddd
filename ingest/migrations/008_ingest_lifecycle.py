"""008 ingest_lifecycle: the file, the decision, the claim and the progress of a job, and the history of its moves."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_tables import Column, complete

COLUMNS = complete(
    "kb_ingest_job",
    Column("confirmed", "jsonb", required=False),
    Column("warnings", "jsonb", default="'[]'"),
    Column("filename", "text", default="''"),
    Column("file_key", "text", default="''"),
    Column("size", "bigint", default="0"),
    Column("content_sha256", "varchar(64)", default="''"),
    Column("allow_duplicate", "boolean", default="false"),
    Column("duplicate_of", "jsonb", required=False),
    Column("source_id", "bigint", required=False, references="kb_source (id) ON DELETE SET NULL"),
    Column("error_code", "varchar(40)", default="''"),
    Column("error_message", "text", default="''"),
    Column("attempts", "integer", default="0"),
    Column("claim", "text", default="''"),
    Column("heartbeat_at", "timestamptz", required=False),
    Column("hinted_at", "timestamptz", required=False),
    Column("progress_stage", "varchar(20)", default="''"),
    Column("progress_done", "integer", default="0"),
    Column("progress_total", "integer", required=False),
    Column("started_at", "timestamptz", required=False),
    Column("finished_at", "timestamptz", required=False),
)
SQL = """
-- Before stages were kept, everything in processing was being embedded.
UPDATE kb_ingest_job SET processing_stage = 'embedding' WHERE status = 'processing' AND processing_stage IS NULL;
UPDATE kb_ingest_job SET processing_stage = NULL WHERE status <> 'processing' AND processing_stage IS NOT NULL;
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = 'kb_ingest_job_stage_goes_with_processing') THEN
        ALTER TABLE kb_ingest_job ADD CONSTRAINT kb_ingest_job_stage_goes_with_processing CHECK (
            (status = 'processing' AND processing_stage IN ('classifying', 'embedding')
                AND processing_stage IS NOT NULL)
            OR (status <> 'processing' AND processing_stage IS NULL)
        );
    END IF;
END $$;
CREATE INDEX IF NOT EXISTS kb_ingest_job_content_idx ON kb_ingest_job (topic_id, content_sha256);
CREATE INDEX IF NOT EXISTS kb_ingest_job_source_idx ON kb_ingest_job (source_id);
CREATE UNIQUE INDEX IF NOT EXISTS kb_ingest_job_content_once ON kb_ingest_job (topic_id, content_sha256)
    WHERE content_sha256 <> '' AND NOT allow_duplicate AND (
        status IN ('queued', 'processing', 'awaiting_review') OR (status = 'done' AND source_id IS NOT NULL)
    );
CREATE TABLE IF NOT EXISTS kb_ingest_event (
    id bigserial PRIMARY KEY,
    job_id uuid NOT NULL REFERENCES kb_ingest_job (id) ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT now(),
    from_state varchar(40) NOT NULL DEFAULT '',
    to_state varchar(40) NOT NULL,
    by text NOT NULL,
    why text NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS kb_ingest_event_job_idx ON kb_ingest_event (job_id, id);
"""

LIVE = ["queued", "processing", "awaiting_review"]


class Migration(migrations.Migration):
    dependencies = [("ingest", "007_ingest_classifier"), ("sources", "008_source_files")]
    operations = [
        sql(
            COLUMNS + SQL,
            state_operations=[
                migrations.AddField("job", "confirmed", models.JSONField(blank=True, null=True)),
                migrations.AddField("job", "warnings", models.JSONField(blank=True, default=list)),
                migrations.AddField("job", "filename", models.TextField(blank=True, default="")),
                migrations.AddField("job", "file_key", models.TextField(blank=True, default="")),
                migrations.AddField("job", "size", models.BigIntegerField(default=0)),
                migrations.AddField("job", "content_sha256", models.CharField(blank=True, default="", max_length=64)),
                migrations.AddField("job", "allow_duplicate", models.BooleanField(default=False)),
                migrations.AddField("job", "duplicate_of", models.JSONField(blank=True, null=True)),
                migrations.AddField(
                    "job",
                    "source",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="jobs",
                        to="sources.source",
                    ),
                ),
                migrations.AddField("job", "error_code", models.CharField(blank=True, default="", max_length=40)),
                migrations.AddField("job", "error_message", models.TextField(blank=True, default="")),
                migrations.AddField("job", "attempts", models.IntegerField(default=0)),
                migrations.AddField("job", "claim", models.TextField(blank=True, default="")),
                migrations.AddField("job", "heartbeat_at", models.DateTimeField(blank=True, null=True)),
                migrations.AddField("job", "hinted_at", models.DateTimeField(blank=True, null=True)),
                migrations.AddField("job", "progress_stage", models.CharField(blank=True, default="", max_length=20)),
                migrations.AddField("job", "progress_done", models.IntegerField(default=0)),
                migrations.AddField("job", "progress_total", models.IntegerField(blank=True, null=True)),
                migrations.AddField("job", "started_at", models.DateTimeField(blank=True, null=True)),
                migrations.AddField("job", "finished_at", models.DateTimeField(blank=True, null=True)),
                migrations.AddIndex(
                    "job",
                    models.Index(fields=["topic", "content_sha256"], name="kb_ingest_job_content_idx"),
                ),
                migrations.AddIndex("job", models.Index(fields=["source"], name="kb_ingest_job_source_idx")),
                migrations.AddConstraint(
                    "job",
                    models.CheckConstraint(
                        condition=Q(status="processing", processing_stage__in=["classifying", "embedding"])
                        | (~Q(status="processing") & Q(processing_stage__isnull=True)),
                        name="kb_ingest_job_stage_goes_with_processing",
                    ),
                ),
                migrations.AddConstraint(
                    "job",
                    models.UniqueConstraint(
                        fields=["topic", "content_sha256"],
                        condition=~Q(content_sha256="")
                        & Q(allow_duplicate=False)
                        & (Q(status__in=LIVE) | Q(status="done", source__isnull=False)),
                        name="kb_ingest_job_content_once",
                    ),
                ),
                migrations.CreateModel(
                    name="JobEvent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField(db_default=Now())),
                        ("from_state", models.CharField(blank=True, default="", max_length=40)),
                        ("to_state", models.CharField(max_length=40)),
                        ("by", models.TextField()),
                        ("why", models.TextField(blank=True, default="")),
                        (
                            "job",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="events",
                                to="ingest.job",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "kb_ingest_event",
                        "verbose_name": "job event",
                        "verbose_name_plural": "job events",
                        "ordering": ["id"],
                    },
                ),
            ],
        ),
        grant("kb_ingest_job", "kb_ingest_event"),
    ]
