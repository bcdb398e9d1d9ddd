"""025 search: segments of posting lists take the place of the GIN index over the chunks' terms."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql

# Whatever was indexed before is gathered into segments once the service runs, and found by its words meanwhile.
SQL = """
ALTER TABLE kb_chunk ADD COLUMN IF NOT EXISTS impacts bytea NOT NULL DEFAULT '';
DROP INDEX IF EXISTS kb_chunk_term_ids_idx;

CREATE TABLE IF NOT EXISTS kb_segment (
    id uuid PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    chunks integer NOT NULL,
    chunk_ids bytea NOT NULL,
    source_ids bytea NOT NULL
);
CREATE INDEX IF NOT EXISTS kb_segment_topic_idx ON kb_segment (topic_id);
CREATE TABLE IF NOT EXISTS kb_posting (
    segment_id uuid NOT NULL REFERENCES kb_segment (id) ON DELETE CASCADE,
    term integer NOT NULL,
    postings bytea NOT NULL,
    PRIMARY KEY (segment_id, term)
);
ALTER TABLE kb_segment ALTER COLUMN chunk_ids SET STORAGE EXTERNAL, ALTER COLUMN source_ids SET STORAGE EXTERNAL;
ALTER TABLE kb_posting ALTER COLUMN postings SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS kb_fresh_source (
    source_id bigint PRIMARY KEY REFERENCES kb_source (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id)
);
CREATE INDEX IF NOT EXISTS kb_fresh_source_topic_idx ON kb_fresh_source (topic_id);
INSERT INTO kb_fresh_source (source_id, topic_id)
SELECT DISTINCT source_id, topic_id FROM kb_chunk ON CONFLICT DO NOTHING;
"""
NOTHING = django.db.models.deletion.DO_NOTHING


def topic() -> models.ForeignKey:
    return models.ForeignKey(on_delete=NOTHING, related_name="+", to="topics.topic")


STATE = [
    migrations.AddField(model_name="chunk", name="impacts", field=models.BinaryField(default=b"")),
    migrations.RemoveIndex(model_name="chunk", name="kb_chunk_term_ids_idx"),
    migrations.CreateModel(
        name="Segment",
        fields=[
            ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
            ("topic", topic()),
            ("chunks", models.IntegerField()),
            ("chunk_ids", models.BinaryField()),
            ("source_ids", models.BinaryField()),
        ],
        options={
            "db_table": "kb_segment",
            "indexes": [models.Index(fields=["topic"], name="kb_segment_topic_idx")],
        },
    ),
    migrations.CreateModel(
        name="Posting",
        fields=[
            (
                "pk",
                models.CompositePrimaryKey(
                    "segment_id", "term", blank=True, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("segment", models.ForeignKey(on_delete=NOTHING, related_name="+", to="search.segment")),
            ("term", models.IntegerField()),
            ("postings", models.BinaryField()),
        ],
        options={"db_table": "kb_posting"},
    ),
    migrations.CreateModel(
        name="FreshSource",
        fields=[
            (
                "source",
                models.OneToOneField(
                    on_delete=NOTHING,
                    primary_key=True,
                    related_name="+",
                    serialize=False,
                    to="sources.source",
                ),
            ),
            ("topic", topic()),
        ],
        options={
            "db_table": "kb_fresh_source",
            "indexes": [models.Index(fields=["topic"], name="kb_fresh_source_topic_idx")],
        },
    ),
]


class Migration(migrations.Migration):
    dependencies = [("search", "022_search_at_scale")]
    operations = [sql(SQL, state_operations=STATE), grant("kb_segment", "kb_posting", "kb_fresh_source")]
