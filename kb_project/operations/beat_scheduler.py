"""The scheduler of beat, of which any number may run (docs/adr/0024-any-number-of-beats.md)."""

import logging
from typing import Any

import redis
from celery.beat import ScheduleEntry, Scheduler
from django.conf import settings
from django.utils import timezone

from kb_project.clients.redis_client import quick_client

log = logging.getLogger(__name__)

SENT_KEY = "kb:beat:sent:"  # then the name of the entry
PATIENCE_S = 2.0
EARLY = 0.1  # of the time between two looks: a beat must not miss its own period by a few milliseconds


def sent_key(name: str) -> str:
    """What Redis keeps while an entry of this name counts as sent."""
    day = f":{timezone.localdate()}" if name in settings.KB_BEAT_AT_MIDNIGHT else ""
    return f"{SENT_KEY}{name}{day}"


class SharedScheduler(Scheduler):
    """Sends an entry when no beat has sent it within its period.

    Every beat looks at every entry, and the first that notes it in Redis sends it. So there is no leader, and nothing
    to take over when a beat dies. Redis is the broker too: a beat that does not reach it could send nothing either.
    """

    producer = None  # those of the pool: beat's own waits for a broker that is away, in the end half a minute at a time
    _is_away = False

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        if self._is_due_for_all(entry):
            super().apply_entry(entry, producer=producer)

    def _is_due_for_all(self, entry: ScheduleEntry) -> bool:
        """Whether no beat has sent it within its period. It then counts as sent by this one.

        What is sent at midnight has a period of its own on each local day.
        """
        client = quick_client(settings.CELERY_BROKER_URL, timeout_s=PATIENCE_S)
        kept_s = settings.KB_BEAT_PERIODS_S[entry.name] - EARLY * entry.schedule.seconds
        try:
            noted = client.set(sent_key(entry.name), 1, nx=True, px=max(1, round(kept_s * 1000)))
        except redis.RedisError as error:
            if not self._is_away:
                log.warning("Redis is away; nothing is sent until it is back: %s", error)
            self._is_away = True
            return False
        self._is_away = False
        return bool(noted)
