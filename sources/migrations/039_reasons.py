"""Why a reference is taken to be of its act. Those that were read before have none until they are read again."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import fields

REASONS = "ALTER TABLE kb_reference ADD COLUMN IF NOT EXISTS reason text NOT NULL DEFAULT '';"


class Migration(migrations.Migration):
    dependencies = [("sources", "036_order_of_titles")]
    operations = [sql(REASONS, state_operations=[*fields("Reference", {"reason": models.TextField(default="")})])]
