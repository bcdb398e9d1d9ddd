"""The workers: how a classifier is started, and which ones are alive, by the keys that they write to the broker."""

from __future__ import annotations

import sys

import redis
from django.conf import settings

from kb_project.celery import HEARTBEAT_KEY

PATIENCE_S = 2


def classifier_command(*, hostname: str) -> list[str]:
    """The command line of the worker that classifies: threads, since all that it does is to wait for others.

    Documents are read in child processes there too. `hostname` is its name among the workers, `%h` in it the machine's.
    """
    return [
        *(sys.executable, "-m", "celery", "-A", "kb_project", "worker"),
        *("--pool", "threads", "--concurrency", str(settings.KB_CLASSIFY_CONCURRENCY)),
        *("--queues", settings.KB_CLASSIFY_QUEUE, "--hostname", hostname),
        *("--loglevel", "INFO", "--without-gossip", "--without-mingle"),
    ]


def live_workers() -> dict[str, str]:
    """The workers that reported within `HEARTBEAT_EXPIRES_S`, by name, with their queues. Raises `redis.RedisError`."""
    with redis.Redis.from_url(
        settings.CELERY_BROKER_URL, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S
    ) as client:
        keys = list(client.scan_iter(match=f"{HEARTBEAT_KEY}*", count=1000))
        found = zip(keys, client.mget(keys) if keys else (), strict=True)
        return {
            key.decode("utf-8", "replace").removeprefix(HEARTBEAT_KEY): queues.decode("utf-8", "replace")
            for key, queues in found
            if queues is not None  # it expired meanwhile
        }
