"""024 webhooks: makes kb_webhook, and kb_webhook_delivery, the outbox of what they are told."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Now

from kb_project.configuration.roles import ensure_roles
from kb_project.database.migration_sql import grant, sql

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
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "topic",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="topics.topic",
                        verbose_name="topic",
                    ),
                ),
                ("url", models.CharField(max_length=500, verbose_name="address")),
                (
                    "events",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), size=None, verbose_name="events"
                    ),
                ),
                ("enabled", models.BooleanField(default=True, verbose_name="switched on")),
                ("secret", models.TextField(editable=False)),
                ("former_secret", models.TextField(default="", editable=False)),
                ("former_until", models.DateTimeField(editable=False, null=True)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False, verbose_name="created")),
                ("held_until", models.DateTimeField(editable=False, null=True)),
                ("served_at", models.DateTimeField(editable=False, null=True)),
            ],
            options={
                "db_table": "kb_webhook",
                "verbose_name": "webhook",
                "verbose_name_plural": "webhooks",
                "ordering": ["id"],
                "indexes": [models.Index(fields=["topic"], name="kb_webhook_topic_idx")],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="deliveries",
                        to="webhooks.webhook",
                        verbose_name="webhook",
                    ),
                ),
                ("message_id", models.UUIDField(default=uuid.uuid4, verbose_name="message")),
                ("event", models.CharField(max_length=40, verbose_name="event")),
                ("body", models.TextField(verbose_name="message")),
                ("status", models.CharField(default="waiting", max_length=20, verbose_name="status")),
                ("created_at", models.DateTimeField(db_default=Now(), verbose_name="created")),
                ("due_at", models.DateTimeField(db_default=Now(), verbose_name="next attempt")),
                ("until", models.DateTimeField(verbose_name="tried until")),
                ("attempts", models.IntegerField(default=0, verbose_name="attempts")),
                ("answer_status", models.IntegerField(null=True, verbose_name="status of the answer")),
                ("fault", models.CharField(default="", max_length=20, verbose_name="fault")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended")),
            ],
            options={
                "db_table": "kb_webhook_delivery",
                "verbose_name": "delivery",
                "verbose_name_plural": "deliveries",
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["webhook", "id"], name="kb_webhook_delivery_log_idx"),
                    models.Index(fields=["ended_at"], name="kb_webhook_delivery_ended_idx"),
                    models.Index(
                        condition=models.Q(("status", "waiting")),
                        fields=["webhook", "due_at", "id"],
                        name="kb_webhook_delivery_due_idx",
                    ),
                    models.Index(
                        condition=models.Q(("status", "given_up")),
                        fields=["webhook"],
                        name="kb_webhook_delivery_lost_idx",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["waiting", "delivered", "given_up"])),
                        name="kb_webhook_delivery_status_check",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at", None), ("status", "waiting")),
                            models.Q(models.Q(("status", "waiting"), _negated=True), ("ended_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="kb_webhook_delivery_ended_check",
                    ),
                ],
            },
        ),
    ],
)


def make_roles(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    ensure_roles(apps, editor.connection.alias)


class Migration(migrations.Migration):
    initial = True
    dependencies = [("topics", "008_keys_and_former_slugs"), ("kb_project", "013_audit_and_roles")]
    operations = [
        WEBHOOKS,
        grant("kb_webhook", "kb_webhook_delivery"),
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
