"""020 checks of texts, kept for some days."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import model, random_id, to

STATUSES = [("queued", "waiting"), ("running", "being checked"), ("done", "done"), ("failed", "failed")]
CHECKS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_text_check (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    by text NOT NULL,
    topic_id bigint REFERENCES kb_topic (id) ON DELETE CASCADE,
    within bigint[],
    as_of date NOT NULL,
    day_of_document boolean NOT NULL DEFAULT false,
    filename text NOT NULL DEFAULT '',
    file bytea,
    text text NOT NULL DEFAULT '',
    status varchar(20) NOT NULL DEFAULT 'queued',
    progress_at timestamptz NOT NULL DEFAULT now(),
    done integer NOT NULL DEFAULT 0,
    total integer NOT NULL DEFAULT 0,
    error text NOT NULL DEFAULT '',
    report jsonb,
    remarks jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX IF NOT EXISTS kb_text_check_topic_idx ON kb_text_check (topic_id);
CREATE INDEX IF NOT EXISTS kb_text_check_at_idx ON kb_text_check (at);
""",
    state_operations=[
        model(
            "TextCheck",
            "kb_text_check",
            {
                "id": random_id(),
                "at": models.DateTimeField(db_default=Now()),
                "by": models.TextField(),
                "topic": to("topics.topic", null=True),
                "within": ArrayField(models.BigIntegerField(), null=True),
                "as_of": models.DateField(),
                "day_of_document": models.BooleanField(default=False),
                "filename": models.TextField(default=""),
                "file": models.BinaryField(null=True),
                "text": models.TextField(default=""),
                "status": models.CharField(choices=STATUSES, default="queued", max_length=20),
                "progress_at": models.DateTimeField(db_default=Now()),
                "done": models.IntegerField(default=0),
                "total": models.IntegerField(default=0),
                "error": models.TextField(default=""),
                "report": models.JSONField(null=True),
                "remarks": models.JSONField(default=dict),
            },
            named=("check of a text", "checks of texts"),
            indexes=[models.Index(fields=["at"], name="kb_text_check_at_idx")],
        ),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("answers", "014_answers"), ("topics", "001_topics")]
    operations = [CHECKS, grant("kb_text_check")]
