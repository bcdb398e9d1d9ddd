"""027 search: a segment that could not be read is marked, and searches leave it out until it is made again."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

SQL = "ALTER TABLE kb_segment ADD COLUMN IF NOT EXISTS damaged boolean NOT NULL DEFAULT false;"
STATE = [migrations.AddField("segment", "damaged", models.BooleanField(default=False))]


class Migration(migrations.Migration):
    dependencies = [("search", "026_vector_codes")]
    operations = [sql(SQL, state_operations=STATE)]
