"""Retrieval: from a query and a scope to the passages that answer it best."""

from search.results import Match, Mode, Retrieval
from search.retrieval.query_plan import LONGEST_QUERY, QueryVariant, parse_query
from search.retrieval.retrieving import MOST_RESULTS, retrieve
from sources.scope import Scope

__all__ = [
    "LONGEST_QUERY",
    "MOST_RESULTS",
    "Match",
    "Mode",
    "QueryVariant",
    "Retrieval",
    "Scope",
    "parse_query",
    "retrieve",
]
