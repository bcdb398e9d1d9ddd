"""017 reindex: jobs that index again what a source has, at most one live one for each source."""

from django.db import migrations, models
from django.db.models import Q

from kb_project.database.migration_sql import sql

SQL = """
ALTER TABLE kb_ingest_job ADD COLUMN IF NOT EXISTS reindex boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX IF NOT EXISTS kb_ingest_job_reindex_once ON kb_ingest_job (source_id)
    WHERE reindex AND status IN ('queued', 'processing', 'awaiting_review');
"""


class Migration(migrations.Migration):
    dependencies = [("ingest", "012_review_drafts")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.AddField("job", "reindex", models.BooleanField(default=False)),
                migrations.AddConstraint(
                    "job",
                    models.UniqueConstraint(
                        fields=["source"],
                        condition=Q(reindex=True, status__in=["queued", "processing", "awaiting_review"]),
                        name="kb_ingest_job_reindex_once",
                    ),
                ),
            ],
        ),
    ]
