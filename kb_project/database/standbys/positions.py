"""How far a standby must have come before it is read: what was noted in Redis after changes, as positions in the WAL.

A hash holds the position of the last change of everything (`all`), of each topic since, and the highest of these
(`any`). Who finds it empty, or has just connected to Redis, which may have lost notes, takes the primary's position.
While something is being withdrawn everything is read from the primary: its commit is seen before its position is noted.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from functools import lru_cache, partial
from threading import Lock
from typing import Any, NamedTuple
from uuid import uuid4

import redis
from django.conf import settings
from django.db import connection, transaction
from redis.backoff import NoBackoff
from redis.client import Script
from redis.retry import Retry

from kb_project.database.standbys import configured

logger = logging.getLogger(__name__)

KEY = "kb:standby:positions"
ALL, ANY = "all", "any"
WITHDRAWING = "kb:standby:withdrawing"  # when Redis gives up each of the transactions that withdraw something
WITHDRAWN_WITHIN_S = 30.0
PATIENCE_S = 0.5  # with Redis
PAUSE_S = 2.0  # in which it is not asked again after it gave no answer
# No standby is read that may lack what is older, so whoever cannot note a change waits for so long.
STALE_AFTER_S = 5.0
NOTE = """
for index = 2, #ARGV do
    local noted = redis.call('HGET', KEYS[1], ARGV[index])
    if not noted or noted < ARGV[1] then redis.call('HSET', KEYS[1], ARGV[index], ARGV[1]) end
end
"""
# By the clock of Redis alone: those of two machines differ.
BEGIN = """
local now = redis.call('TIME')
local seconds = now[1] + now[2] / 1000000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', seconds)
redis.call('ZADD', KEYS[1], seconds + ARGV[2], ARGV[1])
"""
FIND = """
local now = redis.call('TIME')
local withdrawing = redis.call('ZCOUNT', KEYS[1], now[1] + now[2] / 1000000, '+inf')
return {withdrawing, redis.call('HMGET', KEYS[2], unpack(ARGV))}
"""
# After a commit that is flushed its own position, not that of what others are still writing: that reaches a standby
# only when it is flushed.
PRIMARY = """
SELECT ('x' || left(pg_walfile_name(at), 8))::bit(32)::bigint, at - '0/0'::pg_lsn,
    (SELECT system_identifier FROM pg_control_system())
FROM (SELECT CASE current_setting('synchronous_commit')
    WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS at) AS now
"""


class Position(NamedTuple):
    """A place in the write-ahead log: the timeline, which a promotion raises, and bytes."""

    timeline: int
    lsn: int

    def reaches(self, least: Position) -> bool:
        """Whether a server that has come here has what is needed.

        Of an older timeline it may have replayed less than was noted there.
        """
        return self.timeline >= least.timeline and self.lsn >= least.lsn

    def __str__(self) -> str:
        """Of a fixed width, so that texts compare as positions do."""
        return f"{self.timeline:08X}{self.lsn:016X}"

    @classmethod
    def parse(cls, text: bytes) -> Position:
        return cls(int(text[:8], 16), int(text[8:], 16))


class Withdrawing(Exception):
    """Somebody is withdrawing something, and nobody knows yet how far a standby must be."""


def of_primary() -> Position:
    """Where the primary is, everything that was committed included."""
    with connection.cursor() as cursor:
        cursor.execute(PRIMARY)
        timeline, lsn, _ = cursor.fetchone()
    return Position(timeline, int(lsn))


def require_reads_after_now(topic_id: int | None = None) -> None:
    """Have every read of the topic, or every read, wait for what was committed until now. Returns when that holds.

    Raises DatabaseError when the primary does not say how far it is.
    """
    position = of_primary()
    fields = [ANY, ALL if topic_id is None else str(topic_id)]
    try:
        _memory().note(position, fields)
    except (redis.RedisError, OSError):
        logger.warning("Redis does not answer, so a change waits until no standby is read that lacks it")
        time.sleep(STALE_AFTER_S)


def reads_wait_for_topic(topic_id: int) -> None:
    """Have the topic's reads wait for the caller's transaction, once it was committed."""
    if configured():
        transaction.on_commit(partial(require_reads_after_now, topic_id), robust=True)


def reads_wait_for_all() -> None:
    """Have every read wait for the caller's transaction. Until it was committed they go to the primary."""
    if not configured():
        return
    name = uuid4().hex
    with suppress(redis.RedisError, OSError):  # then nobody reads from a standby either
        _memory().begin(name)

    def end() -> None:
        require_reads_after_now()
        with suppress(redis.RedisError, OSError):
            _memory().end(name)

    transaction.on_commit(end, robust=True)


def required_position(topic_id: int | None) -> Position | None:
    """How far a standby must have come to be read for a topic, or for all. None where nobody knows."""
    fields = [ALL, ANY if topic_id is None else str(topic_id)]
    try:
        found, connections = _memory().find(fields)
        if found[0] is None or connections:
            position = of_primary()
            _memory().note(position, [ANY, ALL])
            _memory().trust(connections)
            return position
    except (Withdrawing, redis.RedisError, OSError):
        return None
    return max(Position.parse(text) for text in found if text)


class _Memory:
    """The hash in Redis, and whether connections were made to it since it was read last."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(
            url,
            socket_timeout=PATIENCE_S,
            socket_connect_timeout=PATIENCE_S,
            retry=Retry(NoBackoff(), 1),
            redis_connect_func=self._connected,
        )
        self._note: Script = self._client.register_script(NOTE)
        self._begin: Script = self._client.register_script(BEGIN)
        self._find: Script = self._client.register_script(FIND)
        self._lock = Lock()
        self._connections = 0
        self._trusted = 0
        self._asked_again_at = 0.0

    def _connected(self, connection: Any) -> None:
        connection.on_connect()
        with self._lock:
            self._connections += 1

    def note(self, position: Position, fields: list[str]) -> None:
        self._note(keys=[KEY], args=[str(position), *fields])

    def find(self, fields: list[str]) -> tuple[list[bytes | None], int]:
        """The positions in the fields, and how many connections have been made, 0 where none is new.

        With a new one another server may have answered than before.
        """
        if time.monotonic() < self._asked_again_at:
            raise redis.ConnectionError
        try:
            # At one moment: whoever is not withdrawing any more has noted it.
            withdrawing, found = self._find(keys=[WITHDRAWING, KEY], args=fields)
        except (redis.RedisError, OSError):
            self._asked_again_at = time.monotonic() + PAUSE_S
            raise
        if withdrawing:
            raise Withdrawing
        with self._lock:
            return found, self._connections if self._connections > self._trusted else 0

    def begin(self, name: str) -> None:
        self._begin(keys=[WITHDRAWING], args=[name, WITHDRAWN_WITHIN_S])

    def end(self, name: str) -> None:
        self._client.zrem(WITHDRAWING, name)

    def trust(self, connections: int) -> None:
        """What is found over these connections holds: the primary's position has been noted since."""
        with self._lock:
            self._trusted = max(self._trusted, connections)


@lru_cache(maxsize=1)
def _memory() -> _Memory:
    return _Memory(settings.REDIS_URL)
