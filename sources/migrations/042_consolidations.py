"""How the text of a version was made of the version before. Those that were uploaded have none."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import fields

CONSOLIDATION = "ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS consolidation jsonb;"


class Migration(migrations.Migration):
    dependencies = [("sources", "039_reasons")]
    operations = [
        sql(
            CONSOLIDATION,
            state_operations=[*fields("Source", {"consolidation": models.JSONField(blank=True, null=True)})],
        )
    ]
