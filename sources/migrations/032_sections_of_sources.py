"""The passages of a section are found by their source: that of a topic which has many acts has many of each number."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

SECTIONS = """
CREATE INDEX IF NOT EXISTS kb_chunk_source_section_idx ON kb_chunk (source_id, section_key) WHERE section_key <> '';
"""


class Migration(migrations.Migration):
    dependencies = [("sources", "031_ranges")]
    operations = [
        sql(
            SECTIONS,
            state_operations=[
                migrations.AddIndex(
                    "Chunk",
                    models.Index(
                        fields=["source", "section_key"],
                        name="kb_chunk_source_section_idx",
                        condition=~models.Q(section_key=""),
                    ),
                ),
            ],
        )
    ]
