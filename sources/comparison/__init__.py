"""Comparing two documents by provision: what was added, removed, changed, moved, and which words differ."""

from law.comparison.beside import Only, Row, Run, beside
from law.comparison.comparing import Change, ChangeKind, compare
from law.comparison.own_texts import OwnText, own_texts
from sources.comparison.history import Standing, history
from sources.comparison.sources import MOST_CHARACTERS, compare_sources, compare_with_pages

__all__ = [
    "MOST_CHARACTERS",
    "Change",
    "ChangeKind",
    "Only",
    "OwnText",
    "Row",
    "Run",
    "Standing",
    "beside",
    "compare",
    "compare_sources",
    "compare_with_pages",
    "history",
    "own_texts",
]
