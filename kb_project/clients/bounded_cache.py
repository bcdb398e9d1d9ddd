"""Texts kept in Redis for a while and up to a number: the oldest go. While Redis does not answer, nothing is kept."""

import logging
import time
from dataclasses import dataclass
from typing import Any

import redis

from kb_project.clients.redis_client import shared_memory

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class BoundedCache:
    """`prefix` begins the keys, `ages` is where their ages are. A text of more than `largest` bytes is not kept."""

    prefix: str
    ages: str
    most: int
    largest: int

    def find(self, key: str) -> str | None:
        try:
            text: Any = shared_memory().get(self.prefix + key)
        except (redis.RedisError, OSError):
            return None
        return None if text is None else text.decode()

    def store(self, key: str, text: str, *, for_s: int) -> None:
        """Keep a text for so many seconds."""
        if len(text.encode()) > self.largest:
            return
        place = self.prefix + key
        try:
            client = shared_memory()
            client.set(place, text, ex=for_s)
            client.zadd(self.ages, {place: time.time()})
            client.expire(self.ages, for_s)
            if (surplus := client.zcard(self.ages) - self.most) > 0:
                oldest: Any = client.zpopmin(self.ages, surplus)
                client.delete(*(old for old, _ in oldest))
        except (redis.RedisError, OSError):
            logger.warning("Redis does not answer, so a text under %s is not kept", self.prefix)
