"""Provisions: what has an address in a document, stored with it and read by it."""

from sources.provisions.clauses import MAX_TEXT_LENGTH, clauses_of, find_clause, has_clauses
from sources.provisions.reading import (
    MAX_EID_LENGTH,
    Passage,
    address,
    clauses_in,
    find,
    holders,
    in_order,
    knn,
    numbered,
    parse_address,
    read,
    store,
    stored,
    texts_of,
    upwards,
    whole_text,
)

__all__ = [
    "MAX_EID_LENGTH",
    "MAX_TEXT_LENGTH",
    "Passage",
    "address",
    "clauses_in",
    "clauses_of",
    "find",
    "find_clause",
    "has_clauses",
    "holders",
    "in_order",
    "knn",
    "numbered",
    "parse_address",
    "read",
    "store",
    "stored",
    "texts_of",
    "upwards",
    "whole_text",
]
