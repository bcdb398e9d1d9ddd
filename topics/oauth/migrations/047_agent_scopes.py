"""047 what an agent was allowed has names. Nothing stands for the first."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import fields

SCOPE = "ALTER TABLE kb_oauth_connection ADD COLUMN IF NOT EXISTS scope text NOT NULL DEFAULT '';"


class Migration(migrations.Migration):
    dependencies = [("oauth", "022_oauth")]
    operations = [sql(SCOPE, state_operations=[*fields("AgentConnection", {"scope": models.TextField(default="")})])]
