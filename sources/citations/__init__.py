"""Citations: what a text refers to, and which passages and sources of the scope that is."""

from law.citations.parsing import find_references
from sources.citations.act_names import is_name_of
from sources.citations.cited_clauses import CitedClause
from sources.citations.cited_provisions import CitedProvisions, find_provisions
from sources.citations.missing import UnresolvedCitation
from sources.citations.naming_in_part import named_act
from sources.citations.resolving import CitationTargets, resolve
from sources.citations.title_matching import (
    MIN_CHUNKS,
    GivenTitles,
    TitleMatches,
    best_matches,
    names_query,
    title_query,
)

__all__ = [
    "MIN_CHUNKS",
    "CitationTargets",
    "CitedClause",
    "CitedProvisions",
    "GivenTitles",
    "TitleMatches",
    "UnresolvedCitation",
    "best_matches",
    "find_provisions",
    "find_references",
    "is_name_of",
    "named_act",
    "names_query",
    "resolve",
    "title_query",
]
