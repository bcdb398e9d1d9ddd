"""Retrieval: from a query and a scope to the passages that answer it best."""

from search.results import Hit, Match, Mode, Retrieval
from search.retrieval.question import LONGEST_QUERY, Wording, parse_query
from search.retrieval.retrieving import MOST_RESULTS, retrieve
from sources.scope import Scope

__all__ = [
    "LONGEST_QUERY",
    "MOST_RESULTS",
    "Hit",
    "Match",
    "Mode",
    "Retrieval",
    "Scope",
    "Wording",
    "parse_query",
    "retrieve",
]
