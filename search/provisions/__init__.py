"""Provisions: what has an address in a document, stored with it and read by it."""

from search.provisions.clauses import clauses_of
from search.provisions.reading import LONGEST_TEXT, Passage, address, clauses_in, find, in_order, read
from search.provisions.storing import store

__all__ = ["LONGEST_TEXT", "Passage", "address", "clauses_in", "clauses_of", "find", "in_order", "read", "store"]
