"""012 job lifecycle: file, decision, claim and progress of a job, the history of its moves, drafts of decisions."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Now

from kb_project.database.migration_sql import check_constraint, grant, sql
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
    Column("reindex", "boolean", default="false"),
)
STAGES = """
-- Before 007 there were no stages: every job in processing was being embedded.
UPDATE kb_ingest_job SET processing_stage = 'embedding' WHERE status = 'processing' AND processing_stage IS NULL;
UPDATE kb_ingest_job SET processing_stage = NULL WHERE status <> 'processing' AND processing_stage IS NOT NULL;
""" + check_constraint(
    "kb_ingest_job",
    "kb_ingest_job_stage_goes_with_processing",
    "(status = 'processing' AND processing_stage IN ('classifying', 'embedding') AND processing_stage IS NOT NULL)"
    " OR (status <> 'processing' AND processing_stage IS NULL)",
)
INDEXES = """
CREATE INDEX IF NOT EXISTS kb_ingest_job_content_idx ON kb_ingest_job (topic_id, content_sha256);
CREATE INDEX IF NOT EXISTS kb_ingest_job_source_idx ON kb_ingest_job (source_id);
CREATE UNIQUE INDEX IF NOT EXISTS kb_ingest_job_content_once ON kb_ingest_job (topic_id, content_sha256)
    WHERE content_sha256 <> '' AND NOT allow_duplicate AND (
        status IN ('queued', 'processing', 'awaiting_review') OR (status = 'done' AND source_id IS NOT NULL)
    );
CREATE UNIQUE INDEX IF NOT EXISTS kb_ingest_job_reindex_once ON kb_ingest_job (source_id)
    WHERE reindex AND status IN ('queued', 'processing', 'awaiting_review');
"""
EVENTS = """
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
DRAFTS = """
CREATE TABLE IF NOT EXISTS kb_ingest_draft (
    job_id uuid PRIMARY KEY REFERENCES kb_ingest_job (id) ON DELETE CASCADE,
    kind varchar(20) NOT NULL DEFAULT '',
    labels jsonb NOT NULL DEFAULT '[]',
    by text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
"""
# Leases that limit how many classifications run at a time. No model: only `classify.provider_slots` writes it.
SLOTS = """
CREATE TABLE IF NOT EXISTS kb_classify_slot (
    number integer PRIMARY KEY CHECK (number > 0),
    holder text NOT NULL DEFAULT '',
    expires_at timestamptz
);
"""

CASCADE = django.db.models.deletion.CASCADE
LIVE = ["queued", "processing", "awaiting_review"]
KINDS = [
    ("law", "Law"),
    ("regulation", "Regulation"),
    ("circular", "Circular"),
    ("caselaw", "Case law"),
    ("tool", "Tool"),
]
JOB_FIELDS = {
    "confirmed": models.JSONField(blank=True, null=True),
    "warnings": models.JSONField(blank=True, default=list),
    "filename": models.TextField(blank=True, default=""),
    "file_key": models.TextField(blank=True, default=""),
    "size": models.BigIntegerField(default=0),
    "content_sha256": models.CharField(blank=True, default="", max_length=64),
    "allow_duplicate": models.BooleanField(default=False),
    "duplicate_of": models.JSONField(blank=True, null=True),
    "source": models.ForeignKey(
        blank=True,
        null=True,
        on_delete=django.db.models.deletion.SET_NULL,
        related_name="jobs",
        to="sources.source",
    ),
    "error_code": models.CharField(blank=True, default="", max_length=40),
    "error_message": models.TextField(blank=True, default=""),
    "attempts": models.IntegerField(default=0),
    "claim": models.TextField(blank=True, default=""),
    "heartbeat_at": models.DateTimeField(blank=True, null=True),
    "hinted_at": models.DateTimeField(blank=True, null=True),
    "progress_stage": models.CharField(blank=True, default="", max_length=20),
    "progress_done": models.IntegerField(default=0),
    "progress_total": models.IntegerField(blank=True, null=True),
    "started_at": models.DateTimeField(blank=True, null=True),
    "finished_at": models.DateTimeField(blank=True, null=True),
    "reindex": models.BooleanField(default=False),
}
JOB_INDEXES = [
    models.Index(fields=["topic", "content_sha256"], name="kb_ingest_job_content_idx"),
    models.Index(fields=["source"], name="kb_ingest_job_source_idx"),
]
JOB_CONSTRAINTS = [
    models.CheckConstraint(
        condition=Q(status="processing", processing_stage__in=["classifying", "embedding"])
        | (~Q(status="processing") & Q(processing_stage__isnull=True)),
        name="kb_ingest_job_stage_goes_with_processing",
    ),
    models.UniqueConstraint(
        fields=["topic", "content_sha256"],
        condition=~Q(content_sha256="")
        & Q(allow_duplicate=False)
        & (Q(status__in=LIVE) | Q(status="done", source__isnull=False)),
        name="kb_ingest_job_content_once",
    ),
    models.UniqueConstraint(
        fields=["source"], condition=Q(reindex=True, status__in=LIVE), name="kb_ingest_job_reindex_once"
    ),
]
JOB = [
    *[migrations.AddField("job", name, field) for name, field in JOB_FIELDS.items()],
    *[migrations.AddIndex("job", index) for index in JOB_INDEXES],
    *[migrations.AddConstraint("job", constraint) for constraint in JOB_CONSTRAINTS],
]
JOB_EVENT = migrations.CreateModel(
    name="JobEvent",
    fields=[
        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
        ("job", models.ForeignKey(on_delete=CASCADE, related_name="events", to="ingest.job")),
        ("at", models.DateTimeField(db_default=Now())),
        ("from_state", models.CharField(blank=True, default="", max_length=40)),
        ("to_state", models.CharField(max_length=40)),
        ("by", models.TextField()),
        ("why", models.TextField(blank=True, default="")),
    ],
    options={
        "db_table": "kb_ingest_event",
        "verbose_name": "job event",
        "verbose_name_plural": "job events",
        "ordering": ["id"],
    },
)
DRAFT = migrations.CreateModel(
    name="Draft",
    fields=[
        (
            "job",
            models.OneToOneField(
                on_delete=CASCADE, primary_key=True, related_name="draft", serialize=False, to="ingest.job"
            ),
        ),
        ("kind", models.CharField(blank=True, choices=KINDS, default="", max_length=20)),
        ("labels", models.JSONField(blank=True, default=list)),
        ("by", models.TextField()),
        ("at", models.DateTimeField(auto_now=True)),
    ],
    options={
        "db_table": "kb_ingest_draft",
        "verbose_name": "draft of a decision",
        "verbose_name_plural": "drafts of decisions",
    },
)


class Migration(migrations.Migration):
    dependencies = [("ingest", "007_ingest_classifier"), ("sources", "005_source_description")]
    operations = [
        sql(COLUMNS + STAGES + INDEXES, state_operations=JOB),
        sql(EVENTS, state_operations=[JOB_EVENT]),
        sql(DRAFTS, state_operations=[DRAFT]),
        sql(SLOTS),
        grant("kb_ingest_event", "kb_ingest_draft", "kb_classify_slot"),
    ]
