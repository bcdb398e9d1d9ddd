"""What is kept in the Redis of the test run: its keys, and forgetting them between tests."""

import os

import redis

from kb_project.clients.redis_client import quick_client

PATIENCE_S = 60  # other processes may have the processor


def client() -> redis.Redis:
    """Of the run, whatever a test sets."""
    return quick_client(os.environ["REDIS_URL"], timeout_s=PATIENCE_S)


def keys_like(pattern: str) -> list[str]:
    """The keys that a pattern of Redis fits."""
    return [key.decode() for key in client().scan_iter(pattern)]


def forget(pattern: str) -> None:
    """Delete them."""
    if keys := keys_like(pattern):
        client().delete(*keys)
