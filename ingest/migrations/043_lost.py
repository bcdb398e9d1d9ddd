"""043 lost: what the reader of a file saw and did not pass on, as far as it was read."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

LOST = sql(
    "ALTER TABLE kb_ingest_job ADD COLUMN IF NOT EXISTS lost jsonb NOT NULL DEFAULT '[]'",
    state_operations=[migrations.AddField("job", "lost", models.JSONField(blank=True, db_default=[], default=list))],
)


class Migration(migrations.Migration):
    dependencies = [("ingest", "041_numbering")]
    operations = [LOST]
