"""015 jobs: file, decision, claim and progress of a job, the history of its moves, and what reviewers do with it."""

from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Now

from kb_project.database.migration_sql import check_constraint, grant, sql
from kb_project.database.migration_state import fields, model, number, one_to, to
from kb_project.database.migration_tables import TableColumn, complete

CASCADE = models.CASCADE
LIVE = ["queued", "processing", "awaiting_review"]
KINDS = [
    ("law", "Law"),
    ("regulation", "Regulation"),
    ("circular", "Circular"),
    ("caselaw", "Case law"),
    ("tool", "Tool"),
]
COLUMNS = complete(
    "kb_ingest_job",
    TableColumn("confirmed", "jsonb", required=False),
    TableColumn("warnings", "jsonb", default="'[]'"),
    TableColumn("unread_pages", "jsonb", required=False),
    TableColumn("numbering", "jsonb", required=False),
    TableColumn("lost", "jsonb", default="'[]'"),
    TableColumn("filename", "text", default="''"),
    TableColumn("file_key", "text", default="''"),
    TableColumn("size", "bigint", default="0"),
    TableColumn("content_sha256", "varchar(64)", default="''"),
    TableColumn("allow_duplicate", "boolean", default="false"),
    TableColumn("duplicate_of", "jsonb", required=False),
    TableColumn("part_of", "jsonb", required=False),
    TableColumn("source_id", "bigint", required=False, references="kb_source (id) ON DELETE SET NULL"),
    TableColumn("reindex", "boolean", default="false"),
    TableColumn("error_code", "varchar(40)", default="''"),
    TableColumn("error_message", "text", default="''"),
    TableColumn("attempts", "integer", default="0"),
    TableColumn("claim", "text", default="''"),
    TableColumn("heartbeat_at", "timestamptz", required=False),
    TableColumn("hinted_at", "timestamptz", required=False),
    TableColumn("progress_stage", "varchar(20)", default="''"),
    TableColumn("progress_done", "integer", default="0"),
    TableColumn("progress_total", "integer", required=False),
    TableColumn("traceparent", "varchar(55)", required=False),
    TableColumn("started_at", "timestamptz", required=False),
    TableColumn("finished_at", "timestamptz", required=False),
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
JOBS = sql(
    COLUMNS + STAGES + INDEXES,
    state_operations=[
        *fields(
            "job",
            {
                "confirmed": models.JSONField(blank=True, null=True),
                "warnings": models.JSONField(blank=True, default=list),
                "unread_pages": models.JSONField(blank=True, null=True),
                "numbering": models.JSONField(blank=True, null=True),
                "lost": models.JSONField(blank=True, db_default=[], default=list),
                "filename": models.TextField(blank=True, default=""),
                "file_key": models.TextField(blank=True, default=""),
                "size": models.BigIntegerField(default=0),
                "content_sha256": models.CharField(blank=True, default="", max_length=64),
                "allow_duplicate": models.BooleanField(default=False),
                "duplicate_of": models.JSONField(blank=True, null=True),
                "part_of": models.JSONField(blank=True, null=True),
                "source": to("sources.source", models.SET_NULL, related_name="jobs", blank=True, null=True),
                "reindex": models.BooleanField(default=False),
                "error_code": models.CharField(blank=True, default="", max_length=40),
                "error_message": models.TextField(blank=True, default=""),
                "attempts": models.IntegerField(default=0),
                "claim": models.TextField(blank=True, default=""),
                "heartbeat_at": models.DateTimeField(blank=True, null=True),
                "hinted_at": models.DateTimeField(blank=True, null=True),
                "progress_stage": models.CharField(blank=True, default="", max_length=20),
                "progress_done": models.IntegerField(default=0),
                "progress_total": models.IntegerField(blank=True, null=True),
                "traceparent": models.CharField(blank=True, max_length=55, null=True),
                "started_at": models.DateTimeField(blank=True, null=True),
                "finished_at": models.DateTimeField(blank=True, null=True),
            },
        ),
        migrations.AddIndex("job", models.Index(fields=["topic", "content_sha256"], name="kb_ingest_job_content_idx")),
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
        migrations.AddConstraint(
            "job",
            models.UniqueConstraint(
                fields=["source"], condition=Q(reindex=True, status__in=LIVE), name="kb_ingest_job_reindex_once"
            ),
        ),
    ],
)
# The last table has leases that limit how many classifications run at a time. It has no model: only
# `classify.provider_slots` writes it.
HISTORY = sql(
    """
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
CREATE TABLE IF NOT EXISTS kb_classify_slot (
    number integer PRIMARY KEY CHECK (number > 0),
    holder text NOT NULL DEFAULT '',
    expires_at timestamptz
);
""",
    state_operations=[
        model(
            "JobEvent",
            "kb_ingest_event",
            {
                "id": number(),
                "job": to("ingest.job", CASCADE, related_name="events"),
                "at": models.DateTimeField(db_default=Now()),
                "from_state": models.CharField(blank=True, default="", max_length=40),
                "to_state": models.CharField(max_length=40),
                "by": models.TextField(),
                "why": models.TextField(blank=True, default=""),
            },
            named=("job event", "job events"),
            ordering=["id"],
        )
    ],
)
REVIEW = sql(
    """
CREATE TABLE IF NOT EXISTS kb_ingest_draft (
    job_id uuid PRIMARY KEY REFERENCES kb_ingest_job (id) ON DELETE CASCADE,
    kind varchar(20) NOT NULL DEFAULT '',
    labels jsonb NOT NULL DEFAULT '[]',
    decision jsonb,
    by text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS kb_ingest_hold (
    job_id uuid PRIMARY KEY REFERENCES kb_ingest_job (id) ON DELETE CASCADE,
    by text NOT NULL,
    page varchar(32) NOT NULL DEFAULT '',
    since timestamptz NOT NULL DEFAULT now(),
    until timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS kb_ingest_batch_name (
    batch_id uuid PRIMARY KEY,
    name varchar(120) NOT NULL
);
""",
    state_operations=[
        model(
            "Draft",
            "kb_ingest_draft",
            {
                "job": one_to("ingest.job", CASCADE, related_name="draft"),
                "kind": models.CharField(blank=True, choices=KINDS, default="", max_length=20),
                "labels": models.JSONField(blank=True, default=list),
                "decision": models.JSONField(blank=True, null=True),
                "by": models.TextField(),
                "at": models.DateTimeField(auto_now=True),
            },
            named=("draft of a decision", "drafts of decisions"),
        ),
        model(
            "Hold",
            "kb_ingest_hold",
            {
                "job": one_to("ingest.job", CASCADE, related_name="hold"),
                "by": models.TextField(),
                "page": models.CharField(blank=True, default="", max_length=32),
                "since": models.DateTimeField(db_default=Now()),
                "until": models.DateTimeField(),
            },
            named=("hold of a reviewer", "holds of reviewers"),
        ),
        model(
            "BatchName",
            "kb_ingest_batch_name",
            {
                "batch_id": models.UUIDField(primary_key=True, serialize=False),
                "name": models.CharField(max_length=120),
            },
            named=("name of a batch", "names of batches"),
        ),
    ],
)
SIMILAR = sql(
    """
CREATE TABLE IF NOT EXISTS kb_ingest_fingerprint (
    job_id uuid PRIMARY KEY REFERENCES kb_ingest_job (id) ON DELETE CASCADE,
    runs bytea NOT NULL
);
ALTER TABLE kb_ingest_fingerprint ALTER runs SET STORAGE EXTERNAL;  -- hashes do not become shorter
CREATE TABLE IF NOT EXISTS kb_ingest_similar (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    job_id uuid NOT NULL REFERENCES kb_ingest_job (id) ON DELETE CASCADE,
    source_id bigint REFERENCES kb_source (id) ON DELETE CASCADE,
    other_id uuid REFERENCES kb_ingest_job (id) ON DELETE CASCADE,
    similarity double precision NOT NULL,
    CONSTRAINT kb_ingest_similar_source_once UNIQUE (job_id, source_id),
    CONSTRAINT kb_ingest_similar_job_once UNIQUE (job_id, other_id),
    CONSTRAINT kb_ingest_similar_names_one CHECK ((source_id IS NULL) <> (other_id IS NULL))
);
CREATE INDEX IF NOT EXISTS kb_ingest_similar_source_idx ON kb_ingest_similar (source_id);
CREATE INDEX IF NOT EXISTS kb_ingest_similar_other_idx ON kb_ingest_similar (other_id);
""",
    state_operations=[
        model(
            "JobFingerprint",
            "kb_ingest_fingerprint",
            {"job": one_to("ingest.job", CASCADE), "runs": models.BinaryField()},
        ),
        model(
            "Similar",
            "kb_ingest_similar",
            {
                "id": number(),
                "job": to("ingest.job", CASCADE, related_name="similar"),
                "source": to("sources.source", CASCADE, null=True),
                "other": to("ingest.job", CASCADE, null=True),
                "similarity": models.FloatField(),
            },
            ordering=["-similarity", "id"],
            constraints=[
                models.UniqueConstraint(fields=["job", "source"], name="kb_ingest_similar_source_once"),
                models.UniqueConstraint(fields=["job", "other"], name="kb_ingest_similar_job_once"),
                models.CheckConstraint(
                    condition=Q(source__isnull=True) ^ Q(other__isnull=True), name="kb_ingest_similar_names_one"
                ),
            ],
        ),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("ingest", "007_ingest_classifier"), ("sources", "010_documents")]
    operations = [
        *(JOBS, HISTORY, REVIEW, SIMILAR),
        grant("kb_ingest_event", "kb_classify_slot", "kb_ingest_draft", "kb_ingest_hold", "kb_ingest_batch_name"),
        grant("kb_ingest_fingerprint", "kb_ingest_similar"),
    ]
