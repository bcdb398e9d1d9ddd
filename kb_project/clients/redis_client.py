"""One Redis client for all threads, for what a request cannot wait long for."""

from functools import lru_cache

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry


@lru_cache(maxsize=8)
def quick_client(url: str, *, timeout_s: float) -> redis.Redis:
    """Gives up after `timeout_s` seconds. Only a connection that has ended is made anew, once.

    Django's cache would make a client for every request.
    """
    again = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    return redis.Redis.from_url(url, socket_timeout=timeout_s, socket_connect_timeout=timeout_s, retry=again)


def shared_memory() -> redis.Redis:
    """`REDIS_URL`, for what processes tell each other and can do without: half a second is waited for it."""
    return quick_client(settings.REDIS_URL, timeout_s=0.5)
