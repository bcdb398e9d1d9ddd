"""Jobs that make a version of an act by the instructions of another."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import fields

CONSOLIDATION = """
ALTER TABLE kb_ingest_job ADD COLUMN IF NOT EXISTS consolidation jsonb;
CREATE INDEX IF NOT EXISTS kb_ingest_job_consolidation_idx ON kb_ingest_job (topic_id, created_at)
    WHERE consolidation IS NOT NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("ingest", "015_jobs")]
    operations = [
        sql(
            CONSOLIDATION,
            state_operations=[*fields("Job", {"consolidation": models.JSONField(blank=True, null=True)})],
        )
    ]
