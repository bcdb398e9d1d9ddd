"""013 search: posting lists and embeddings, synonyms, counts of searches, and what an index outside the database needs.

Publishing, renaming, withdrawing and other days write kb_source_key. What else a search filters by is in kb_source and
in kb_source_label. Triggers note for each collection which sources changed. Without a collection nothing is noted.
"""

import uuid

import pgvector.django
from django.db import migrations, models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce, Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import array, key_of, model, number, one_to, random_id, to

SEGMENTS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_segment (
    id uuid PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    chunks integer NOT NULL,
    chunk_ids bytea NOT NULL,
    source_ids bytea NOT NULL,
    damaged boolean NOT NULL DEFAULT false
);
CREATE INDEX IF NOT EXISTS kb_segment_topic_idx ON kb_segment (topic_id);
ALTER TABLE kb_segment ALTER COLUMN chunk_ids SET STORAGE EXTERNAL, ALTER COLUMN source_ids SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS kb_posting (
    segment_id uuid NOT NULL REFERENCES kb_segment (id) ON DELETE CASCADE,
    term integer NOT NULL,
    postings bytea NOT NULL,
    PRIMARY KEY (segment_id, term)
);
ALTER TABLE kb_posting ALTER COLUMN postings SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS kb_fresh_source (
    source_id bigint PRIMARY KEY REFERENCES kb_source (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id)
);
CREATE INDEX IF NOT EXISTS kb_fresh_source_topic_idx ON kb_fresh_source (topic_id);
""",
    state_operations=[
        model(
            "Segment",
            "kb_segment",
            {
                "id": random_id(),
                "topic": to("topics.topic"),
                "chunks": models.IntegerField(),
                "chunk_ids": models.BinaryField(),
                "source_ids": models.BinaryField(),
                "damaged": models.BooleanField(default=False),
            },
            indexes=[models.Index(fields=["topic"], name="kb_segment_topic_idx")],
        ),
        model(
            "Posting",
            "kb_posting",
            {
                "pk": key_of("segment_id", "term"),
                "segment": to("search.segment"),
                "term": models.IntegerField(),
                "postings": models.BinaryField(),
            },
        ),
        model(
            "FreshSource",
            "kb_fresh_source",
            {"source": one_to("sources.source"), "topic": to("topics.topic")},
            indexes=[models.Index(fields=["topic"], name="kb_fresh_source_topic_idx")],
        ),
    ],
)
EMBEDDINGS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_embedding_space (
    id bigserial PRIMARY KEY,
    provider text NOT NULL,
    model text NOT NULL,
    dimension integer NOT NULL,
    active boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT kb_embedding_space_once UNIQUE (provider, model, dimension)
);
CREATE UNIQUE INDEX IF NOT EXISTS kb_embedding_space_one_active ON kb_embedding_space (active) WHERE active;
CREATE TABLE IF NOT EXISTS kb_chunk_embedding (
    space_id bigint NOT NULL REFERENCES kb_embedding_space (id) ON DELETE CASCADE,
    chunk_id bigint NOT NULL REFERENCES kb_chunk (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    embedding halfvec NOT NULL,
    PRIMARY KEY (space_id, chunk_id)
);
CREATE INDEX IF NOT EXISTS kb_chunk_embedding_chunk_idx ON kb_chunk_embedding (chunk_id);
CREATE INDEX IF NOT EXISTS kb_chunk_embedding_topic_idx ON kb_chunk_embedding (space_id, topic_id);
CREATE TABLE IF NOT EXISTS kb_segment_codes (
    segment_id uuid NOT NULL REFERENCES kb_segment (id) ON DELETE CASCADE,
    space_id bigint NOT NULL REFERENCES kb_embedding_space (id) ON DELETE CASCADE,
    codes bytea NOT NULL,
    PRIMARY KEY (segment_id, space_id)
);
CREATE INDEX IF NOT EXISTS kb_segment_codes_space_idx ON kb_segment_codes (space_id);
ALTER TABLE kb_segment_codes ALTER COLUMN codes SET STORAGE EXTERNAL;
""",
    state_operations=[
        model(
            "EmbeddingSpace",
            "kb_embedding_space",
            {
                "id": number(),
                "provider": models.TextField(),
                "model": models.TextField(),
                "dimension": models.IntegerField(),
                "active": models.BooleanField(default=False),
                "created_at": models.DateTimeField(db_default=Now()),
            },
            constraints=[
                models.UniqueConstraint(fields=("provider", "model", "dimension"), name="kb_embedding_space_once"),
                models.UniqueConstraint(
                    fields=("active",), condition=Q(active=True), name="kb_embedding_space_one_active"
                ),
            ],
        ),
        model(
            "ChunkEmbedding",
            "kb_chunk_embedding",
            {
                "pk": key_of("space_id", "chunk_id"),
                "space": to("search.embeddingspace"),
                "chunk": to("sources.chunk", related_name="embeddings"),
                "topic": to("topics.topic"),
                "embedding": pgvector.django.HalfVectorField(),
            },
        ),
        model(
            "SegmentCodes",
            "kb_segment_codes",
            {
                "pk": key_of("segment_id", "space_id"),
                "segment": to("search.segment"),
                "space": to("search.embeddingspace"),
                "codes": models.BinaryField(),
            },
        ),
    ],
)
# At most one row of the version. It is no number: that could come again when a backup is restored.
SYNONYMS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_synonym (
    id bigserial PRIMARY KEY,
    topic_id bigint REFERENCES kb_topic (id) ON DELETE CASCADE,
    words text[] NOT NULL,
    means text[] NOT NULL,
    weight double precision NOT NULL DEFAULT 0.6,
    CONSTRAINT kb_synonym_has_words CHECK (cardinality(words) BETWEEN 1 AND 20 AND cardinality(means) BETWEEN 1 AND 20),
    CONSTRAINT kb_synonym_weight CHECK (weight BETWEEN 0 AND 1)
);
CREATE INDEX IF NOT EXISTS kb_synonym_topic_idx ON kb_synonym (topic_id);
CREATE TABLE IF NOT EXISTS kb_synonym_version (version uuid NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS kb_synonym_version_once ON kb_synonym_version ((true));
CREATE OR REPLACE FUNCTION kb_synonym_renew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kb_synonym_version VALUES (gen_random_uuid())
        ON CONFLICT ((true)) DO UPDATE SET version = excluded.version;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER kb_synonym_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON kb_synonym
    FOR EACH STATEMENT EXECUTE FUNCTION kb_synonym_renew();
""",
    state_operations=[
        model(
            "Synonym",
            "kb_synonym",
            {
                "id": number(),
                "topic": to("topics.topic", models.CASCADE, blank=True, null=True),
                "words": array(models.TextField()),
                "means": array(models.TextField()),
                "weight": models.FloatField(default=0.6),
            },
            named=("synonym", "synonyms"),
            ordering=["id"],
            indexes=[models.Index(fields=["topic"], name="kb_synonym_topic_idx")],
            constraints=[models.CheckConstraint(condition=Q(weight__gte=0, weight__lte=1), name="kb_synonym_weight")],
        )
    ],
)
ABBREVIATIONS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_abbreviation (
    source_id bigint NOT NULL REFERENCES kb_source (id) ON DELETE CASCADE,
    letters text NOT NULL,
    long_form text NOT NULL,
    passages integer NOT NULL,
    PRIMARY KEY (source_id, letters, long_form)
);
CREATE INDEX IF NOT EXISTS kb_abbreviation_letters_idx ON kb_abbreviation (letters);
""",
    state_operations=[
        model(
            "Abbreviation",
            "kb_abbreviation",
            {
                "pk": key_of("source_id", "letters", "long_form"),
                "source": to("sources.source"),
                "letters": models.TextField(),
                "long_form": models.TextField(),
                "passages": models.IntegerField(),
            },
            indexes=[models.Index(fields=["letters"], name="kb_abbreviation_letters_idx")],
        )
    ],
)
# Without a foreign key: counts of a topic that goes are forgotten in time, and must not fail those of others.
COUNTS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_search_count (
    id bigserial PRIMARY KEY,
    day date NOT NULL,
    topic_id bigint,
    query text NOT NULL,
    searches integer NOT NULL,
    unanswered integer NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS kb_search_count_once ON kb_search_count (day, coalesce(topic_id, 0), query);
""",
    state_operations=[
        model(
            "SearchCount",
            "kb_search_count",
            {
                "id": number(),
                "day": models.DateField(),
                "topic": to("topics.topic", db_constraint=False, null=True),
                "query": models.TextField(),
                "searches": models.IntegerField(),
                "unanswered": models.IntegerField(),
            },
            named=("count of searches", "counts of searches"),
            ordering=["-day", "id"],
            constraints=[
                models.UniqueConstraint(F("day"), Coalesce("topic", 0), F("query"), name="kb_search_count_once")
            ],
        )
    ],
)
COLLECTIONS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_collection (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    key uuid NOT NULL DEFAULT gen_random_uuid(),
    space_id bigint NOT NULL REFERENCES kb_embedding_space (id) ON DELETE CASCADE,
    state text NOT NULL CHECK (state IN ('made', 'filling', 'active', 'dropped'))
);
CREATE UNIQUE INDEX IF NOT EXISTS kb_collection_one_active ON kb_collection ((true)) WHERE state = 'active';
CREATE TABLE IF NOT EXISTS kb_collection_work (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    collection_id bigint NOT NULL REFERENCES kb_collection (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL,
    source_id bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS kb_collection_work_idx ON kb_collection_work (collection_id, topic_id, source_id);
CREATE OR REPLACE FUNCTION kb_note_collection_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        NEW := OLD;
    END IF;
    INSERT INTO kb_collection_work (collection_id, topic_id, source_id)
        SELECT c.id, NEW.topic_id, NEW.source_id FROM kb_collection c WHERE c.state <> 'dropped';
    RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION kb_note_filtered_source() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kb_collection_work (collection_id, topic_id, source_id)
        SELECT c.id, NEW.topic_id, NEW.id FROM kb_collection c WHERE c.state <> 'dropped';
    RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION kb_note_filtered_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kb_collection_work (collection_id, topic_id, source_id)
        SELECT DISTINCT c.id, s.topic_id, s.id FROM kb_collection c, changed
        JOIN kb_source s ON s.id = changed.source_id WHERE c.state <> 'dropped';
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER kb_source_key_collections AFTER INSERT OR UPDATE OR DELETE ON kb_source_key
    FOR EACH ROW EXECUTE FUNCTION kb_note_collection_work();
CREATE OR REPLACE TRIGGER kb_source_filtered AFTER UPDATE OF kind, published_at, topic_id ON kb_source
    FOR EACH ROW WHEN (
        (OLD.kind, OLD.published_at, OLD.topic_id) IS DISTINCT FROM (NEW.kind, NEW.published_at, NEW.topic_id)
    ) EXECUTE FUNCTION kb_note_filtered_source();
CREATE OR REPLACE TRIGGER kb_source_label_added AFTER INSERT ON kb_source_label REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION kb_note_filtered_labels();
CREATE OR REPLACE TRIGGER kb_source_label_moved AFTER UPDATE ON kb_source_label REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION kb_note_filtered_labels();
CREATE OR REPLACE TRIGGER kb_source_label_removed AFTER DELETE ON kb_source_label REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION kb_note_filtered_labels();
""",
    state_operations=[
        model(
            "Collection",
            "kb_collection",
            {
                "id": number(),
                "key": models.UUIDField(default=uuid.uuid4, editable=False),
                "space": to("search.embeddingspace"),
                "state": models.TextField(
                    choices=[(state, state.title()) for state in ("made", "filling", "active", "dropped")]
                ),
            },
            constraints=[
                models.UniqueConstraint(Value(True), condition=Q(state="active"), name="kb_collection_one_active")
            ],
        ),
        model(
            "CollectionWork",
            "kb_collection_work",
            {
                "id": number(),
                "collection": to("search.collection"),
                "topic_id": models.BigIntegerField(),
                "source_id": models.BigIntegerField(),
            },
            ordering=["id"],
            indexes=[models.Index(fields=["collection", "topic_id", "source_id"], name="kb_collection_work_idx")],
        ),
    ],
)


class Migration(migrations.Migration):
    initial = True
    dependencies = [("sources", "011_texts"), ("labels", "012_topic_labels")]
    operations = [
        *(SEGMENTS, EMBEDDINGS, SYNONYMS, ABBREVIATIONS, COUNTS, COLLECTIONS),
        grant("kb_segment", "kb_posting", "kb_fresh_source", "kb_embedding_space", "kb_chunk_embedding"),
        grant("kb_segment_codes", "kb_abbreviation", "kb_synonym", "kb_synonym_version", "kb_search_count"),
        grant("kb_collection", "kb_collection_work"),
    ]
