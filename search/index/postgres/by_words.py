"""Search by words: candidates from the posting lists, in the order of BM25."""

from functools import partial

from search.index.postgres.segments import candidates
from search.index.postgres.segments.members import SourceMask, mask_of, mask_with
from search.index.stored import scoring
from search.ranking.fusion import Ranking
from search.ranking.word_query import WordQuery
from sources.scope import Scope


def search_by_words(query: WordQuery, *, scope: Scope, limit: int, surely: int | None = None) -> Ranking:
    """As `SearchIndex.candidates`."""
    if not query.terms:
        return []
    if scope.narrows_sources:
        inside, chunks = scope.sources()
        if chunks <= scoring.SCORED_WHOLE:
            return scoring.score_whole(query, scope=scope, limit=limit)
        mask: SourceMask | None = mask_with(inside)
    else:
        mask = mask_of(scope)
    topic_ids = scope.topic_ids()
    choose = partial(candidates.find, query.terms, topic_ids=topic_ids, mask=mask)
    return scoring.score_chosen(query, choose, scope=scope, topic_ids=topic_ids, limit=limit, surely=surely)
