"""Searching a scope by words: the query is weighed by the scope's counts, and the index finds what scores best."""

from collections.abc import Sequence

from kb_project.database.rows import Query
from search.index import engine
from search.ranking.fusion import Ranking
from search.ranking.word_query import WordQuery, stems_to_count, weigh
from search.scope import Scope
from search.text.analysis import Term


def weigh_in(scope: Scope, words: Sequence[Term]) -> Query[WordQuery]:
    """The words weighed by the counts of the scope's topics."""
    return engine().count(stems_to_count(words), scope=scope).then(lambda counts: weigh(words, counts))


def best_passages(words: Sequence[Term], *, scope: Scope, limit: int) -> Ranking:
    """The passages of the scope that score best, in two round trips."""
    return engine().candidates(weigh_in(scope, words).fetch(), scope=scope, limit=limit)
