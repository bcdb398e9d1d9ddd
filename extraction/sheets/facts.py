"""What a sheet says beside its values: hidden rows and columns, merged cells, formulas without a value, margins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from lxml import etree
from lxml.etree import _Element as Element
from openpyxl.utils.cell import column_index_from_string, range_boundaries

from extraction.document import Losses, LostWhat, characters_of
from extraction.packages import NO_ENTITIES
from extraction.text.looks import lost_margin
from extraction.xml import attribute, child, local_name

LAST_ROW = 1 << 20  # of any sheet. openpyxl makes an empty row for each that is missing.
MAX_COVERED = 1_000_000  # cells that merged ones cover, whose places are kept
_ON = frozenset({"1", "true"})
_LETTERS = re.compile(r"[A-Z]{1,3}")
_MARGIN_CODE = re.compile(r'&(?:"[^"]*"|K[0-9A-F]{6}|\d+|.)', re.DOTALL)
_TAGS = ("row", "c", "col", "mergeCell", "headerFooter", "dataValidation")


@dataclass(slots=True)
class SheetFacts:
    """Rows and columns are counted from 1. `used` are the columns with values in the rows that are shown."""

    used: set[int] = field(default_factory=set)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    wide: set[tuple[int, int]] = field(default_factory=set)
    """Row and column of cells that are merged with those beside them."""
    covered: set[tuple[int, int]] = field(default_factory=set)

    def columns(self) -> list[int]:
        """The columns that are shown and have something in them."""
        return sorted(self.used - self.hidden_columns)


def facts_of(sheet: IO[bytes], losses: Losses) -> SheetFacts:
    """Go through the sheet once. What it has and no cell shows is lost. Raises ValueError for a row that none has."""
    facts, row_number, column = SheetFacts(), 0, 0
    for event, element in etree.iterparse(
        sheet, events=("start", "end"), tag=[f"{{*}}{tag}" for tag in _TAGS], **NO_ENTITIES
    ):
        name = local_name(element)
        if event == "start":
            if name == "row":
                row_number, column = _row(element, row_number + 1, facts), 0
            continue
        match name:
            case "c":
                column = _column(attribute(element, "r"), column + 1)
                _cell(element, column, facts, losses, is_shown=row_number not in facts.hidden_rows)
            case "col" if attribute(element, "hidden") in _ON:
                first, last = (_whole(attribute(element, one), 1) for one in ("min", "max"))
                facts.hidden_columns.update(range(first, min(last, 16_384) + 1))
            case "mergeCell":
                _merge(attribute(element, "ref"), facts)
            case "headerFooter":
                _margins(element, losses)
            case "dataValidation":
                losses.add(LostWhat.NOTE, characters_of(*(attribute(element, one) for one in ("prompt", "error"))))
        if name in {"c", "row"}:
            _free(element)
    return facts


def _row(element: Element, following: int, facts: SheetFacts) -> int:
    """Its number, which is that of the row that follows the one before if it says none."""
    number = _whole(attribute(element, "r"), following)
    if number > LAST_ROW:
        raise ValueError(f"row {number}")
    if attribute(element, "hidden") in _ON:
        facts.hidden_rows.add(number)
    return number


def _free(element: Element) -> None:
    """Keep nothing of an element that was read, nor of those before it."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def _cell(element: Element, column: int, facts: SheetFacts, losses: Losses, *, is_shown: bool) -> None:
    value, formula = child(element, "v"), child(element, "f")
    has_value = value is not None and bool(value.text)
    if formula is not None and not has_value and attribute(element, "t") != "str":  # a result may be no text at all
        losses.add(LostWhat.FORMULA, characters_of(formula.text) or None)
    if is_shown and (has_value or child(element, "is") is not None):
        facts.used.add(column)


def _merge(reference: str, facts: SheetFacts) -> None:
    left, top, right, bottom = (int(side) for side in range_boundaries(reference))
    if right > left:
        facts.wide.add((top, left))
    room = MAX_COVERED - len(facts.covered)
    if (right - left + 1) * (bottom - top + 1) <= room:
        places = {(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)}
        facts.covered |= places - {(top, left)}


def _margins(element: Element, losses: Losses) -> None:
    """Count headers and footers that do not only repeat."""
    for margin in element:
        characters = characters_of(_MARGIN_CODE.sub("", margin.text or ""))
        is_first = local_name(margin).startswith("first")
        losses.add(LostWhat.MARGIN, lost_margin(characters, of_first_page=is_first))


def _column(reference: str, following: int) -> int:
    found = _LETTERS.match(reference)
    return column_index_from_string(found[0]) if found else following


def _whole(text: str, default: int) -> int:
    return int(text) if text.isdecimal() else default


def texts_of(root: Element | None, *names: str) -> Iterator[str]:
    """The texts of the elements of these names."""
    for element in root.iter(*(f"{{*}}{name}" for name in names)) if root is not None else ():
        yield element.text or ""
