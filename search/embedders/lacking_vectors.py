"""How many passages lack vectors, as searches tell it. Counted in the background: a search counts nothing."""

import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import redis
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from kb_project.clients.redis_client import shared_memory
from search.embedders import vector_progress

COUNTS_KEY = "kb:vectors:counts"  # of each topic: passages, and how many of them have vectors
COUNTED_KEY = "kb:vectors:counted"  # while it is there nobody counts again
AGAIN_AFTER_S = 4  # or after so many times as long as counting took
TIMES_AS_LONG = 20
TOLD_FOR = 15  # times as long as that: what is older is not told


@dataclass(frozen=True)
class LackingVectors:
    """Some passages of the topics searched can be found by their words only, as their vectors are still to be made.

    `passages` are all of these topics, `vectors` those that have one, by the last count. None where no count knows yet
    that some lack them.
    """

    passages: int | None = None
    vectors: int | None = None

    @property
    def said(self) -> str:
        if self.passages is None or self.vectors is None:
            return gettext("Some texts are found by their words only so far.")
        lacking = self.passages - self.vectors
        numbers = {"lacking": _shown(lacking), "passages": _shown(self.passages)}
        return (
            ngettext(
                "%(lacking)s of %(passages)s pieces of text is found by its words only so far.",
                "%(lacking)s of %(passages)s pieces of text are found by their words only so far.",
                lacking,
            )
            % numbers
        )


def _shown(number: int) -> str:
    return str(number_format(number, force_grouping=True))


def of_topics(topic_ids: Collection[int]) -> LackingVectors:
    """What is known of topics of which some passages are noted as lacking vectors."""
    unknown = LackingVectors()
    if not topic_ids:
        return unknown
    try:
        counts = shared_memory().hmget(COUNTS_KEY, [str(topic_id) for topic_id in topic_ids])
    except redis.RedisError:
        return unknown
    rows = [[int(number) for number in count.split()] for count in counts if count]
    passages, vectors = (sum(row[column] for row in rows) for column in (0, 1))
    return LackingVectors(passages, vectors) if vectors < passages else unknown


def count() -> None:
    """Count for searches, unless that was done a moment ago. Beat has it done while anything is noted."""
    with suppress(redis.RedisError):
        memory = shared_memory()
        if not memory.set(COUNTED_KEY, 1, nx=True, ex=AGAIN_AFTER_S * TOLD_FOR):
            return
        began = time.monotonic()
        counts: dict[Any, Any] = {
            str(one.topic_id): f"{one.passages} {one.vectors}" for one in vector_progress.counts()
        }
        again_s = max(AGAIN_AFTER_S, int(TIMES_AS_LONG * (time.monotonic() - began)))
        with memory.pipeline() as steps:
            steps.delete(COUNTS_KEY)
            if counts:
                steps.hset(COUNTS_KEY, mapping=counts)
                steps.expire(COUNTS_KEY, TOLD_FOR * again_s)
            steps.set(COUNTED_KEY, 1, ex=again_s)
            steps.execute()
