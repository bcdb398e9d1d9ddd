"""020 unread pages: which pages of a source have text that was not read. Of older sources that is not known."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_tables import Column, complete

COLUMNS = complete(
    "kb_source",
    Column("unread_pages", "jsonb", required=False),
    Column("warnings", "jsonb", default="'[]'"),
)
FIELDS = [
    migrations.AddField("source", "unread_pages", models.JSONField(blank=True, null=True)),
    migrations.AddField("source", "warnings", models.JSONField(blank=True, default=list)),
]


class Migration(migrations.Migration):
    dependencies = [("sources", "016_title_words")]
    operations = [sql(COLUMNS, state_operations=FIELDS)]
