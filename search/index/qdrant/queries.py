"""In how many points a stem is, asked of Qdrant and remembered for a while."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np
from qdrant_client import models as q

from kb_project.database.rows import Query
from law.words.term_weights import term_ids
from search.index.qdrant.client import asking
from search.index.qdrant.collections import in_use
from search.ranking.word_query import TermCounts
from sources.scope import Scope

KEPT_S = 30.0  # what was counted; a stem that is nowhere is looked for each time
MOST_KEPT = 100_000  # counts of this process
AT_ONCE = 8  # requests of a search

_threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="counts")
_lock = Lock()
_kept: dict[tuple[str, str, tuple[object, ...]], tuple[float, int]] = {}


def count(stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
    """As `SearchIndex.count`."""
    topic_ids = scope.topic_ids()
    name = in_use(topic_ids).name
    hashes = np.array(stems, np.uint64)
    by_topic = [term_ids(hashes, topic_id).tolist() for topic_id in topic_ids]
    terms = list(zip(*by_topic, strict=True))
    chunks = _threads.submit(_count, name, "topic", [str(topic_id) for topic_id in topic_ids])
    found = _threads.map(lambda one: _count(name, "stems", list(one)), terms)
    by_stem = {stem: number for stem, number in zip(stems, found, strict=True) if number}
    counts = TermCounts(chunks.result(), by_stem)
    return Query("SELECT 1", {}, lambda _: counts)


def forget() -> None:
    """Have all counted again."""
    with _lock:
        _kept.clear()


def _count(name: str, key: str, values: list[int] | list[str]) -> int:
    """The number of points that have any of some values."""
    kept_as = (name, key, tuple(values))
    expires, number = _kept.get(kept_as, (0.0, 0))
    if expires < time.monotonic():
        number = _asked(name, q.FieldCondition(key=key, match=q.MatchAny(any=values)), exact=len(values) > 1)
        if number:
            with _lock:
                if len(_kept) >= MOST_KEPT:
                    _kept.clear()
                _kept[kept_as] = (time.monotonic() + KEPT_S, number)
    return number


def _asked(name: str, condition: q.FieldCondition, *, exact: bool) -> int:
    """One value is counted by the length of its posting list: what Qdrant gives when it need not be exact."""
    with asking() as client:
        return client.count(name, count_filter=q.Filter(must=[condition]), exact=exact).count
