"""Throttles by client: the same API key, account or address is one client, on every web process together."""

from __future__ import annotations

import logging
import math
import time
from functools import lru_cache
from typing import TYPE_CHECKING

import redis
from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from kb_project.api.rates import parse_rate
from kb_project.clients.redis_client import QuickScript, quick_client

if TYPE_CHECKING:  # that module reads the settings, which may name this one
    from rest_framework.views import APIView

logger = logging.getLogger(__name__)

# Counts a request in every scope, or in none if one refuses it: a refused request neither pushes the end of the wait
# away nor uses up the other scopes. A scope has two keys (the last period's counter, then the running one's) and three
# arguments (limit, period, the seconds of it that have passed). Of a refused request it says of each scope: counted
# before, counted now, let through.
COUNT = """
local answers, all = {}, true
for scope = 0, #KEYS / 2 - 1 do
    local limit, period, elapsed = unpack(ARGV, 3 * scope + 1, 3 * scope + 3)
    local before = tonumber(redis.call('GET', KEYS[2 * scope + 1]) or 0)
    local count = tonumber(redis.call('GET', KEYS[2 * scope + 2]) or 0)
    local allowed = before * (1 - elapsed / period) + count + 1 <= tonumber(limit)
    all = all and allowed
    answers[scope + 1] = {before, count, allowed and 1 or 0}
end
if not all then return answers end
for scope = 0, #KEYS / 2 - 1 do
    local running = KEYS[2 * scope + 2]
    redis.call('INCR', running)
    redis.call('EXPIRE', running, 2 * ARGV[3 * scope + 2])
end
return {}
"""


class ClientThrottle(BaseThrottle):
    """A sliding window over two counters for each scope: the last full period, fading out, and the one that runs.

    Counters are raised atomically, which DRF's own list of timestamps is not: parallel requests cannot slip through.
    All scopes of a request are one round trip. When Redis is away requests are let through. Being down would be worse
    than being generous.
    """

    scopes: tuple[str, ...] = ()
    seconds = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        configured = api_settings.DEFAULT_THROTTLE_RATES
        rates = [(scope, *parse_rate(str(configured.get(scope) or ""))) for scope in self.scopes]
        now, client = time.time(), self.client(request)
        keys: list[str] = []
        limits: list[tuple[int, int, float]] = []
        for scope, limit, period in rates:
            if limit is None:
                continue
            number, elapsed = divmod(now, period)
            key = f"kb:throttle:{scope}:{client}:{period}"
            keys += [f"{key}:{number - 1:.0f}", f"{key}:{number:.0f}"]
            limits.append((limit, period, elapsed))
        if not limits:
            return True
        try:
            answers = _count(settings.REDIS_URL)(keys=keys, values=[value for given in limits for value in given])
        except (redis.RedisError, OSError) as error:
            logger.warning("Redis does not answer, so nobody is throttled: %s", error)
            return True
        if not answers:
            return True
        self.seconds = max(
            _wait(limit, period, elapsed, before, count) if not allowed else 0.0
            for (limit, period, elapsed), (before, count, allowed) in zip(limits, answers, strict=True)
        )
        return False

    def wait(self) -> float:
        """Seconds until the next request would be let through."""
        return self.seconds

    def client(self, request: Request | HttpRequest) -> str:
        """The person, key or address that asks."""
        user = request.user
        if user is not None and user.is_authenticated:
            return getattr(user, "client_id", None) or f"user:{user.pk}"
        return f"address:{self.get_ident(request)}"  # type: ignore[arg-type]  # it reads META alone


class PublicThrottle(ClientThrottle):
    """For everything under /kb: `KB_THROTTLE_ANON`."""

    scopes = ("anon",)


class ReadingThrottle(ClientThrottle):
    """For what a page fetches while it is read, beside PublicThrottle: `KB_THROTTLE_READING`."""

    scopes = ("reading",)


class SearchThrottle(ClientThrottle):
    """For search, in place of PublicThrottle: `KB_THROTTLE_ANON` and `KB_THROTTLE_SEARCH`."""

    scopes = ("anon", "search")


class AskThrottle(ClientThrottle):
    """For ask and its stream, in place of PublicThrottle: `KB_THROTTLE_ANON` and `KB_THROTTLE_ASK`."""

    scopes = ("anon", "ask")


class CheckThrottle(ClientThrottle):
    """For checks of texts, in place of PublicThrottle: `KB_THROTTLE_ANON` and `KB_THROTTLE_CHECK`."""

    scopes = ("anon", "check")


@lru_cache(maxsize=8)
def _count(url: str) -> QuickScript:
    return QuickScript(quick_client(url, timeout_s=settings.REDIS_PATIENCE_S), COUNT)


def _wait(limit: int, period: int, elapsed: float, before: int, count: int) -> float:
    """Seconds until the two counters leave room for one more request, if nobody else makes one."""
    if count < limit and before:
        room_at = 1 - (limit - count - 1) / before  # the part of this period after which the last one has faded
        return max(1.0, math.ceil(room_at * period - elapsed))
    fading = 1 - (limit - 1) / count if count and limit else 1.0
    return max(1.0, math.ceil(period - elapsed + fading * period))
