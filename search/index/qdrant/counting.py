"""In how many chunks stems are: Qdrant's own idf of each tells, and one request asks for all."""

import math
import time
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from qdrant_client import models as q

from kb_project.database.rows import Query
from search.index.qdrant.client import ask, qdrant_errors, query_of
from search.index.qdrant.collections import STEMS, in_use
from search.index.qdrant.points import ANY_STEM, ids_of
from search.ranking.word_query import TermCounts
from sources.scope import Scope

KEPT_S = 30  # what was counted
NOWHERE_S = 5  # likewise, of a stem that no chunk has: the next document may
MOST_KEPT = 100_000  # counts of this process

_kept: dict[tuple[str, int], tuple[float, int]] = {}


def count(stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
    """As `SearchIndex.count`."""
    asked = [ANY_STEM, *stems]
    by_topic = [ids_of(asked, topic_id).view(np.uint32).tolist() for topic_id in scope.topic_ids()]
    known = _counts(in_use([]).name, {one for dimensions in by_topic for one in dimensions})
    chunks, *held = (sum(known[one] for one in dimensions) for dimensions in zip(*by_topic, strict=True))
    counts = TermCounts(chunks, {stem: number for stem, number in zip(stems, held, strict=True) if number})
    return Query("SELECT 1", {}, lambda _: counts)


def forget() -> None:
    """Have all counted again."""
    _kept.clear()
    _size.cache_clear()


def _counts(name: str, dimensions: Iterable[int]) -> dict[int, int]:
    """In how many points of a collection each dimension is."""
    now = time.monotonic()
    kept = {one: _kept.get((name, one), (0.0, 0)) for one in dimensions}
    counts = {one: number for one, (expires, number) in kept.items() if expires > now}
    missing = [one for one in kept if one not in counts]
    if missing:
        points, shards = _size(name, int(now / KEPT_S))
        vectors = (q.SparseVector(indices=[one], values=[1.0]) for one in missing)
        found = ask(name, *(query_of(vector, STEMS, limit=shards) for vector in vectors))
        counts |= {one: told_by([*hits.values()], points, shards) for one, hits in zip(missing, found, strict=True)}
        if len(_kept) > MOST_KEPT:
            _kept.clear()
        _kept.update({(name, one): (now + (KEPT_S if counts[one] else NOWHERE_S), counts[one]) for one in missing})
    return counts


def told_by(scores: Sequence[float], points: int, shards: int) -> int:
    """In how many points a dimension is: those that were found, or else what its idf tells, which is their score.

    Each shard reckons with its own points: ln(1 + (points - number + 0.5) / (number + 0.5)). To mistake the number of
    all points changes all the others alike, so that their weights stay as they are.
    """
    if len(scores) < shards:
        return len(scores)
    of_shard = (points / shards + 1) / math.exp(scores[0]) - 0.5
    return max(len(scores), round(shards * of_shard))


@lru_cache(maxsize=1)
def _size(name: str, turn: int) -> tuple[int, int]:
    """How many points a collection has, and in how many shards. Asked for again with each `turn`."""
    with qdrant_errors() as client:
        told = client.get_collection(name)
    return told.points_count or 0, told.config.params.shard_number or 1
