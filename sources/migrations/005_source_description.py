"""005 source_description: the confirmed summary, and when AI classification was applied."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_tables import TableColumn, complete

SQL = complete(
    "kb_source",
    TableColumn("description", "text", default="''"),
    TableColumn("ai_classified_at", "timestamptz", required=False),
)


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
