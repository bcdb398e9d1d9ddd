"""Search by meaning: Qdrant's graph of vectors chooses, Postgres compares what was chosen."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass

from qdrant_client import models as q

from search.index.protocol import NearestSearch, Vector
from search.index.qdrant.client import asking
from search.index.qdrant.collections import LAG, MEANING, InUse, in_use
from search.index.qdrant.filters import filter_of
from search.index.stored.similarities import search_chosen
from search.models import EmbeddingSpace
from sources.scope import Scope

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
