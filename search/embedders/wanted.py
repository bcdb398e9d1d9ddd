"""Passages that people found by their words of late and that had no vector: theirs are made before all others.

They are noted in Redis, where they may be lost: then their turn comes later. A search waits for none of it.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import redis

from kb_project.clients.redis_client import shared_memory

KEY = "kb:vectors:wanted"  # ids of passages by when they were found
WITHIN_S = 3600
MAX_KEPT = 1_000  # the newest

log = logging.getLogger(__name__)
_lock = threading.Lock()
_found: dict[int, float] = {}
_writing = ThreadPoolExecutor(1, thread_name_prefix="wanted-vectors")


def note(chunk_ids: Collection[int]) -> None:
    """Have their vectors made soon."""
    if not chunk_ids:
        return
    with _lock:
        is_due = not _found
        if len(_found) < MAX_KEPT:
            _found.update(dict.fromkeys(chunk_ids, time.time()))
    if is_due:
        _writing.submit(_write)


def newest() -> list[int]:
    """The ids of passages, those first that were found last, none where Redis is away."""
    try:
        found: Any = shared_memory().zrevrangebyscore(KEY, "+inf", time.time() - WITHIN_S, start=0, num=MAX_KEPT)
    except redis.RedisError:
        return []
    return [int(pk) for pk in found]


def forget(chunk_ids: Collection[int]) -> None:
    if chunk_ids:
        with contextlib.suppress(redis.RedisError):
            shared_memory().zrem(KEY, *chunk_ids)


def _write() -> None:
    with _lock:
        found = {str(pk): at for pk, at in _found.items()}
        _found.clear()
    try:
        pipeline = shared_memory().pipeline(transaction=False)
        pipeline.zadd(KEY, found)
        pipeline.zremrangebyrank(KEY, 0, -MAX_KEPT - 1)
        pipeline.expire(KEY, WITHIN_S)
        pipeline.execute()
    except redis.RedisError:
        log.warning("What lacks vectors and was found could not be noted", exc_info=True)
