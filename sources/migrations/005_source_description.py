"""005 source_description: the confirmed summary, and when AI classification was applied."""

from django.db import migrations, models

from kb_project.migration_sql import sql

SQL = """
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS description text NOT NULL DEFAULT '';
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS ai_classified_at timestamptz;
"""


class Migration(migrations.Migration):
    dependencies = [("sources", "004_kind_tool")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.AddField("source", "description", models.TextField(blank=True, default="")),
                migrations.AddField("source", "ai_classified_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
    ]
