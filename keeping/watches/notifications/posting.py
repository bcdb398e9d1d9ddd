"""Posting to the webhooks of people: one message for each, of all that is new.

What fails is tried again as messages to the webhooks of topics are, and when nothing has arrived for as long as those
are tried, the webhook is switched off.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now
from django.utils import timezone, translation

from ingest.webhooks import sending
from ingest.webhooks.outbox import message_body
from ingest.webhooks.sending import DeliveryOutcome
from keeping.models import Watch, WatchWebhook
from keeping.watches.notifications.lines import Lines, NewsLine
from keeping.watches.notifications.sender import ToldPart, WatchSender, parts_of

EVENT = "watches.news"
log = logging.getLogger(__name__)


class Posts(WatchSender[WatchWebhook]):
    """Messages to the webhooks of people."""

    at_once = BoundedSemaphore(1)
    told = "posted_id"
    order = ("failures", F("sent_at").asc(nulls_first=True))

    def due(self) -> QuerySet[WatchWebhook]:
        """Those to which a message waits to be sent again, or that may be told of something."""
        unsaid = Watch.objects.filter(watcher=OuterRef("pk"), posted_id__lt=self.upto)
        wanted = Q(sending_id__isnull=False) | Q(Exists(unsaid))
        enabled = WatchWebhook.objects.filter(wanted, enabled=True, watcher__person__is_active=True)
        return enabled.select_related("watcher__person")

    def serve(self, webhook: WatchWebhook, ends: float) -> int:
        body = _body(webhook, self.lines)
        noted: dict[str, Any] = {}
        if body is not None:
            outcome = sending.send(webhook, message=f"watches_{webhook.pk}_{webhook.sending_id}", body=body)
            if outcome.fault is not None:
                self._put_off(webhook, outcome)
                return 1
            noted = {"answer_status": outcome.status, "sent_at": Now()}
        self.record(webhook, Watch.objects.filter(watcher=webhook.pk), failing_since=None, fault="", **noted)
        return 1

    def _put_off(self, webhook: WatchWebhook, outcome: DeliveryOutcome) -> None:
        lasting = timezone.now() - timedelta(hours=settings.KB_WEBHOOK_RETRY_HOURS)
        is_over = outcome.is_gone or (webhook.failing_since is not None and webhook.failing_since < lasting)
        noted: dict[str, Any] = {"answer_status": outcome.status, "fault": outcome.fault, "enabled": not is_over}
        noted["failing_since"] = Coalesce("failing_since", Now())
        wait_s = max(sending.wait_s(webhook.failures), outcome.retry_after_s)
        if self.put_off(webhook, wait_s, **noted) and is_over:
            log.warning("The webhook of watcher %s is switched off, as nothing arrives there", webhook.pk)


def _body(webhook: WatchWebhook, lines: Lines) -> bytes | None:
    """The message, in the language of the person, or None where there is nothing to tell them now."""
    watcher = webhook.watcher
    with translation.override(watcher.language):
        parts = parts_of(watcher, lines=lines, since="posted", upto=webhook.sending_id or 0)
        if not parts:
            return None
        return message_body(EVENT, {"watches": [_watch(one) for one in parts], "news": _news(parts)}).encode()


def _watch(part: ToldPart) -> dict[str, Any]:
    watch = part.watch
    return {"id": watch.pk, "kind": watch.kind, "name": part.name, "url": part.url, "left_out": part.more}


def _news(parts: Sequence[ToldPart]) -> list[dict[str, Any]]:
    """Each event once, the oldest first, with what each watch says of it."""
    found: dict[int, dict[str, Any]] = {}
    for part in parts:
        for line in part.lines:
            one = found.setdefault(line.news.event_id, _line(line, part.root))
            one["watches"].append({"id": part.watch.pk, "more": line.more})
    return [found[event_id] for event_id in sorted(found)]


def _line(line: NewsLine, root: str) -> dict[str, Any]:
    news = line.news
    of_event = {"id": news.event_id, "what": news.what, "at": news.at, "source_id": news.source_id}
    in_words = {"title": line.title, "said": line.said, "url": root + line.url}
    return {**of_event, "day": news.day, "ends": news.ends, **in_words, "watches": []}
