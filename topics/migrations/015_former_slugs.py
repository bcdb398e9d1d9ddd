"""015 former slugs: makes kb_topic_slug, the slugs that topics once had and under which files still lie."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql

SQL = """
CREATE TABLE IF NOT EXISTS kb_topic_slug (
    id bigserial PRIMARY KEY,
    slug varchar(50) NOT NULL UNIQUE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    retired_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS kb_topic_slug_topic_id_idx ON kb_topic_slug (topic_id);
"""


class Migration(migrations.Migration):
    dependencies = [("topics", "008_api_keys")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.CreateModel(
                    name="FormerSlug",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.CharField(max_length=50, unique=True, verbose_name="slug")),
                        (
                            "retired_at",
                            models.DateTimeField(db_default=Now(), editable=False, verbose_name="in use until"),
                        ),
                        (
                            "topic",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="former_slugs",
                                to="topics.topic",
                                verbose_name="topic",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "kb_topic_slug",
                        "verbose_name": "former slug",
                        "verbose_name_plural": "former slugs",
                        "ordering": ["-id"],
                    },
                ),
            ],
        ),
        grant("kb_topic_slug"),
    ]
