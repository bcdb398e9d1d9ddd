"""009 search: chunks with their terms, the keys citations resolve by, term statistics and embeddings."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import pgvector.django
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql

# A search reads `terms` of thousands of chunks: kept in the row and uncompressed they are read twice as fast.
SQL = """
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
    terms sparsevec(1000000000) NOT NULL,
    CONSTRAINT kb_chunk_source_seq UNIQUE (source_id, seq)
);
ALTER TABLE kb_chunk ALTER COLUMN terms SET STORAGE EXTERNAL;
ALTER TABLE kb_chunk SET (toast_tuple_target = 8160);
CREATE INDEX IF NOT EXISTS kb_chunk_term_ids_idx ON kb_chunk USING gin (term_ids);
CREATE INDEX IF NOT EXISTS kb_chunk_section_idx ON kb_chunk (topic_id, section_key) WHERE section_key <> '';

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

CREATE TABLE IF NOT EXISTS kb_term (
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    term integer NOT NULL,
    df integer NOT NULL,
    PRIMARY KEY (topic_id, term)
);
CREATE TABLE IF NOT EXISTS kb_topic_stat (
    topic_id bigint PRIMARY KEY REFERENCES kb_topic (id) ON DELETE CASCADE,
    chunks integer NOT NULL
);
CREATE TABLE IF NOT EXISTS kb_term_delta (
    id bigserial PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    terms integer[] NOT NULL,
    counts integer[] NOT NULL,
    chunks integer NOT NULL
);

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
"""

ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
NOTHING = django.db.models.deletion.DO_NOTHING
ArrayField = django.contrib.postgres.fields.ArrayField


def topic() -> models.ForeignKey:
    return models.ForeignKey(on_delete=NOTHING, related_name="+", to="topics.topic")


def only_topic() -> models.OneToOneField:
    return models.OneToOneField(
        on_delete=NOTHING, primary_key=True, related_name="+", serialize=False, to="topics.topic"
    )


MODELS = [
    migrations.CreateModel(
        name="Chunk",
        fields=[
            ("id", ID),
            ("seq", models.IntegerField()),
            ("page", models.IntegerField(null=True)),
            ("span_start", models.IntegerField()),
            ("span_end", models.IntegerField()),
            ("section", models.TextField(default="")),
            ("section_key", models.TextField(default="")),
            ("heading", models.TextField(default="")),
            ("path", ArrayField(base_field=models.TextField(), default=list, size=None)),
            ("text", models.TextField()),
            ("term_ids", ArrayField(base_field=models.IntegerField(), size=None)),
            ("terms", pgvector.django.SparseVectorField(dimensions=1_000_000_000)),
            ("source", models.ForeignKey(on_delete=NOTHING, related_name="chunks", to="sources.source")),
            ("topic", topic()),
        ],
        options={
            "db_table": "kb_chunk",
            "ordering": ["source_id", "seq"],
            "indexes": [
                django.contrib.postgres.indexes.GinIndex(fields=["term_ids"], name="kb_chunk_term_ids_idx"),
                models.Index(
                    fields=["topic", "section_key"],
                    name="kb_chunk_section_idx",
                    condition=~models.Q(section_key=""),
                ),
            ],
            "constraints": [models.UniqueConstraint(fields=("source", "seq"), name="kb_chunk_source_seq")],
        },
    ),
    migrations.CreateModel(
        name="SourceKey",
        fields=[
            (
                "source",
                models.OneToOneField(
                    on_delete=NOTHING,
                    primary_key=True,
                    related_name="citation_key",
                    serialize=False,
                    to="sources.source",
                ),
            ),
            ("title_start", models.TextField(default="")),
            ("title_stems", ArrayField(base_field=models.IntegerField(), default=list, size=None)),
            ("identifiers", ArrayField(base_field=models.TextField(), default=list, size=None)),
            ("topic", topic()),
        ],
        options={
            "db_table": "kb_source_key",
            "indexes": [
                models.Index(fields=["topic", "title_start"], name="kb_source_key_start_idx"),
                django.contrib.postgres.indexes.GinIndex(fields=["title_stems"], name="kb_source_key_stems_idx"),
                django.contrib.postgres.indexes.GinIndex(fields=["identifiers"], name="kb_source_key_identifiers_idx"),
            ],
        },
    ),
    migrations.CreateModel(
        name="TermStat",
        fields=[
            (
                "pk",
                models.CompositePrimaryKey(
                    "topic_id", "term", blank=True, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("topic", topic()),
            ("term", models.IntegerField()),
            ("df", models.IntegerField()),
        ],
        options={"db_table": "kb_term"},
    ),
    migrations.CreateModel(
        name="TopicStat",
        fields=[("topic", only_topic()), ("chunks", models.IntegerField())],
        options={"db_table": "kb_topic_stat"},
    ),
    migrations.CreateModel(
        name="TermDelta",
        fields=[
            ("id", ID),
            ("terms", ArrayField(base_field=models.IntegerField(), size=None)),
            ("counts", ArrayField(base_field=models.IntegerField(), size=None)),
            ("chunks", models.IntegerField()),
            ("topic", topic()),
        ],
        options={"db_table": "kb_term_delta"},
    ),
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
    ),
    migrations.CreateModel(
        name="ChunkEmbedding",
        fields=[
            (
                "pk",
                models.CompositePrimaryKey(
                    "space_id", "chunk_id", blank=True, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("embedding", pgvector.django.HalfVectorField()),
            (
                "chunk",
                models.ForeignKey(on_delete=NOTHING, related_name="embeddings", to="search.chunk"),
            ),
            (
                "space",
                models.ForeignKey(on_delete=NOTHING, related_name="+", to="search.embeddingspace"),
            ),
            ("topic", topic()),
        ],
        options={"db_table": "kb_chunk_embedding"},
    ),
]


class Migration(migrations.Migration):
    initial = True
    dependencies = [("sources", "008_source_files"), ("topics", "008_api_keys")]
    operations = [
        sql(SQL, state_operations=MODELS),
        grant(
            "kb_chunk",
            "kb_source_key",
            "kb_term",
            "kb_topic_stat",
            "kb_term_delta",
            "kb_embedding_space",
            "kb_chunk_embedding",
        ),
    ]
