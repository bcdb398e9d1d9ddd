"""Sources whose vectors are made in the background, after their publication."""

from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import model, number

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


class Migration(migrations.Migration):
    dependencies = [("search", "013_search")]
    operations = [VECTOR_WORK, grant("kb_vector_work")]
