"""011 classify slots: the leases that hold the number of classifications at a time, over all workers and machines.

There is no model: `ingest.classify.slots` is the only reader and writer of the table, and makes its rows.
"""

from django.db import migrations

from kb_project.database.migration_sql import grant, sql

SQL = """
CREATE TABLE IF NOT EXISTS kb_classify_slot (
    number integer PRIMARY KEY CHECK (number > 0),
    holder text NOT NULL DEFAULT '',
    expires_at timestamptz
);
"""


class Migration(migrations.Migration):
    dependencies = [("ingest", "010_grants")]
    operations = [sql(SQL), grant("kb_classify_slot")]
