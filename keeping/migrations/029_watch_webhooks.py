"""029 the webhook of a person, to which what they watch is posted, and how far it was."""

from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import fields, model, one_to

WEBHOOKS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_watch_webhook (
    watcher_id integer PRIMARY KEY REFERENCES kb_watcher (person_id) ON DELETE CASCADE,
    url varchar(500) NOT NULL,
    secret text NOT NULL,
    former_secret text NOT NULL DEFAULT '',
    former_until timestamptz,
    enabled boolean NOT NULL DEFAULT true,
    made_at timestamptz NOT NULL DEFAULT now(),
    sending_id bigint,
    held_until timestamptz,
    failures integer NOT NULL DEFAULT 0,
    sent_at timestamptz,
    failing_since timestamptz,
    answer_status integer,
    fault varchar(20) NOT NULL DEFAULT ''
);
ALTER TABLE kb_watch ADD COLUMN IF NOT EXISTS posted_id bigint NOT NULL DEFAULT 0;
""",
    state_operations=[
        model(
            "WatchWebhook",
            "kb_watch_webhook",
            {
                "watcher": one_to("keeping.watcher", models.CASCADE, related_name="webhook"),
                "url": models.CharField(max_length=500, verbose_name="address"),
                "secret": models.TextField(editable=False),
                "former_secret": models.TextField(default="", editable=False),
                "former_until": models.DateTimeField(editable=False, null=True),
                "enabled": models.BooleanField(default=True),
                "made_at": models.DateTimeField(db_default=Now()),
                "sending_id": models.BigIntegerField(null=True),
                "held_until": models.DateTimeField(null=True),
                "failures": models.IntegerField(default=0),
                "sent_at": models.DateTimeField(null=True),
                "failing_since": models.DateTimeField(null=True),
                "answer_status": models.IntegerField(null=True),
                "fault": models.CharField(default="", max_length=20),
            },
        ),
        *fields("Watch", {"posted_id": models.BigIntegerField(db_default=0, default=0)}),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("keeping", "026_highlights")]
    operations = [WEBHOOKS, grant("kb_watch_webhook")]
