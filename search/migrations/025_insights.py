"""025 insights: makes kb_search_count, and lets the traces of a week be counted without reading them."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Coalesce

from kb_project.database.migration_sql import grant, sql

# Without a foreign key: counts of a topic that goes are forgotten in time, and must not fail those of others.
INSIGHTS = sql(
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
CREATE INDEX IF NOT EXISTS kb_answer_trace_week_idx ON kb_answer_trace (at) INCLUDE (topic_id, status);
DROP INDEX IF EXISTS kb_answer_trace_at_idx;
""",
    state_operations=[
        migrations.CreateModel(
            name="SearchCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("query", models.TextField()),
                ("searches", models.IntegerField()),
                ("unanswered", models.IntegerField()),
                (
                    "topic",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="topics.topic",
                    ),
                ),
            ],
            options={
                "db_table": "kb_search_count",
                "verbose_name": "count of searches",
                "verbose_name_plural": "counts of searches",
                "ordering": ["-day", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("day"), Coalesce("topic", 0), models.F("query"), name="kb_search_count_once"
                    )
                ],
            },
        ),
        migrations.RemoveIndex(model_name="answertrace", name="kb_answer_trace_at_idx"),
        migrations.AddIndex(
            model_name="answertrace",
            index=models.Index(fields=["at"], include=["topic", "status"], name="kb_answer_trace_week_idx"),
        ),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("search", "022_tables")]
    operations = [INSIGHTS, grant("kb_search_count")]
