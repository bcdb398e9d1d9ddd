"""026 search: codes of a segment's vectors take the place of the HNSW indexes."""

import django.db.models.deletion
from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql

# The codes of the segments there are, are made once the service runs; until then vectors are compared one by one.
SQL = """
CREATE TABLE IF NOT EXISTS kb_segment_codes (
    segment_id uuid NOT NULL REFERENCES kb_segment (id) ON DELETE CASCADE,
    space_id bigint NOT NULL REFERENCES kb_embedding_space (id) ON DELETE CASCADE,
    codes bytea NOT NULL,
    PRIMARY KEY (segment_id, space_id)
);
CREATE INDEX IF NOT EXISTS kb_segment_codes_space_idx ON kb_segment_codes (space_id);
ALTER TABLE kb_segment_codes ALTER COLUMN codes SET STORAGE EXTERNAL;
DO $$
DECLARE index record;
BEGIN
    FOR index IN
        SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = 'kb_chunk_embedding'::regclass AND c.relname LIKE 'kb_chunk_embedding_hnsw_%'
    LOOP
        EXECUTE format('DROP INDEX IF EXISTS %I', index.relname);
    END LOOP;
END $$;
"""
NOTHING = django.db.models.deletion.DO_NOTHING

STATE = [
    migrations.CreateModel(
        name="SegmentCodes",
        fields=[
            (
                "pk",
                models.CompositePrimaryKey(
                    "segment_id", "space_id", blank=True, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("segment", models.ForeignKey(on_delete=NOTHING, related_name="+", to="search.segment")),
            ("space", models.ForeignKey(on_delete=NOTHING, related_name="+", to="search.embeddingspace")),
            ("codes", models.BinaryField()),
        ],
        options={"db_table": "kb_segment_codes"},
    ),
]


class Migration(migrations.Migration):
    dependencies = [("search", "025_segments")]
    operations = [sql(SQL, state_operations=STATE), grant("kb_segment_codes")]
