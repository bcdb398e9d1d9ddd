"""Which workers are alive, by the keys that they keep writing to the broker."""

from __future__ import annotations

import redis
from django.conf import settings

from kb_project.celery import HEARTBEAT_KEY

PATIENCE_S = 2


def live_workers() -> list[str]:
    """The names of the workers that reported within `HEARTBEAT_EXPIRES_S`. Raises `redis.RedisError`."""
    with redis.Redis.from_url(
        settings.CELERY_BROKER_URL, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S
    ) as client:
        keys = [key.decode("utf-8", "replace") for key in client.scan_iter(match=f"{HEARTBEAT_KEY}*", count=1000)]
    return sorted(key.removeprefix(HEARTBEAT_KEY) for key in keys)
