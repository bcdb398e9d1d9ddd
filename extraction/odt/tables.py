"""The rows of a table of an ODT, each cell in its column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lxml.etree import _Element as Element

from extraction.odt.lists import whole
from extraction.tables import MAX_COLUMNS
from extraction.xml import attribute, local_name


class Cells(NamedTuple):
    """The cells of a row, those that others cover among them. `own`: how many are not covered."""

    cells: list[Element]
    own: int
    is_head: bool
    is_hidden: bool

    @property
    def is_wide(self) -> bool:
        """Is it one cell over the whole width?"""
        return self.own == 1 and whole(self.cells[0], "number-columns-spanned") >= len(self.cells)


def rows(parent: Element, *, in_head: bool = False) -> Iterator[Cells]:
    """The rows of a table. A repeated one is given once: what repeats is empty."""
    for element in parent:
        match local_name(element):
            case "table-header-rows":
                yield from rows(element, in_head=True)
            case "table-rows" | "table-row-group":
                yield from rows(element, in_head=in_head)
            case "table-row":
                yield _cells(element, in_head=in_head)


def _cells(row: Element, *, in_head: bool) -> Cells:
    cells: list[Element] = []
    own = 0
    for cell in row:
        if local_name(cell) in {"table-cell", "covered-table-cell"}:
            times = max(1, min(whole(cell, "number-columns-repeated"), MAX_COLUMNS - len(cells)))
            own += times * (local_name(cell) == "table-cell")
            cells += [cell] * times
    return Cells(cells, own, in_head, attribute(row, "visibility") in {"collapse", "filter"})
