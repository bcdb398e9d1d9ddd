"""019 source lists: what a list of sources is searched by, and the order it has within a topic."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

SQL = """
-- In lower case and in one place: half the work for a search of every row, which is what part of a word needs.
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS listed_text text
    GENERATED ALWAYS AS (lower(title || E'\\n' || identifier || E'\\n' || subject)) STORED;
CREATE INDEX IF NOT EXISTS kb_source_topic_newest_idx ON kb_source (topic_id, id DESC);
"""


class Migration(migrations.Migration):
    dependencies = [("sources", "008_source_files")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.AddIndex("source", models.Index(fields=["topic", "-id"], name="kb_source_topic_newest_idx")),
            ],
        ),
    ]
