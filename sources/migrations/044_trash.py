"""044 trash: sources that were deleted on a screen and may be put back."""

import django.db.models.deletion
import django.db.models.functions
from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql

TRASH = sql(
    """
CREATE TABLE IF NOT EXISTS kb_trashed_source (
    source_id bigint PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    title text NOT NULL DEFAULT '',
    file_key text NOT NULL DEFAULT '',
    size bigint NOT NULL DEFAULT 0,
    "row" jsonb NOT NULL,
    labels jsonb NOT NULL DEFAULT '[]',
    jobs jsonb NOT NULL DEFAULT '[]',
    deleted_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    deleted_by text NOT NULL
);
CREATE INDEX IF NOT EXISTS kb_trashed_source_topic_id_idx ON kb_trashed_source (topic_id);
""",
    state_operations=[
        migrations.CreateModel(
            name="TrashedSource",
            fields=[
                ("source_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("title", models.TextField(blank=True, default="")),
                ("file_key", models.TextField(blank=True, default="")),
                ("size", models.BigIntegerField(default=0)),
                ("row", models.JSONField()),
                ("labels", models.JSONField(default=list)),
                ("jobs", models.JSONField(default=list)),
                ("deleted_at", models.DateTimeField(db_default=django.db.models.functions.Now())),
                ("deleted_by", models.TextField()),
                (
                    "topic",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="topics.topic"),
                ),
            ],
            options={
                "db_table": "kb_trashed_source",
                "verbose_name": "deleted source",
                "verbose_name_plural": "deleted sources",
                "ordering": ["-deleted_at", "-source_id"],
            },
        )
    ],
)


class Migration(migrations.Migration):
    dependencies = [("sources", "042_lost")]
    operations = [TRASH, grant("kb_trashed_source")]
