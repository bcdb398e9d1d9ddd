"""044 surveys: every provision that has what a description says, with a certificate of what was looked at."""

from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import model, random_id, to

STATUSES = [("queued", "waiting"), ("running", "being checked"), ("done", "done"), ("failed", "failed")]
SURVEYS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_survey (
    id uuid PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    by text NOT NULL,
    description text NOT NULL,
    rows jsonb NOT NULL DEFAULT '{}',
    at timestamptz NOT NULL DEFAULT now(),
    status varchar(20) NOT NULL DEFAULT 'queued',
    progress_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    claim uuid,
    done integer NOT NULL DEFAULT 0,
    total integer NOT NULL DEFAULT 0,
    error text NOT NULL DEFAULT '',
    report jsonb
);
CREATE INDEX IF NOT EXISTS kb_survey_topic_idx ON kb_survey (topic_id, at);
CREATE INDEX IF NOT EXISTS kb_survey_waiting_idx ON kb_survey (progress_at) WHERE status IN ('queued', 'running');
""",
    state_operations=[
        model(
            "Survey",
            "kb_survey",
            {
                "id": random_id(),
                "topic": to("topics.topic"),
                "by": models.TextField(),
                "description": models.TextField(),
                "rows": models.JSONField(default=dict),
                "at": models.DateTimeField(db_default=Now()),
                "status": models.CharField(choices=STATUSES, default="queued", max_length=20),
                "progress_at": models.DateTimeField(db_default=Now()),
                "attempts": models.IntegerField(default=0),
                "claim": models.UUIDField(null=True),
                "done": models.IntegerField(default=0),
                "total": models.IntegerField(default=0),
                "error": models.TextField(default=""),
                "report": models.JSONField(null=True),
            },
            ordering=["-at", "id"],
            indexes=[
                models.Index(fields=["topic", "at"], name="kb_survey_topic_idx"),
                models.Index(
                    fields=["progress_at"],
                    name="kb_survey_waiting_idx",
                    condition=models.Q(status__in=["queued", "running"]),
                ),
            ],
        )
    ],
)


class Migration(migrations.Migration):
    dependencies = [("keeping", "041_tables")]
    operations = [SURVEYS, grant("kb_survey")]
