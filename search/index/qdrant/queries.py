"""In how many points a stem is, asked of Qdrant and remembered for a while."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

import numpy as np
from qdrant_client import models as q

from kb_project.database.rows import Query
from law.words.term_weights import SparseVector, term_ids
from search.index.protocol import NearestSearch, Vector
from search.index.qdrant.client import asking
from search.index.qdrant.collections import LAG, MEANING, WORDS, InUse, in_use
from search.index.qdrant.filters import filter_of
from search.index.stored import scoring
from search.index.stored.scoring import Candidates
from search.index.stored.similarities import search_chosen
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, WordQuery
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


CANDIDATES = 200
CANDIDATES_FOR_ONE = 2  # of the results that are asked for, if that is more


@dataclass(frozen=True, kw_only=True)
class NearPoints:
    """The points that seem nearest, and whether these are all in scope."""

    vector: Vector
    limit: int
    used: InUse
    inside: q.Filter
    ids: list[int]
    complete: bool

    @property
    def fresh(self) -> list[int]:
        return self.used.fresh

    def more(self, effort: int) -> NearPoints:
        return choose(self.vector, self.used, self.inside, limit=self.limit, effort=effort)


def search_by_meaning(vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
    """As `SearchIndex.nearest`. While a collection of another space is in use, all vectors in scope are compared."""
    used, inside = in_use(scope.topic_ids()), filter_of(scope)

    def chosen(asked: Vector) -> NearPoints | None:
        return choose(asked, used, inside, limit=limit) if used.space_id == space.pk else None

    return search_chosen(chosen, vector, space=space, scope=scope, limit=limit, lag=LAG, chooses_outside=True)


def choose(vector: Vector, used: InUse, inside: q.Filter, *, limit: int, effort: int = 1) -> NearPoints:
    """Enough for the `limit` nearest to be among them; `effort` times as many as are usually."""
    count = effort * max(CANDIDATES, CANDIDATES_FOR_ONE * limit)
    with asking() as client:
        found = client.query_points(
            used.name,
            query=vector.tolist(),
            using=MEANING,
            query_filter=inside,
            search_params=q.SearchParams(hnsw_ef=count),
            limit=count,
            with_payload=False,
        ).points
    ids = [int(point.id) for point in found]
    return NearPoints(vector=vector, limit=limit, used=used, inside=inside, ids=ids, complete=len(ids) < count)


def search_by_words(query: WordQuery, *, scope: Scope, limit: int, surely: int | None = None) -> Ranking:
    """As `SearchIndex.candidates`."""
    if not query.terms:
        return []
    if scope.narrows_sources and scope.sources()[1] <= scoring.SCORED_WHOLE:
        return scoring.score_whole(query, scope=scope, limit=limit)
    topic_ids = scope.topic_ids()
    used = in_use(topic_ids)
    vector, inside = sparse(query.vector), filter_of(scope)

    def choose(*, best: int, count: int) -> Candidates:
        with asking() as client:
            found = client.query_points(
                used.name, query=vector, using=WORDS, query_filter=inside, limit=count, with_payload=False
            ).points
        chunk_ids = [int(point.id) for point in found]
        return Candidates(chunk_ids=chunk_ids, fresh=used.fresh, complete=len(chunk_ids) < count)

    return scoring.score_chosen(query, choose, scope=scope, topic_ids=topic_ids, limit=limit, surely=surely, lag=LAG)


def sparse(vector: SparseVector) -> q.SparseVector:
    return q.SparseVector(indices=vector.indices.tolist(), values=vector.values.tolist())
