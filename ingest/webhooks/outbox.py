"""The outbox: what is to be told is written in the transaction of the change that it tells of."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from ingest.webhooks.models import PING, Delivery, DeliveryStatus, Event, Webhook
from kb_project.hints import send_hint

HINT_EXPIRES_S = 60.0
# The webhooks are held: one that is deleted meanwhile must not fail the change that is told of.
WRITE = """
WITH telling AS (
    SELECT id FROM kb_webhook
    WHERE enabled AND %(event)s = ANY(events) AND (topic_id IS NULL OR topic_id = %(topic_id)s) FOR KEY SHARE
)
INSERT INTO kb_webhook_delivery (webhook_id, message_id, event, body, until)
SELECT id, %(message_id)s, %(event)s, %(body)s, now() + %(tried_for)s FROM telling
"""


def announce(event: Event, *, topic_id: int, data: Mapping[str, Any]) -> int:
    """Have all webhooks told that want the event in this topic. Returns their number.

    Must run in the transaction of the change, so that neither is there without the other. `data` holds what Django's
    JSON encoder takes, and nothing about a person.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("What is announced belongs into the transaction of its change.")
    values = {"event": event.value, "topic_id": topic_id, "message_id": uuid4(), "tried_for": _tried_for()}
    parameters: Any = {**values, "body": message_body(event, data)}  # the stubs know no intervals
    with connection.cursor() as cursor:
        cursor.execute(WRITE, parameters)
        written = int(cursor.rowcount)
    if written:
        transaction.on_commit(hint)
    return written


def ping(webhook: Webhook) -> Delivery:
    """Have one webhook told that this is a test. The caller's transaction has locked its row."""
    body = message_body(PING, {"webhook_id": webhook.pk})
    delivery = Delivery.objects.create(webhook=webhook, event=PING, body=body, until=Now() + _tried_for())
    delivery.refresh_from_db()
    transaction.on_commit(hint)
    return delivery


def put_back(delivery: Delivery) -> None:
    """Have it sent once more, at once and then as long as a new one."""
    Delivery.objects.filter(pk=delivery.pk).update(
        status=DeliveryStatus.WAITING, ended_at=None, due_at=Now(), until=Now() + _tried_for()
    )
    delivery.refresh_from_db()
    transaction.on_commit(hint)


def hint() -> None:
    """Tell a worker that something is due. When the broker is away, beat does it later."""
    send_hint(settings.KB_WEBHOOK_TASK, expires=HINT_EXPIRES_S)


def _tried_for() -> timedelta:
    return timedelta(hours=settings.KB_WEBHOOK_RETRY_HOURS)


def message_body(event: str, data: Mapping[str, Any]) -> str:
    """A message as receivers get it. `data` holds what Django's JSON encoder takes."""
    message = {"type": str(event), "timestamp": timezone.now().isoformat(), "data": data}
    return json.dumps(message, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
