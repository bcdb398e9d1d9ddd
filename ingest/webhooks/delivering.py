"""Deliver what the outbox holds (docs/adr/0017-webhooks.md).

A webhook is held by one sender at a time, so a receiver gets one message after another, the oldest that is due first.
One that fails waits, longer after each attempt, and holds up no other. A sender that is killed leaves the delivery
waiting. So each message arrives at least once.
"""

import logging
import time
from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, QuerySet
from django.db.models.functions import Greatest, Now

from ingest.webhooks import sending
from ingest.webhooks.models import Delivery, DeliveryFault, DeliveryStatus, Webhook
from ingest.webhooks.sending import DeliveryOutcome
from kb_project import audit
from kb_project.database.leases import Sender, held

logger = logging.getLogger(__name__)

RECEIVER = "the webhook's receiver"  # who switched it off, as the audit says it
PAUSE_S = 5.0  # of a webhook whose last attempt failed: whatever else waits for it would most likely fail too
OVERDUE_AFTER = timedelta(minutes=15)
MAX_FORGOTTEN = 10_000


class Deliveries(Sender[Webhook]):
    """Messages to the webhooks of topics."""

    at_once = BoundedSemaphore(settings.KB_WEBHOOK_SENDERS)
    order = (F("served_at").asc(nulls_first=True),)

    def due(self) -> QuerySet[Webhook]:
        return Webhook.objects.filter(Exists(due().filter(webhook=OuterRef("pk"))), enabled=True)

    def begin(self, webhook: Webhook) -> Mapping[str, Any]:
        return {"served_at": Now()}

    def serve(self, webhook: Webhook, ends: float) -> int:
        """Until something fails."""
        attempts, fails = 0, False
        while not fails and time.monotonic() < ends and self._hold(webhook) and (delivery := _oldest(webhook)):
            attempts += 1
            fails = not _attempt(webhook, delivery)
        pause = Now() + timedelta(seconds=PAUSE_S) if fails else None
        held(webhook).update(held_until=pause)
        return attempts

    def _hold(self, webhook: Webhook) -> bool:
        """Renew the lease, and read what may have changed. False when it is another's, switched off or gone."""
        if not held(webhook).filter(enabled=True).update(held_until=Now() + self.lease, served_at=Now()):
            return False
        webhook.refresh_from_db()
        return True


def due() -> QuerySet[Delivery]:
    """What waits and whose time has come, of webhooks that are switched on."""
    return Delivery.objects.filter(status=DeliveryStatus.WAITING, due_at__lte=Now(), webhook__enabled=True)


def overdue() -> list[tuple[str, timedelta]]:
    """The webhooks that nobody serves though something is due, and since when: no sender is at work.

    A receiver that refuses everything is served, however much waits for it.
    """
    waiting = due().order_by().values_list("webhook__url").annotate(since=Greatest(Min("due_at"), "webhook__served_at"))
    late = waiting.annotate(late=Now() - F("since")).filter(late__gt=OVERDUE_AFTER)
    return [(url, late_by) for url, _, late_by in late]


def tidy() -> int:
    """Forget what ended long ago, and give up what waits for a webhook that stays switched off. Returns how many."""
    idle = Delivery.objects.filter(status=DeliveryStatus.WAITING, until__lt=Now(), webhook__enabled=False)
    given_up = idle.update(status=DeliveryStatus.GIVEN_UP, fault=DeliveryFault.DISABLED, ended_at=Now())
    old = Delivery.objects.filter(ended_at__lt=Now() - timedelta(days=settings.KB_WEBHOOK_LOG_DAYS))
    forgotten, _ = Delivery.objects.filter(pk__in=old.values("pk")[:MAX_FORGOTTEN]).delete()
    return given_up + forgotten


def _oldest(webhook: Webhook) -> Delivery | None:
    return due().filter(webhook=webhook).order_by("due_at", "pk").first()


def _attempt(webhook: Webhook, delivery: Delivery) -> bool:
    """Send the message. Whether it arrived."""
    outcome = sending.send(webhook, message=delivery.message, body=delivery.body.encode())
    _record(delivery, outcome)
    if outcome.is_gone:
        _switch_off(webhook)
    elif outcome.retry_after_s:  # for all that waits, not for this message alone
        later = Now() + timedelta(seconds=outcome.retry_after_s)
        due().filter(webhook=webhook).update(due_at=later)
    return outcome.fault is None


@transaction.atomic
def _switch_off(webhook: Webhook) -> None:
    """The receiver has said that it is gone for good (410). A person may switch it on again."""
    if Webhook.objects.filter(pk=webhook.pk, url=webhook.url, enabled=True).update(enabled=False):
        after = {"enabled": False, "answer_status": int(HTTPStatus.GONE)}
        topic_id = webhook.topic_id
        audit.record(
            by=RECEIVER, action="webhook.edit", thing=webhook, before={"enabled": True}, after=after, topic_id=topic_id
        )
        logger.warning("Webhook %s is switched off: its receiver answers that it is gone", webhook.pk)


def _record(delivery: Delivery, outcome: DeliveryOutcome) -> None:
    waiting = Delivery.objects.filter(pk=delivery.pk, status=DeliveryStatus.WAITING)
    hopeless = waiting if outcome.is_gone else waiting.filter(until__lt=Now())
    told = {"attempts": F("attempts") + 1, "answer_status": outcome.status, "fault": outcome.fault or ""}
    if outcome.fault is None:
        waiting.update(**told, status=DeliveryStatus.DELIVERED, ended_at=Now())
    elif hopeless.update(**told, status=DeliveryStatus.GIVEN_UP, ended_at=Now()):
        logger.warning("Delivery %s to webhook %s was given up", delivery.message, delivery.webhook_id)
    else:
        wait_s = max(sending.wait_s(delivery.attempts), outcome.retry_after_s)
        waiting.update(**told, due_at=Now() + timedelta(seconds=wait_s))
