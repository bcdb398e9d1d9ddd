"""041 numbering: how the sections of a document are numbered, as far as it was read."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

NUMBERING = sql(
    "ALTER TABLE kb_ingest_job ADD COLUMN IF NOT EXISTS numbering jsonb",
    state_operations=[migrations.AddField("job", "numbering", models.JSONField(blank=True, null=True))],
)


class Migration(migrations.Migration):
    dependencies = [("ingest", "035_traces")]
    operations = [NUMBERING]
