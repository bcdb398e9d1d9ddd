"""022 tables: gives kb_chunk the rows of tables in its text. Empty until a source is indexed again."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

TABLES = sql(
    "ALTER TABLE kb_chunk ADD COLUMN IF NOT EXISTS tables jsonb NOT NULL DEFAULT '[]'",
    state_operations=[
        migrations.AddField(model_name="chunk", name="tables", field=models.JSONField(default=list)),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("search", "019_evaluation")]
    operations = [TABLES]
