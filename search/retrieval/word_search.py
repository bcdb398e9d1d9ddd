"""Searching a scope by words: the query is weighed by the scope's counts, and the index finds what scores best."""

from collections.abc import Sequence

from kb_project.database.rows import Query
from law.words.analysis import Term
from law.words.synonyms import Meaning
from search.index import engine
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, stems_to_count, weigh
from sources.scope import Scope


def count_in(scope: Scope, words: Sequence[Term], meanings: Sequence[Meaning] = ()) -> Query[TermCounts]:
    """The counts by which the words are weighed, and those of what they mean."""
    return engine().count(stems_to_count(words, meanings), scope=scope)


def best_passages(
    words: Sequence[Term],
    *,
    scope: Scope,
    limit: int,
    meanings: Sequence[Meaning] = (),
    counts: TermCounts | None = None,
) -> Ranking:
    """The passages of the scope that score best. `counts` are those of the words in its topics, if they are known."""
    counts = counts or count_in(scope, words, meanings).fetch()
    return engine().candidates(weigh(words, counts, meanings), scope=scope, limit=limit)
