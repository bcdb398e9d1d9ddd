"""042 lost: what the reader of a document saw and did not pass on."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

LOST = sql(
    "ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS lost jsonb NOT NULL DEFAULT '[]'",
    state_operations=[migrations.AddField("source", "lost", models.JSONField(blank=True, db_default=[], default=list))],
)


class Migration(migrations.Migration):
    dependencies = [("sources", "040_aliases")]
    operations = [LOST]
