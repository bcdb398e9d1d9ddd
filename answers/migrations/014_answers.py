"""014 answers: traces of answers with what people say of them, questions whose answer is known, and their runs."""

import uuid

from django.db import migrations, models
from django.db.models.functions import MD5, Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import model, number, one_to, to

TRACES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_answer_trace (
    id bigserial PRIMARY KEY,
    answer_id uuid NOT NULL DEFAULT gen_random_uuid(),
    at timestamptz NOT NULL DEFAULT now(),
    by text NOT NULL,
    topic_id bigint REFERENCES kb_topic (id) ON DELETE CASCADE,
    question text NOT NULL,
    expanded jsonb NOT NULL DEFAULT '[]',
    expansion varchar(40) NOT NULL DEFAULT '',
    passages jsonb NOT NULL DEFAULT '[]',
    status varchar(40) NOT NULL,
    answer text NOT NULL DEFAULT '',
    citations jsonb NOT NULL DEFAULT '[]',
    dropped jsonb NOT NULL DEFAULT '[]',
    error text NOT NULL DEFAULT '',
    provider text NOT NULL,
    model text NOT NULL,
    fallback_from text NOT NULL DEFAULT '',
    input_tokens integer,
    output_tokens integer,
    cache_read_tokens integer,
    cache_write_tokens integer,
    calls integer NOT NULL DEFAULT 0,
    retrieval_ms double precision NOT NULL,
    took_ms double precision NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS kb_answer_trace_answer_id_key ON kb_answer_trace (answer_id);
CREATE INDEX IF NOT EXISTS kb_answer_trace_topic_idx ON kb_answer_trace (topic_id);
-- The traces of a week are counted without reading them.
CREATE INDEX IF NOT EXISTS kb_answer_trace_week_idx ON kb_answer_trace (at) INCLUDE (topic_id, status);
CREATE TABLE IF NOT EXISTS kb_answer_feedback (
    trace_id bigint PRIMARY KEY REFERENCES kb_answer_trace (id) ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT now(),
    by text NOT NULL,
    helpful boolean NOT NULL,
    note text NOT NULL DEFAULT ''
);
""",
    state_operations=[
        model(
            "AnswerTrace",
            "kb_answer_trace",
            {
                "id": number(),
                "answer_id": models.UUIDField(default=uuid.uuid4, unique=True, verbose_name="id of the answer"),
                "at": models.DateTimeField(db_default=Now(), verbose_name="when"),
                "by": models.TextField(verbose_name="who"),
                "topic": to("topics.topic", blank=True, null=True),
                "question": models.TextField(verbose_name="question"),
                "expanded": models.JSONField(blank=True, default=list, verbose_name="expansions"),
                "expansion": models.CharField(blank=True, default="", max_length=40, verbose_name="expansion"),
                "passages": models.JSONField(blank=True, default=list, verbose_name="passages"),
                "status": models.CharField(max_length=40, verbose_name="status"),
                "answer": models.TextField(blank=True, default="", verbose_name="answer"),
                "citations": models.JSONField(blank=True, default=list, verbose_name="citations"),
                "dropped": models.JSONField(blank=True, default=list, verbose_name="dropped citations"),
                "error": models.TextField(blank=True, default="", verbose_name="error"),
                "provider": models.TextField(verbose_name="provider"),
                "model": models.TextField(verbose_name="model"),
                "fallback_from": models.TextField(blank=True, default="", verbose_name="in the place of"),
                "input_tokens": models.IntegerField(blank=True, null=True, verbose_name="input tokens"),
                "output_tokens": models.IntegerField(blank=True, null=True, verbose_name="output tokens"),
                "cache_read_tokens": models.IntegerField(
                    blank=True, null=True, verbose_name="tokens read from a cache"
                ),
                "cache_write_tokens": models.IntegerField(
                    blank=True, null=True, verbose_name="tokens written to a cache"
                ),
                "calls": models.IntegerField(default=0, verbose_name="calls"),
                "retrieval_ms": models.FloatField(verbose_name="retrieval, ms"),
                "took_ms": models.FloatField(verbose_name="took, ms"),
            },
            named=("trace of an answer", "traces of answers"),
            ordering=["-id"],
            indexes=[models.Index(fields=["at"], include=["topic", "status"], name="kb_answer_trace_week_idx")],
        ),
        model(
            "AnswerFeedback",
            "kb_answer_feedback",
            {
                "trace": one_to("answers.answertrace", related_name="feedback", verbose_name="trace"),
                "at": models.DateTimeField(db_default=Now(), verbose_name="when"),
                "by": models.TextField(verbose_name="who"),
                "helpful": models.BooleanField(verbose_name="helpful"),
                "note": models.TextField(blank=True, default="", verbose_name="note"),
            },
            named=("feedback on an answer", "feedback on answers"),
        ),
    ],
)
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
        model(
            "EvaluationQuestion",
            "kb_evaluation_question",
            {
                "id": number(),
                "topic": to("topics.topic", models.CASCADE),
                "question": models.TextField(),
                "provisions": models.JSONField(default=list),
                "words": models.TextField(default=""),
            },
            named=("evaluation question", "evaluation questions"),
            ordering=["id"],
            constraints=[
                models.UniqueConstraint(models.F("topic"), MD5("question"), name="kb_evaluation_question_once")
            ],
        ),
        model(
            "EvaluationRun",
            "kb_evaluation_run",
            {
                "id": number(),
                "topic": to("topics.topic", models.CASCADE),
                "by": models.TextField(),
                "origin": models.TextField(default=""),
                "started_at": models.DateTimeField(db_default=Now()),
                "progress_at": models.DateTimeField(db_default=Now()),
                "finished_at": models.DateTimeField(null=True),
                "accepted": models.BooleanField(default=False),
                "baseline": models.BigIntegerField(null=True),
                "worse_by": models.FloatField(null=True),
                "configuration": models.JSONField(default=dict),
                "questions": models.JSONField(default=list),
                "outcomes": models.JSONField(default=list),
            },
            named=("evaluation run", "evaluation runs"),
            ordering=["-id"],
            indexes=[models.Index(fields=["topic"], name="kb_evaluation_run_topic_idx")],
        ),
    ],
)


class Migration(migrations.Migration):
    initial = True
    dependencies = [("topics", "001_topics")]
    operations = [
        *(TRACES, EVALUATION),
        grant("kb_answer_trace", "kb_answer_feedback", "kb_evaluation_question", "kb_evaluation_run"),
    ]
