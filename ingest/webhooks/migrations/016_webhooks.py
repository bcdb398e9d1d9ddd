"""016 webhooks: makes kb_webhook, and kb_webhook_delivery, the outbox of what they are told."""

import uuid

from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import array, model, number, to

WEBHOOKS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_webhook (
    id bigserial PRIMARY KEY,
    topic_id bigint REFERENCES kb_topic (id) ON DELETE CASCADE,
    url varchar(500) NOT NULL,
    events text[] NOT NULL,
    enabled boolean NOT NULL DEFAULT true,
    secret text NOT NULL,
    former_secret text NOT NULL DEFAULT '',
    former_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    held_until timestamptz,
    served_at timestamptz
);
CREATE INDEX IF NOT EXISTS kb_webhook_topic_idx ON kb_webhook (topic_id);
""",
    state_operations=[
        model(
            "Webhook",
            "kb_webhook",
            {
                "id": number(),
                "topic": to("topics.topic", models.CASCADE, blank=True, null=True, verbose_name="topic"),
                "url": models.CharField(max_length=500, verbose_name="address"),
                "events": array(models.TextField(), verbose_name="events"),
                "enabled": models.BooleanField(default=True, verbose_name="switched on"),
                "secret": models.TextField(editable=False),
                "former_secret": models.TextField(default="", editable=False),
                "former_until": models.DateTimeField(editable=False, null=True),
                "created_at": models.DateTimeField(db_default=Now(), editable=False, verbose_name="created"),
                "held_until": models.DateTimeField(editable=False, null=True),
                "served_at": models.DateTimeField(editable=False, null=True),
            },
            named=("webhook", "webhooks"),
            ordering=["id"],
            indexes=[models.Index(fields=["topic"], name="kb_webhook_topic_idx")],
        )
    ],
)
DELIVERIES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_webhook_delivery (
    id bigserial PRIMARY KEY,
    webhook_id bigint NOT NULL REFERENCES kb_webhook (id) ON DELETE CASCADE,
    message_id uuid NOT NULL,
    event varchar(40) NOT NULL,
    body text NOT NULL,
    status varchar(20) NOT NULL DEFAULT 'waiting',
    created_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz NOT NULL DEFAULT now(),
    until timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    answer_status integer,
    fault varchar(20) NOT NULL DEFAULT '',
    ended_at timestamptz,
    CONSTRAINT kb_webhook_delivery_status_check CHECK (status IN ('waiting', 'delivered', 'given_up')),
    CONSTRAINT kb_webhook_delivery_ended_check CHECK ((status = 'waiting') = (ended_at IS NULL))
);
CREATE INDEX IF NOT EXISTS kb_webhook_delivery_log_idx ON kb_webhook_delivery (webhook_id, id);
CREATE INDEX IF NOT EXISTS kb_webhook_delivery_ended_idx ON kb_webhook_delivery (ended_at);
CREATE INDEX IF NOT EXISTS kb_webhook_delivery_due_idx ON kb_webhook_delivery (webhook_id, due_at, id)
    WHERE status = 'waiting';
CREATE INDEX IF NOT EXISTS kb_webhook_delivery_lost_idx ON kb_webhook_delivery (webhook_id) WHERE status = 'given_up';
""",
    state_operations=[
        model(
            "Delivery",
            "kb_webhook_delivery",
            {
                "id": number(),
                "webhook": to("webhooks.webhook", related_name="deliveries", verbose_name="webhook"),
                "message_id": models.UUIDField(default=uuid.uuid4, verbose_name="message"),
                "event": models.CharField(max_length=40, verbose_name="event"),
                "body": models.TextField(verbose_name="message"),
                "status": models.CharField(default="waiting", max_length=20, verbose_name="status"),
                "created_at": models.DateTimeField(db_default=Now(), verbose_name="created"),
                "due_at": models.DateTimeField(db_default=Now(), verbose_name="next attempt"),
                "until": models.DateTimeField(verbose_name="tried until"),
                "attempts": models.IntegerField(default=0, verbose_name="attempts"),
                "answer_status": models.IntegerField(null=True, verbose_name="status of the answer"),
                "fault": models.CharField(default="", max_length=20, verbose_name="fault"),
                "ended_at": models.DateTimeField(null=True, verbose_name="ended"),
            },
            named=("delivery", "deliveries"),
            ordering=["-id"],
            indexes=[
                models.Index(fields=["webhook", "id"], name="kb_webhook_delivery_log_idx"),
                models.Index(fields=["ended_at"], name="kb_webhook_delivery_ended_idx"),
                models.Index(
                    fields=["webhook", "due_at", "id"],
                    condition=Q(status="waiting"),
                    name="kb_webhook_delivery_due_idx",
                ),
                models.Index(fields=["webhook"], condition=Q(status="given_up"), name="kb_webhook_delivery_lost_idx"),
            ],
            constraints=[
                models.CheckConstraint(
                    condition=Q(status__in=["waiting", "delivered", "given_up"]),
                    name="kb_webhook_delivery_status_check",
                ),
                models.CheckConstraint(
                    condition=Q(ended_at=None, status="waiting") | Q(~Q(status="waiting"), ended_at__isnull=False),
                    name="kb_webhook_delivery_ended_check",
                ),
            ],
        )
    ],
)


class Migration(migrations.Migration):
    initial = True
    dependencies = [("topics", "008_keys_and_former_slugs")]
    operations = [WEBHOOKS, DELIVERIES, grant("kb_webhook", "kb_webhook_delivery")]
