"""022 parts of files: gives kb_ingest_job what its file was in, an archive or a message."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

PART_OF = sql(
    "ALTER TABLE kb_ingest_job ADD COLUMN IF NOT EXISTS part_of jsonb",
    state_operations=[
        migrations.AddField(model_name="job", name="part_of", field=models.JSONField(blank=True, null=True)),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("ingest", "021_nearly_same")]
    operations = [PART_OF]
