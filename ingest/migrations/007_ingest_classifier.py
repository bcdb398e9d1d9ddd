"""007 ingest_classifier: the review stage between upload and embedding."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql, values_constraint
from kb_project.database.migration_tables import TableColumn, complete

STATUSES = ["queued", "processing", "awaiting_review", "done", "failed"]
COLUMNS = complete(
    "kb_ingest_job",
    TableColumn("processing_stage", "text", required=False),
    TableColumn("ai_suggestions", "jsonb", default="'{}'"),
    TableColumn("batch_id", "uuid", required=False),
)
INDEX = """
CREATE INDEX IF NOT EXISTS kb_ingest_job_batch_idx ON kb_ingest_job (batch_id, created_at);
"""


class Migration(migrations.Migration):
    dependencies = [("ingest", "004_kind_tool")]
    operations = [
        sql(
            COLUMNS + INDEX + values_constraint("kb_ingest_job", "status", STATUSES),
            state_operations=[
                migrations.AlterField(
                    "job",
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("processing", "Processing"),
                            ("awaiting_review", "Awaiting review"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=20,
                    ),
                ),
                migrations.AddField(
                    "job",
                    "processing_stage",
                    models.CharField(
                        blank=True,
                        choices=[("classifying", "Classifying"), ("embedding", "Embedding")],
                        max_length=20,
                        null=True,
                    ),
                ),
                migrations.AddField("job", "ai_suggestions", models.JSONField(blank=True, default=dict)),
                migrations.AddField("job", "batch_id", models.UUIDField(blank=True, null=True)),
                migrations.AddIndex(
                    "job", models.Index(fields=["batch_id", "created_at"], name="kb_ingest_job_batch_idx")
                ),
                migrations.RemoveConstraint("job", "kb_ingest_job_status_check"),
                migrations.AddConstraint(
                    "job",
                    models.CheckConstraint(condition=models.Q(status__in=STATUSES), name="kb_ingest_job_status_check"),
                ),
            ],
        ),
    ]
