"""Citations: what a text refers to, and which passages and sources of the scope that is."""

from law.citations.parsing import find_references
from sources.citations.cited_clauses import CitedClause
from sources.citations.cited_provisions import CitedProvisions, find_provisions
from sources.citations.missing import NotFound
from sources.citations.naming import (
    LEAST_CHUNKS,
    Namings,
    find_named_anywhere,
    likeliest,
    named_anywhere,
    sameness,
)
from sources.citations.naming_in_part import named_in_part
from sources.citations.resolving import CitationTargets, resolve

__all__ = [
    "LEAST_CHUNKS",
    "CitationTargets",
    "CitedClause",
    "CitedProvisions",
    "Namings",
    "NotFound",
    "find_named_anywhere",
    "find_provisions",
    "find_references",
    "likeliest",
    "named_anywhere",
    "named_in_part",
    "resolve",
    "sameness",
]
