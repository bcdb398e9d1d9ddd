"""016 heading words: what provisions are found by while somebody types."""

from django.db import migrations

from kb_project.database.migration_sql import sql

SQL = """
ALTER TABLE kb_provision ADD COLUMN IF NOT EXISTS heading_words tsvector
    GENERATED ALWAYS AS (kb_words(heading)) STORED;
CREATE INDEX IF NOT EXISTS kb_provision_heading_words_idx ON kb_provision
    USING gin (heading_words) WITH (fastupdate = off);
"""


class Migration(migrations.Migration):
    dependencies = [("search", "015_references"), ("sources", "016_title_words")]
    operations = [sql(SQL)]
