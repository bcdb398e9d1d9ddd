"""002 ingest jobs: one row for each uploaded file."""

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import add_values, grant, sql
from kb_project.database.migration_tables import TableColumn, table

KINDS = ["law", "regulation", "circular"]
STATUSES = ["queued", "processing", "done", "failed"]
TABLE = table(
    "kb_ingest_job",
    TableColumn("id", "uuid", default="gen_random_uuid()"),
    TableColumn("topic_id", "bigint", default="1", references="kb_topic (id)"),
    TableColumn("kind", "text"),
    TableColumn("status", "text", default="'queued'"),
    TableColumn("created_at", "timestamptz", default="now()"),
)
CHECKS = add_values("kb_ingest_job", "kind", KINDS) + add_values("kb_ingest_job", "status", STATUSES)
INDEXES = """
CREATE INDEX IF NOT EXISTS kb_ingest_job_status_idx ON kb_ingest_job (status, created_at);
CREATE INDEX IF NOT EXISTS kb_ingest_job_topic_idx ON kb_ingest_job (topic_id, created_at);
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = [("sources", "001_topics")]
    operations = [
        sql(
            TABLE + CHECKS + INDEXES,
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
                                condition=models.Q(kind__in=KINDS),
                                name="kb_ingest_job_kind_check",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(status__in=STATUSES),
                                name="kb_ingest_job_status_check",
                            ),
                        ],
                    },
                ),
            ],
        ),
        grant("kb_ingest_job"),
    ]
