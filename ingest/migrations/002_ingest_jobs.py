"""002 ingest jobs: one row for each uploaded file."""

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.migration_sql import grant, sql

SQL = """
CREATE TABLE IF NOT EXISTS kb_ingest_job (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    topic_id bigint NOT NULL DEFAULT 1 REFERENCES kb_topic (id),
    kind text NOT NULL,
    status text NOT NULL DEFAULT 'queued',
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT kb_ingest_job_kind_check CHECK (kind IN ('law', 'regulation', 'circular')),
    CONSTRAINT kb_ingest_job_status_check CHECK (status IN ('queued', 'processing', 'done', 'failed'))
);
CREATE INDEX IF NOT EXISTS kb_ingest_job_status_idx ON kb_ingest_job (status, created_at);
CREATE INDEX IF NOT EXISTS kb_ingest_job_topic_idx ON kb_ingest_job (topic_id, created_at);
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = [("sources", "001_topics")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.CreateModel(
                    name="Job",
                    fields=[
                        (
                            "id",
                            models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                        ),
                        ("kind", models.CharField(max_length=20)),
                        ("status", models.CharField(default="queued", max_length=20)),
                        ("created_at", models.DateTimeField(db_default=Now())),
                        (
                            "topic",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="topics.topic",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "kb_ingest_job",
                        "verbose_name": "ingest job",
                        "verbose_name_plural": "ingest jobs",
                        "ordering": ["-created_at", "-id"],
                        "indexes": [
                            models.Index(fields=["status", "created_at"], name="kb_ingest_job_status_idx"),
                            models.Index(fields=["topic", "created_at"], name="kb_ingest_job_topic_idx"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(kind__in=["law", "regulation", "circular"]),
                                name="kb_ingest_job_kind_check",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(status__in=["queued", "processing", "done", "failed"]),
                                name="kb_ingest_job_status_check",
                            ),
                        ],
                    },
                ),
            ],
        ),
        grant("kb_ingest_job"),
    ]
