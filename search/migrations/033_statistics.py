"""Postgres looks at small tables on which plans turn as soon as they change.

By itself it does so when fifty rows have changed: never where there are a few, of which it then guesses dozens.
"""

from django.db import migrations

from kb_project.database.migration_sql import sql

TABLES = (
    *("kb_topic", "kb_label", "kb_source_label", "kb_work", "kb_source", "kb_source_key"),
    *("kb_embedding_space", "kb_vector_spread", "kb_synonym", "kb_synonym_version", "kb_abbreviation"),
    *("kb_segment", "kb_segment_codes", "kb_fresh_source"),
)
SOON = "SET (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0.1)"


class Migration(migrations.Migration):
    dependencies = [("search", "031_vectors_of_all_topics"), ("sources", "032_sections_of_sources")]
    operations = [sql("\n".join(f"ALTER TABLE {table} {SOON};" for table in TABLES))]
