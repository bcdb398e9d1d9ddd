"""Deliver what the outbox holds (docs/adr/0017-webhooks.md).

A webhook is held by one sender at a time, so a receiver gets one message after another, the oldest that is due first.
One that fails waits, longer after each attempt, and holds up no other. A sender that is killed leaves the delivery
waiting, and the webhook to the next sender when its lease has ended. So each message arrives at least once.
"""

import logging
import time
from datetime import timedelta
from http import HTTPStatus
from threading import BoundedSemaphore

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Greatest, Now

from ingest.webhooks import sending
from ingest.webhooks.models import Delivery, DeliveryFault, DeliveryStatus, Webhook
from ingest.webhooks.sending import DeliveryOutcome
from kb_project import audit

logger = logging.getLogger(__name__)

RECEIVER = "the webhook's receiver"  # who switched it off, as the audit says it
TURN_S = 20.0
PAUSE_S = 5.0  # of a webhook whose last attempt failed: whatever else waits for it would most likely fail too
OVERDUE_AFTER = timedelta(minutes=15)
MOST_FORGOTTEN = 10_000
_senders = BoundedSemaphore(settings.KB_WEBHOOK_SENDERS)


def deliver(*, turn_s: float = TURN_S) -> int:
    """Send what is due, for about `turn_s` seconds. Returns the number of attempts."""
    if not _senders.acquire(blocking=False):
        return 0  # as many are at it as may be, and they go on until nothing is due
    try:
        ends, attempts = time.monotonic() + turn_s, 0
        while time.monotonic() < ends and (webhook := _take()):
            attempts += _serve(webhook, ends)
        return attempts
    finally:
        _senders.release()


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
    forgotten, _ = Delivery.objects.filter(pk__in=old.values("pk")[:MOST_FORGOTTEN]).delete()
    return given_up + forgotten


@transaction.atomic
def _take() -> Webhook | None:
    """The webhook that was served longest ago of those that nobody holds and for which something is due."""
    waiting = due().filter(webhook=OuterRef("pk"))
    free = Webhook.objects.filter(Q(held_until=None) | Q(held_until__lt=Now()), Exists(waiting), enabled=True)
    locked = free.select_for_update(skip_locked=True, no_key=True)
    webhook = locked.order_by(F("served_at").asc(nulls_first=True), "pk").first()
    if webhook is not None:
        webhook.held_until, webhook.served_at = _lease(), Now()
        webhook.save(update_fields=["held_until", "served_at"])
        webhook.refresh_from_db()
    return webhook


def _lease() -> CombinedExpression:
    """By the database's clock, as the clocks of machines differ."""
    return Now() + timedelta(seconds=2 * settings.KB_WEBHOOK_TIMEOUT_S)


def _serve(webhook: Webhook, ends: float) -> int:
    """Send what is due to the webhook until something fails. Returns the number of attempts."""
    attempts, fails = 0, False
    while not fails and time.monotonic() < ends and _hold(webhook) and (delivery := _oldest(webhook)):
        attempts += 1
        fails = not _attempt(webhook, delivery)
    pause = Now() + timedelta(seconds=PAUSE_S) if fails else None
    _held(webhook).update(held_until=pause)
    return attempts


def _held(webhook: Webhook) -> QuerySet[Webhook]:
    """The webhook, unless its lease has ended meanwhile and another sender has it."""
    return Webhook.objects.filter(pk=webhook.pk, held_until=webhook.held_until)


def _hold(webhook: Webhook) -> bool:
    """Renew the lease, and read what may have changed. False when the webhook is another's, switched off or gone."""
    if not _held(webhook).filter(enabled=True).update(held_until=_lease(), served_at=Now()):
        return False
    webhook.refresh_from_db()
    return True


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
