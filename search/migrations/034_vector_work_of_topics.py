"""Notes of what lacks vectors, found by topic: each search asks whether any of its topics is noted."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

INDEX = """
CREATE INDEX IF NOT EXISTS kb_vector_work_topic_idx ON kb_vector_work (topic_id);
"""


class Migration(migrations.Migration):
    dependencies = [("search", "033_statistics")]
    operations = [
        sql(
            INDEX,
            state_operations=[
                migrations.AddIndex("VectorWork", models.Index(fields=["topic_id"], name="kb_vector_work_topic_idx"))
            ],
        )
    ]
