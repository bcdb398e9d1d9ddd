"""Retrieval: from a query and a scope to the passages that answer it best."""

from search.results import Match, Mode, Retrieval
from search.retrieval.planning import MAX_QUERY_LENGTH, parse_query
from search.retrieval.query_plan import QueryVariant
from search.retrieval.retrieving import MAX_RESULTS, retrieve
from sources.scope import Scope

__all__ = [
    "MAX_QUERY_LENGTH",
    "MAX_RESULTS",
    "Match",
    "Mode",
    "QueryVariant",
    "Retrieval",
    "Scope",
    "parse_query",
    "retrieve",
]
