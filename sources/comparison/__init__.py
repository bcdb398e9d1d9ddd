"""Comparing two documents by provision: what was added, removed, changed, moved, and which words differ."""

from law.comparison.comparing import ChangeKind, ProvisionChange, compare
from law.comparison.provision_texts import ProvisionText, own_texts
from law.comparison.side_by_side import DiffRow, DiffSide, DiffSpan, beside
from sources.comparison.sources import MAX_CHARACTERS, ProvisionVersion, compare_sources, compare_with_pages, history

__all__ = [
    "MAX_CHARACTERS",
    "ChangeKind",
    "DiffRow",
    "DiffSide",
    "DiffSpan",
    "ProvisionChange",
    "ProvisionText",
    "ProvisionVersion",
    "beside",
    "compare",
    "compare_sources",
    "compare_with_pages",
    "history",
    "own_texts",
]
