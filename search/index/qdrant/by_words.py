"""Search by words: Qdrant scores the sparse vectors, Postgres has the last word."""

from qdrant_client import models as q

from law.words.term_weights import SparseVector
from search.index.qdrant.client import asking
from search.index.qdrant.collections import LAG, WORDS, in_use
from search.index.qdrant.filters import filter_of
from search.index.stored import scoring
from search.index.stored.scoring import Candidates
from search.ranking.fusion import Ranking
from search.ranking.word_query import WordQuery
from sources.scope import Scope


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
