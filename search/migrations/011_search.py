"""011 search: chunks and their embeddings, posting lists, keys of citations, traces of answers."""

import uuid

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import pgvector.django
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql

NOTHING = django.db.models.deletion.DO_NOTHING
ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
UUID = models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)


def to(model: str, *, related_name: str = "+") -> models.ForeignKey:
    return models.ForeignKey(on_delete=NOTHING, related_name=related_name, to=model)


def one_to(model: str, *, related_name: str = "+") -> models.OneToOneField:
    return models.OneToOneField(
        on_delete=NOTHING, primary_key=True, related_name=related_name, serialize=False, to=model
    )


def key_of(*columns: str) -> models.CompositePrimaryKey:
    return models.CompositePrimaryKey(*columns, blank=True, editable=False, primary_key=True, serialize=False)


def array(field: models.Field, **options: type[list]) -> django.contrib.postgres.fields.ArrayField:
    return django.contrib.postgres.fields.ArrayField(base_field=field, size=None, **options)


# A search reads `terms` of thousands of chunks: kept in the row and uncompressed they are read twice as fast.
# No plan is made from statistics of the terms and the text, and ANALYZE takes long over them.
CHUNKS = sql(
    """
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE IF NOT EXISTS kb_chunk (
    id bigserial PRIMARY KEY,
    source_id bigint NOT NULL REFERENCES kb_source (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    seq integer NOT NULL,
    page integer,
    span_start integer NOT NULL,
    span_end integer NOT NULL,
    section text NOT NULL DEFAULT '',
    section_key text NOT NULL DEFAULT '',
    heading text NOT NULL DEFAULT '',
    path text[] NOT NULL DEFAULT '{}',
    text text NOT NULL,
    term_ids integer[] NOT NULL,
    impacts bytea NOT NULL DEFAULT '',
    terms sparsevec(1000000000) NOT NULL,
    CONSTRAINT kb_chunk_source_seq UNIQUE (source_id, seq)
);
ALTER TABLE kb_chunk ALTER COLUMN terms SET STORAGE EXTERNAL;
ALTER TABLE kb_chunk SET (toast_tuple_target = 8160);
ALTER TABLE kb_chunk ALTER COLUMN term_ids SET STATISTICS 0, ALTER COLUMN terms SET STATISTICS 0,
    ALTER COLUMN text SET STATISTICS 0;
CREATE INDEX IF NOT EXISTS kb_chunk_section_idx ON kb_chunk (topic_id, section_key) WHERE section_key <> '';
""",
    state_operations=[
        migrations.CreateModel(
            name="Chunk",
            fields=[
                ("id", ID),
                ("source", to("sources.source", related_name="chunks")),
                ("topic", to("topics.topic")),
                ("seq", models.IntegerField()),
                ("page", models.IntegerField(null=True)),
                ("span_start", models.IntegerField()),
                ("span_end", models.IntegerField()),
                ("section", models.TextField(default="")),
                ("section_key", models.TextField(default="")),
                ("heading", models.TextField(default="")),
                ("path", array(models.TextField(), default=list)),
                ("text", models.TextField()),
                ("term_ids", array(models.IntegerField())),
                ("impacts", models.BinaryField(default=b"")),
                ("terms", pgvector.django.SparseVectorField(dimensions=1_000_000_000)),
            ],
            options={
                "db_table": "kb_chunk",
                "ordering": ["source_id", "seq"],
                "indexes": [
                    models.Index(
                        fields=["topic", "section_key"],
                        name="kb_chunk_section_idx",
                        condition=~models.Q(section_key=""),
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("source", "seq"), name="kb_chunk_source_seq")],
            },
        )
    ],
)
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
""",
    state_operations=[
        migrations.CreateModel(
            name="Segment",
            fields=[
                ("id", UUID),
                ("topic", to("topics.topic")),
                ("chunks", models.IntegerField()),
                ("chunk_ids", models.BinaryField()),
                ("source_ids", models.BinaryField()),
                ("damaged", models.BooleanField(default=False)),
            ],
            options={
                "db_table": "kb_segment",
                "indexes": [models.Index(fields=["topic"], name="kb_segment_topic_idx")],
            },
        )
    ],
)
POSTINGS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_posting (
    segment_id uuid NOT NULL REFERENCES kb_segment (id) ON DELETE CASCADE,
    term integer NOT NULL,
    postings bytea NOT NULL,
    PRIMARY KEY (segment_id, term)
);
ALTER TABLE kb_posting ALTER COLUMN postings SET STORAGE EXTERNAL;
""",
    state_operations=[
        migrations.CreateModel(
            name="Posting",
            fields=[
                ("pk", key_of("segment_id", "term")),
                ("segment", to("search.segment")),
                ("term", models.IntegerField()),
                ("postings", models.BinaryField()),
            ],
            options={"db_table": "kb_posting"},
        )
    ],
)
FRESH_SOURCES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_fresh_source (
    source_id bigint PRIMARY KEY REFERENCES kb_source (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id)
);
CREATE INDEX IF NOT EXISTS kb_fresh_source_topic_idx ON kb_fresh_source (topic_id);
""",
    state_operations=[
        migrations.CreateModel(
            name="FreshSource",
            fields=[("source", one_to("sources.source")), ("topic", to("topics.topic"))],
            options={
                "db_table": "kb_fresh_source",
                "indexes": [models.Index(fields=["topic"], name="kb_fresh_source_topic_idx")],
            },
        )
    ],
)
SOURCE_KEYS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_source_key (
    source_id bigint PRIMARY KEY REFERENCES kb_source (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    title_start text NOT NULL DEFAULT '',
    title_stems integer[] NOT NULL DEFAULT '{}',
    identifiers text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX IF NOT EXISTS kb_source_key_start_idx ON kb_source_key (topic_id, title_start);
CREATE INDEX IF NOT EXISTS kb_source_key_stems_idx ON kb_source_key USING gin (title_stems);
CREATE INDEX IF NOT EXISTS kb_source_key_identifiers_idx ON kb_source_key USING gin (identifiers);
""",
    state_operations=[
        migrations.CreateModel(
            name="SourceKey",
            fields=[
                ("source", one_to("sources.source", related_name="citation_key")),
                ("topic", to("topics.topic")),
                ("title_start", models.TextField(default="")),
                ("title_stems", array(models.IntegerField(), default=list)),
                ("identifiers", array(models.TextField(), default=list)),
            ],
            options={
                "db_table": "kb_source_key",
                "indexes": [
                    models.Index(fields=["topic", "title_start"], name="kb_source_key_start_idx"),
                    django.contrib.postgres.indexes.GinIndex(fields=["title_stems"], name="kb_source_key_stems_idx"),
                    django.contrib.postgres.indexes.GinIndex(
                        fields=["identifiers"], name="kb_source_key_identifiers_idx"
                    ),
                ],
            },
        )
    ],
)
EMBEDDING_SPACES = sql(
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
""",
    state_operations=[
        migrations.CreateModel(
            name="EmbeddingSpace",
            fields=[
                ("id", ID),
                ("provider", models.TextField()),
                ("model", models.TextField()),
                ("dimension", models.IntegerField()),
                ("active", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "db_table": "kb_embedding_space",
                "constraints": [
                    models.UniqueConstraint(fields=("provider", "model", "dimension"), name="kb_embedding_space_once"),
                    models.UniqueConstraint(
                        condition=models.Q(active=True), fields=("active",), name="kb_embedding_space_one_active"
                    ),
                ],
            },
        )
    ],
)
CHUNK_EMBEDDINGS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_chunk_embedding (
    space_id bigint NOT NULL REFERENCES kb_embedding_space (id) ON DELETE CASCADE,
    chunk_id bigint NOT NULL REFERENCES kb_chunk (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    embedding halfvec NOT NULL,
    PRIMARY KEY (space_id, chunk_id)
);
CREATE INDEX IF NOT EXISTS kb_chunk_embedding_chunk_idx ON kb_chunk_embedding (chunk_id);
CREATE INDEX IF NOT EXISTS kb_chunk_embedding_topic_idx ON kb_chunk_embedding (space_id, topic_id);
""",
    state_operations=[
        migrations.CreateModel(
            name="ChunkEmbedding",
            fields=[
                ("pk", key_of("space_id", "chunk_id")),
                ("space", to("search.embeddingspace")),
                ("chunk", to("search.chunk", related_name="embeddings")),
                ("topic", to("topics.topic")),
                ("embedding", pgvector.django.HalfVectorField()),
            ],
            options={"db_table": "kb_chunk_embedding"},
        )
    ],
)
SEGMENT_CODES = sql(
    """
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
        migrations.CreateModel(
            name="SegmentCodes",
            fields=[
                ("pk", key_of("segment_id", "space_id")),
                ("segment", to("search.segment")),
                ("space", to("search.embeddingspace")),
                ("codes", models.BinaryField()),
            ],
            options={"db_table": "kb_segment_codes"},
        )
    ],
)
ANSWER_TRACES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_answer_trace (
    id bigserial PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    by text NOT NULL,
    topic_id bigint REFERENCES kb_topic (id) ON DELETE CASCADE,
    question text NOT NULL,
    expanded jsonb NOT NULL DEFAULT '[]',
    passages jsonb NOT NULL DEFAULT '[]',
    status varchar(40) NOT NULL,
    answer text NOT NULL DEFAULT '',
    citations jsonb NOT NULL DEFAULT '[]',
    dropped jsonb NOT NULL DEFAULT '[]',
    error text NOT NULL DEFAULT '',
    provider text NOT NULL,
    model text NOT NULL,
    input_tokens integer,
    output_tokens integer,
    retrieval_ms double precision NOT NULL,
    took_ms double precision NOT NULL
);
CREATE INDEX IF NOT EXISTS kb_answer_trace_at_idx ON kb_answer_trace (at);
CREATE INDEX IF NOT EXISTS kb_answer_trace_topic_idx ON kb_answer_trace (topic_id);
""",
    state_operations=[
        migrations.CreateModel(
            name="AnswerTrace",
            fields=[
                ("id", ID),
                ("at", models.DateTimeField(db_default=Now(), verbose_name="when")),
                ("by", models.TextField(verbose_name="who")),
                (
                    "topic",
                    models.ForeignKey(blank=True, null=True, on_delete=NOTHING, related_name="+", to="topics.topic"),
                ),
                ("question", models.TextField(verbose_name="question")),
                ("expanded", models.JSONField(blank=True, default=list, verbose_name="expansions")),
                ("passages", models.JSONField(blank=True, default=list, verbose_name="passages")),
                ("status", models.CharField(max_length=40, verbose_name="status")),
                ("answer", models.TextField(blank=True, default="", verbose_name="answer")),
                ("citations", models.JSONField(blank=True, default=list, verbose_name="citations")),
                ("dropped", models.JSONField(blank=True, default=list, verbose_name="dropped citations")),
                ("error", models.TextField(blank=True, default="", verbose_name="error")),
                ("provider", models.TextField(verbose_name="provider")),
                ("model", models.TextField(verbose_name="model")),
                ("input_tokens", models.IntegerField(blank=True, null=True, verbose_name="input tokens")),
                ("output_tokens", models.IntegerField(blank=True, null=True, verbose_name="output tokens")),
                ("retrieval_ms", models.FloatField(verbose_name="retrieval, ms")),
                ("took_ms", models.FloatField(verbose_name="took, ms")),
            ],
            options={
                "db_table": "kb_answer_trace",
                "verbose_name": "trace of an answer",
                "verbose_name_plural": "traces of answers",
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["at"], name="kb_answer_trace_at_idx")],
            },
        )
    ],
)

# A table after those that it refers to.
TABLES = {
    "kb_chunk": CHUNKS,
    "kb_segment": SEGMENTS,
    "kb_posting": POSTINGS,
    "kb_fresh_source": FRESH_SOURCES,
    "kb_source_key": SOURCE_KEYS,
    "kb_embedding_space": EMBEDDING_SPACES,
    "kb_chunk_embedding": CHUNK_EMBEDDINGS,
    "kb_segment_codes": SEGMENT_CODES,
    "kb_answer_trace": ANSWER_TRACES,
}


class Migration(migrations.Migration):
    initial = True
    dependencies = [("sources", "001_topics"), ("topics", "001_topics")]
    operations = [*TABLES.values(), grant(*TABLES)]
