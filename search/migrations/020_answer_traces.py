"""020 answer traces: how questions were answered, kept for some weeks."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Now

from kb_project.accounts.roles import ensure_roles
from kb_project.database.migration_sql import grant, sql

SQL = """
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
"""


def text(name: str) -> models.TextField:
    return models.TextField(blank=True, default="", verbose_name=name)


def json(name: str) -> models.JSONField:
    return models.JSONField(blank=True, default=list, verbose_name=name)


def let_managers_look(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    ensure_roles(apps)


class Migration(migrations.Migration):
    dependencies = [("search", "009_search"), ("topics", "008_api_keys"), ("kb_project", "018_integrity_runs")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.CreateModel(
                    name="AnswerTrace",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField(db_default=Now(), verbose_name="when")),
                        ("by", models.TextField(verbose_name="who")),
                        ("question", models.TextField(verbose_name="question")),
                        ("expanded", json("expansions")),
                        ("passages", json("passages")),
                        ("status", models.CharField(max_length=40, verbose_name="status")),
                        ("answer", text("answer")),
                        ("citations", json("citations")),
                        ("dropped", json("dropped citations")),
                        ("error", text("error")),
                        ("provider", models.TextField(verbose_name="provider")),
                        ("model", models.TextField(verbose_name="model")),
                        ("input_tokens", models.IntegerField(blank=True, null=True, verbose_name="input tokens")),
                        ("output_tokens", models.IntegerField(blank=True, null=True, verbose_name="output tokens")),
                        ("retrieval_ms", models.FloatField(verbose_name="retrieval, ms")),
                        ("took_ms", models.FloatField(verbose_name="took, ms")),
                        (
                            "topic",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="topics.topic",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "kb_answer_trace",
                        "verbose_name": "trace of an answer",
                        "verbose_name_plural": "traces of answers",
                        "ordering": ["-id"],
                        "indexes": [models.Index(fields=["at"], name="kb_answer_trace_at_idx")],
                    },
                ),
            ],
        ),
        grant("kb_answer_trace"),
        migrations.RunPython(let_managers_look, migrations.RunPython.noop),
    ]
