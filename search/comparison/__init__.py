"""Comparing two documents by provision: what was added, removed, changed, moved."""

from search.comparison.comparing import Change, ChangeKind, compare
from search.comparison.own_texts import OwnText, own_texts

__all__ = ["Change", "ChangeKind", "OwnText", "compare", "own_texts"]
