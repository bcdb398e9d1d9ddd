"""Sources whose vectors are made in the background, after their publication, and how vectors of a topic lie."""

import pgvector.django
from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import key_of, model, number, to

VECTOR_WORK = sql(
    """
CREATE TABLE IF NOT EXISTS kb_vector_work (
    id bigserial PRIMARY KEY,
    topic_id bigint NOT NULL,
    source_id bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS kb_vector_work_source_idx ON kb_vector_work (source_id);
""",
    state_operations=[
        model(
            "VectorWork",
            "kb_vector_work",
            {"id": number(), "topic_id": models.BigIntegerField(), "source_id": models.BigIntegerField()},
            ordering=["id"],
            indexes=[models.Index(fields=["source_id"], name="kb_vector_work_source_idx")],
        ),
    ],
)

VECTOR_SPREAD = sql(
    """
CREATE TABLE IF NOT EXISTS kb_vector_spread (
    space_id bigint NOT NULL REFERENCES kb_embedding_space (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    vectors bigint NOT NULL,
    mean halfvec NOT NULL,
    deviation double precision NOT NULL,
    PRIMARY KEY (space_id, topic_id)
);
""",
    state_operations=[
        model(
            "VectorSpread",
            "kb_vector_spread",
            {
                "pk": key_of("space_id", "topic_id"),
                "space": to("search.embeddingspace"),
                "topic": to("topics.topic"),
                "vectors": models.BigIntegerField(),
                "mean": pgvector.django.HalfVectorField(),
                "deviation": models.FloatField(),
            },
        ),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("search", "013_search")]
    operations = [VECTOR_WORK, VECTOR_SPREAD, grant("kb_vector_work", "kb_vector_spread")]
