"""Choosing chunks by their words and by their meaning, in one request where both are asked for."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future

from qdrant_client import models as q

from law.words.term_weights import SparseVector
from search.index.chunk_store import scoring
from search.index.chunk_store.scoring import Candidates
from search.index.chunk_store.similarities import DenseQuery, compare_all, compare_chosen
from search.index.protocol import Nearest, NearestSearch, Vector
from search.index.qdrant.client import ask, query_of
from search.index.qdrant.collections import LAG, MEANING, WORDS, InUse, in_use
from search.index.qdrant.points import filter_of
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import WordQuery
from sources.scope import Scope

CANDIDATES = 200
CANDIDATES_FOR_ONE = 2  # of the results that are asked for, if that is more


class NearPoints:
    """The points that seem nearest to a query's vector. They are asked for when they are wanted, if not before."""

    def __init__(self, vector: Future[Vector], used: InUse, inside: q.Filter, count: int) -> None:
        self.vector, self.used, self.fresh = vector, used, used.fresh
        self._inside, self._count = inside, count
        self._ids: list[int] | None = None

    @property
    def ids(self) -> list[int]:
        if self._ids is None:
            self.take(*ask(self.used.name, [self.query]))
        return self._ids or []

    @property
    def complete(self) -> bool:
        """Whether these are all in scope."""
        return len(self.ids) < self._count

    @property
    def query(self) -> q.QueryRequest:
        vector, count = self.vector.result().tolist(), self._count
        return query_of(vector, MEANING, inside=self._inside, limit=count, ef=count)

    @property
    def may_be_asked_for(self) -> bool:
        return self._ids is None and self.vector.done() and self.vector.exception() is None

    def take(self, points: list[q.ScoredPoint]) -> None:
        self._ids = [int(point.id) for point in points]

    def more(self, effort: int) -> NearPoints:
        return NearPoints(self.vector, self.used, self._inside, effort * self._count)


def search_by_meaning(vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
    """As `SearchIndex.nearest`. While a collection of another space is in use, all vectors in scope are compared."""
    used, count = in_use(scope.topic_ids()), max(CANDIDATES, CANDIDATES_FOR_ONE * limit)
    near = NearPoints(vector, used, filter_of(scope), count) if used.space_id == space.pk else None

    def end(chunk_ids: Collection[int]) -> Nearest:
        query = DenseQuery(space, vector.result())
        if near is None:
            return compare_all(query, scope=scope, limit=limit, chunk_ids=chunk_ids)
        return compare_chosen(query, near, scope=scope, limit=limit, chunk_ids=chunk_ids, lag=LAG)

    return NearestSearch([vector], end, with_words=near)


def search_by_words(
    query: WordQuery, *, scope: Scope, limit: int, guaranteed: int | None, beside: NearestSearch | None
) -> Ranking:
    """As `SearchIndex.candidates`."""
    if not query.terms:
        return []
    if scope.narrows_sources and scope.sources()[1] <= scoring.SCORED_WHOLE:
        return scoring.score_whole(query, scope=scope, limit=limit)
    topic_ids = scope.topic_ids()
    near: NearPoints | None = beside.with_words if beside else None
    used = near.used if near else in_use(topic_ids)
    vector, inside = sparse(query.vector), filter_of(scope)

    def choose(*, best: int, count: int) -> Candidates:
        asked = query_of(vector, WORDS, inside=inside, limit=count)
        if near and near.may_be_asked_for:
            found, by_meaning = ask(used.name, [asked, near.query])
            near.take(by_meaning)
        else:
            [found] = ask(used.name, [asked])
        ids = [int(point.id) for point in found]
        return Candidates(chunk_ids=ids, fresh=used.fresh, complete=len(ids) < count)

    return scoring.score_chosen(
        query, choose, scope=scope, topic_ids=topic_ids, limit=limit, guaranteed=guaranteed, lag=LAG
    )


def sparse(vector: SparseVector) -> q.SparseVector:
    return q.SparseVector(indices=vector.indices.tolist(), values=vector.values.tolist())
