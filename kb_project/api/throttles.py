"""Throttles by client: the same API key, account or address is one client, on every web process together."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING

import redis
from django.conf import settings
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from kb_project.redis_client import quick_client

if TYPE_CHECKING:  # that module reads the settings, which may name this one
    from rest_framework.views import APIView

logger = logging.getLogger(__name__)

PERIODS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class ClientThrottle(BaseThrottle):
    """A sliding window over two counters: the last full period, fading out, and the one that runs.

    Counters are raised atomically, which DRF's own list of timestamps is not: parallel requests cannot slip through.
    When Redis is away requests are let through; being down would be worse than being generous.
    """

    scope = ""
    seconds = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        limit, period = parse_rate(str(api_settings.DEFAULT_THROTTLE_RATES.get(self.scope) or ""))
        if limit is None:
            return True
        now = time.time()
        number, elapsed = divmod(now, period)
        key = f"kb:throttle:{self.scope}:{self.client(request)}:{period}"
        running, last = f"{key}:{number:.0f}", f"{key}:{number - 1:.0f}"
        try:
            store = quick_client(settings.REDIS_URL, timeout_s=1)
            with store.pipeline(transaction=False) as pipeline:
                pipeline.get(last)
                pipeline.incr(running)
                pipeline.expire(running, 2 * period)
                before, count, _ = pipeline.execute()
            before = int(before or 0)
            allowed = before * (1 - elapsed / period) + count <= limit
            if not allowed:
                count = store.decr(running)  # a refused request does not push the end of the wait away
        except (redis.RedisError, OSError) as error:
            logger.warning("Redis does not answer, so nobody is throttled: %s", error)
            return True
        self.seconds = _wait(limit, period, elapsed, before, count)
        return allowed

    def wait(self) -> float:
        """Seconds until the next request would be let through."""
        return self.seconds

    def client(self, request: Request) -> str:
        user = request.user
        if user is not None and user.is_authenticated:
            return getattr(user, "client_id", None) or f"user:{user.pk}"
        return f"address:{self.get_ident(request)}"


class PublicThrottle(ClientThrottle):
    """For everything under /kb: `KB_THROTTLE_ANON`."""

    scope = "anon"


class SearchThrottle(ClientThrottle):
    """For search, besides PublicThrottle: `KB_THROTTLE_SEARCH`."""

    scope = "search"


class AskThrottle(ClientThrottle):
    """For ask and its stream, besides PublicThrottle: `KB_THROTTLE_ASK`."""

    scope = "ask"


def parse_rate(rate: str) -> tuple[int | None, int]:
    """`300/min` as (300, 60); an empty rate means no limit. Raises ValueError for anything else."""
    if not rate:
        return None, 1
    number, _slash, period = rate.partition("/")
    if period[:1] not in PERIODS:
        raise ValueError(f"“{rate}” is not a rate such as 300/min")
    return int(number), PERIODS[period[:1]]


def _wait(limit: int, period: int, elapsed: float, before: int, count: int) -> float:
    """Seconds until the two counters leave room for one more request, if nobody else makes one."""
    if count < limit and before:
        room_at = 1 - (limit - count - 1) / before  # the part of this period after which the last one has faded
        return max(1.0, math.ceil(room_at * period - elapsed))
    fading = 1 - (limit - 1) / count if count and limit else 1.0
    return max(1.0, math.ceil(period - elapsed + fading * period))
