"""Search by meaning: the nearest vectors of a space, inside the scope."""

from concurrent.futures import Future

from search.index.postgres.vectors import coded_candidates
from search.index.postgres.vectors.coded_candidates import CodedCandidates, choose
from search.index.protocol import NearestSearch, Vector
from search.index.stored.similarities import search_chosen
from search.models import EmbeddingSpace
from sources.scope import Scope


def search_by_meaning(vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
    """As `SearchIndex.nearest`. Never fewer than `limit` where the scope has as many.

    A chunk without a vector has no similarity.
    """
    field = coded_candidates.field(space, scope=scope)

    def chosen(asked: Vector) -> CodedCandidates | None:
        return None if field is None else choose(asked, field, limit=limit)

    return search_chosen(chosen, vector, space=space, scope=scope, limit=limit)
