"""In how many points a stem is, asked of Qdrant and remembered for a while."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np
from qdrant_client import models as q

from kb_project.database.rows import Query
from search.index.qdrant.client import asking
from search.index.qdrant.collections import in_use
from search.ranking.term_weights import term_ids
from search.ranking.word_query import TermCounts
from search.scope import Scope

KEPT_S = 30.0  # what was counted; a stem that is nowhere is looked for each time
MOST_KEPT = 100_000  # counts of this process
AT_ONCE = 8  # requests of a search

_threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="counts")
_lock = Lock()
_kept: dict[tuple[str, tuple[int, ...]], tuple[float, int]] = {}


def count(stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
    """As `SearchIndex.count`."""
    topic_ids = scope.topic_ids()
    name = in_use(topic_ids).name
    hashes = np.array(stems, np.uint64)
    by_topic = [term_ids(hashes, topic_id).tolist() for topic_id in topic_ids]
    terms = list(zip(*by_topic, strict=True)) if stems else []
    wanted = [_Count(name, one, key="stems") for one in terms]
    whole = _Count(name, tuple(topic_ids), key="topic")
    chunks, *found = _threads.map(_Count.read, [whole, *wanted])
    counts = TermCounts(chunks, {stem: number for stem, number in zip(stems, found, strict=True) if number})
    return Query("SELECT 1", {}, lambda _: counts)


def forget() -> None:
    """Have all counted again."""
    with _lock:
        _kept.clear()


class _Count:
    """The number of points that have any of some values."""

    def __init__(self, name: str, values: tuple[int, ...], *, key: str) -> None:
        self._name, self._values, self._key = name, values, key

    def read(self) -> int:
        kept_as = (f"{self._name} {self._key}", self._values)
        expires, number = _kept.get(kept_as, (0.0, 0))
        if expires < time.monotonic():
            number = self._asked()
            if number:
                with _lock:
                    if len(_kept) >= MOST_KEPT:
                        _kept.clear()
                    _kept[kept_as] = (time.monotonic() + KEPT_S, number)
        return number

    def _asked(self) -> int:
        """One value is counted by the length of its posting list: what Qdrant gives when it need not be exact."""
        with asking() as client:
            exact = len(self._values) > 1
            return client.count(self._name, count_filter=q.Filter(must=[*self._condition()]), exact=exact).count

    def _condition(self) -> Iterator[q.FieldCondition]:
        values: list[int] | list[str] = list(self._values)
        if self._key == "topic":
            values = [str(value) for value in self._values]
        match = q.MatchValue(value=values[0]) if len(values) == 1 else q.MatchAny(any=values)
        yield q.FieldCondition(key=self._key, match=match)
