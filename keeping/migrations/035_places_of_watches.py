"""A watched provision is kept with the version that its address is of, so that it is followed from there."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import fields

PLACES = sql(
    "ALTER TABLE kb_watch ADD COLUMN IF NOT EXISTS source_id bigint;",
    state_operations=fields("Watch", {"source_id": models.BigIntegerField(null=True)}),
)


class Migration(migrations.Migration):
    dependencies = [("keeping", "029_watch_webhooks")]
    operations = [PLACES]
