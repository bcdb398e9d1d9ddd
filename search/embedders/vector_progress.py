"""How far the vectors are that follow the documents, and how fast they are made."""

import contextlib
import logging
import time
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import redis
from django.db import DatabaseError
from django.utils import translation

from kb_project.clients.redis_client import shared_memory
from kb_project.database.rows import fetch
from search.embedders import vector_notes, why_by_words

SPEED_KEY = "kb:vectors:speed"  # passages a second
SPEED_KEPT_S = 3600
_SMOOTHED = 0.8  # of the speed before, in the speed now
TOLD_FOR_S = 10.0  # to probes, which anybody may send: to count vectors takes long while many are made
# Nothing lacks vectors while nothing is noted, and then they need no counting.
_PASSAGES = """
SELECT topic_id, sum(chunk_count)::bigint, sum(chunk_count)::bigint FROM kb_source WHERE chunk_count > 0
GROUP BY topic_id ORDER BY 1
"""
# What lacks vectors is noted: only the passages of noted sources are looked at.
_COUNTS = """
SELECT held.topic_id, held.passages, greatest(held.passages - coalesce(lacking.passages, 0), 0) FROM (
    SELECT topic_id, sum(chunk_count)::bigint AS passages FROM kb_source WHERE chunk_count > 0 GROUP BY topic_id
) AS held LEFT JOIN (
    SELECT c.topic_id, count(*) AS passages FROM (SELECT DISTINCT source_id FROM kb_vector_work) AS noted
    JOIN kb_chunk c ON c.source_id = noted.source_id
    WHERE NOT EXISTS (
        SELECT FROM kb_chunk_embedding e WHERE e.chunk_id = c.id
        AND e.space_id = (SELECT id FROM kb_embedding_space WHERE active)
    ) GROUP BY c.topic_id
) AS lacking USING (topic_id) ORDER BY 1
"""


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TopicVectors:
    """How many passages a topic has, and of how many the meaning is known."""

    topic_id: int
    passages: int
    vectors: int


@dataclass(frozen=True)
class VectorProgress:
    """How many passages there are, of how many the meaning is known, and in how many seconds of all, if that is known.

    `topics` are those that lack some.
    """

    passages: int
    vectors: int
    seconds_left: float | None
    topics: tuple[TopicVectors, ...]

    @property
    def is_complete(self) -> bool:
        return not self.topics

    @property
    def minutes_left(self) -> int | None:
        """Rounded up."""
        return None if self.seconds_left is None else max(1, -int(-self.seconds_left // 60))


def counts() -> list[TopicVectors]:
    """Of each topic that has passages."""
    return [TopicVectors(*row) for row in fetch(_COUNTS if vector_notes.exist() else _PASSAGES, [])]


def progress(topic_ids: Collection[int] | None = None) -> VectorProgress:
    """Of some topics, or of all."""
    topics = counts()
    counted = [one for one in topics if topic_ids is None or one.topic_id in topic_ids]
    passages, vectors = sum(one.passages for one in counted), sum(one.vectors for one in counted)
    behind = tuple(one for one in counted if one.vectors < one.passages)
    speed = _speed() if behind else None
    left = sum(one.passages - one.vectors for one in topics)
    return VectorProgress(passages, vectors, left / speed if speed else None, behind)


def told() -> dict[str, Any] | None:
    """For `/readyz`, at most `TOLD_FOR_S` seconds old. None when the database does not answer."""
    return _told(int(time.monotonic() // TOLD_FOR_S))


@lru_cache(maxsize=1)
def _told(moment: int) -> dict[str, Any] | None:
    try:
        found = progress()
    except DatabaseError:
        log.warning("The progress of the vectors could not be read", exc_info=True)
        return None
    with translation.override("en"):
        why = why_by_words()
        by_words = None if why is None else str(why)
    return {
        "passages": found.passages,
        "vectors": found.vectors,
        "seconds_left": found.seconds_left,
        "by_words": by_words,
    }


def note_speed(speed: float) -> None:
    """Remember how many passages a second a batch made."""
    with contextlib.suppress(redis.RedisError):
        before = _speed()
        smoothed = speed if before is None else _SMOOTHED * before + (1 - _SMOOTHED) * speed
        shared_memory().set(SPEED_KEY, smoothed, ex=SPEED_KEPT_S)


def _speed() -> float | None:
    try:
        noted = shared_memory().get(SPEED_KEY)
    except redis.RedisError:
        return None
    return float(noted) if noted else None
