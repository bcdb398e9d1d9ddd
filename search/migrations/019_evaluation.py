"""019 evaluation: gives answers ids and feedback, and makes kb_evaluation_question and kb_evaluation_run."""

import uuid

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import MD5, Now

from kb_project.configuration.roles import ensure_roles
from kb_project.database.migration_sql import grant, sql

FEEDBACK = sql(
    """
ALTER TABLE kb_answer_trace ADD COLUMN IF NOT EXISTS answer_id uuid NOT NULL DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX IF NOT EXISTS kb_answer_trace_answer_id_key ON kb_answer_trace (answer_id);
CREATE TABLE IF NOT EXISTS kb_answer_feedback (
    trace_id bigint PRIMARY KEY REFERENCES kb_answer_trace (id) ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT now(),
    by text NOT NULL,
    helpful boolean NOT NULL,
    note text NOT NULL DEFAULT ''
);
""",
    state_operations=[
        migrations.AddField(
            model_name="answertrace",
            name="answer_id",
            field=models.UUIDField(default=uuid.uuid4, unique=True, verbose_name="id of the answer"),
        ),
        migrations.CreateModel(
            name="AnswerFeedback",
            fields=[
                (
                    "trace",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="feedback",
                        serialize=False,
                        to="search.answertrace",
                        verbose_name="trace",
                    ),
                ),
                ("at", models.DateTimeField(db_default=Now(), verbose_name="when")),
                ("by", models.TextField(verbose_name="who")),
                ("helpful", models.BooleanField(verbose_name="helpful")),
                ("note", models.TextField(blank=True, default="", verbose_name="note")),
            ],
            options={
                "db_table": "kb_answer_feedback",
                "verbose_name": "feedback on an answer",
                "verbose_name_plural": "feedback on answers",
            },
        ),
    ],
)
_TOPIC = models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="topics.topic")
_ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
EVALUATION = sql(
    """
CREATE TABLE IF NOT EXISTS kb_evaluation_question (
    id bigserial PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    question text NOT NULL,
    provisions jsonb NOT NULL DEFAULT '[]',
    words text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX IF NOT EXISTS kb_evaluation_question_once ON kb_evaluation_question (topic_id, md5(question));
CREATE TABLE IF NOT EXISTS kb_evaluation_run (
    id bigserial PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    by text NOT NULL,
    origin text NOT NULL DEFAULT '',
    started_at timestamptz NOT NULL DEFAULT now(),
    progress_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    accepted boolean NOT NULL DEFAULT false,
    baseline bigint,
    worse_by double precision,
    configuration jsonb NOT NULL DEFAULT '{}',
    questions jsonb NOT NULL DEFAULT '[]',
    outcomes jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX IF NOT EXISTS kb_evaluation_run_topic_idx ON kb_evaluation_run (topic_id);
""",
    state_operations=[
        migrations.CreateModel(
            name="EvaluationQuestion",
            fields=[
                ("id", _ID),
                ("topic", _TOPIC),
                ("question", models.TextField()),
                ("provisions", models.JSONField(default=list)),
                ("words", models.TextField(default="")),
            ],
            options={
                "db_table": "kb_evaluation_question",
                "verbose_name": "evaluation question",
                "verbose_name_plural": "evaluation questions",
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(models.F("topic"), MD5("question"), name="kb_evaluation_question_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="EvaluationRun",
            fields=[
                ("id", _ID.clone()),
                ("topic", _TOPIC.clone()),
                ("by", models.TextField()),
                ("origin", models.TextField(default="")),
                ("started_at", models.DateTimeField(db_default=Now())),
                ("progress_at", models.DateTimeField(db_default=Now())),
                ("finished_at", models.DateTimeField(null=True)),
                ("accepted", models.BooleanField(default=False)),
                ("baseline", models.BigIntegerField(null=True)),
                ("worse_by", models.FloatField(null=True)),
                ("configuration", models.JSONField(default=dict)),
                ("questions", models.JSONField(default=list)),
                ("outcomes", models.JSONField(default=list)),
            ],
            options={
                "db_table": "kb_evaluation_run",
                "verbose_name": "evaluation run",
                "verbose_name_plural": "evaluation runs",
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["topic"], name="kb_evaluation_run_topic_idx")],
            },
        ),
    ],
)


def make_roles(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    ensure_roles(apps, editor.connection.alias)


class Migration(migrations.Migration):
    dependencies = [("search", "018_synonyms"), ("kb_project", "013_audit_and_roles")]
    operations = [
        FEEDBACK,
        EVALUATION,
        grant("kb_answer_feedback", "kb_evaluation_question", "kb_evaluation_run"),
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
