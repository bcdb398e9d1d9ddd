"""040 aliases: what a document is cited by besides its title and identifier, and how its sections are numbered."""

import django.contrib.postgres.fields
from django.db import migrations, models

from kb_project.database.migration_sql import sql

COLUMNS = sql(
    """
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS aliases text[] NOT NULL DEFAULT '{}';
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS numbering jsonb;
""",
    state_operations=[
        migrations.AddField(
            "source",
            "aliases",
            django.contrib.postgres.fields.ArrayField(models.TextField(), blank=True, default=list),
        ),
        migrations.AddField("source", "numbering", models.JSONField(blank=True, null=True)),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("sources", "038_dated_sources")]
    operations = [COLUMNS]
