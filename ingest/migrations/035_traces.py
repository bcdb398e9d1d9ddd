"""035 traces: the span in which a job was accepted."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

TRACEPARENT = sql(
    "ALTER TABLE kb_ingest_job ADD COLUMN IF NOT EXISTS traceparent varchar(55)",
    state_operations=[
        migrations.AddField("job", "traceparent", models.CharField(blank=True, max_length=55, null=True))
    ],
)


class Migration(migrations.Migration):
    dependencies = [("ingest", "027_reopening")]
    operations = [TRACEPARENT]
