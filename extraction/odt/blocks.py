"""The numbers of an ODT (of lists, paragraphs, headings by the outline), and the rows of its tables by columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from lxml.etree import _Element as Element

from extraction.tables import MAX_COLUMNS
from extraction.text.numerals import hebrew_letters, hebrew_number, latin_letters, roman
from extraction.xml import attribute, child, local_name

_NUMERALS: dict[str, Callable[[int], str]] = {
    "a": latin_letters,
    "A": lambda number: latin_letters(number).upper(),
    "i": roman,
    "I": lambda number: roman(number).upper(),
    "א, י": hebrew_number,
    "א": hebrew_letters,
}
_LEVELS = frozenset({"list-level-style-number", "outline-level-style"})
DEEPEST = 100
_PLACE = re.compile(r"%(\d{1,3})%")


class OdtLevel(NamedTuple):
    """What stands before a number, its kind, what stands behind it, how many levels it shows, and the first one.

    `template`, where there is one, tells all but the kinds: `§ %1%-%2%`.
    """

    prefix: str = ""
    format: str = ""
    suffix: str = ""
    shown: int = 1
    start: int = 1
    template: str = ""


Levels = Mapping[int, OdtLevel]


class OdtList:
    """An open list: its levels, how deep it is open, and the last number of each level."""

    def __init__(self, levels: Levels, numbers: list[int]) -> None:
        self.levels = levels
        self.depth = 0
        self.numbers = numbers

    def open_to(self, depth: int) -> None:
        """Go to a level, which is counted from 1."""
        self.depth = max(1, min(depth, DEEPEST))
        for level in range(len(self.numbers) + 1, self.depth + 1):
            self.numbers.append(self.levels.get(level, OdtLevel()).start - 1)

    def count(self, item: Element) -> None:
        """Number an item of the innermost open level. The levels below begin anew."""
        self.numbers[self.depth - 1] = whole(item, "start-value", self.numbers[self.depth - 1] + 1)
        del self.numbers[self.depth :]

    def label(self) -> str:
        """The number of the item that was counted last, with the space behind it. Empty if the level has none."""
        level = self.levels.get(self.depth, OdtLevel())
        if not level.format:
            return ""
        if level.template:
            return f"{_PLACE.sub(lambda match: self._number(int(match[1])), level.template)} "
        parts = []
        for place in range(max(1, self.depth - level.shown + 1), self.depth + 1):
            parts.append(self._number(place))
        return f"{level.prefix}{'.'.join(filter(None, parts))}{level.suffix} "

    def _number(self, place: int) -> str:
        """The last number of a level as it is written. "" if it has none."""
        level = self.levels.get(place, OdtLevel())
        if not level.format or place > len(self.numbers):
            return ""
        return _numeral(level.format)(max(self.numbers[place - 1], level.start))


def levels_of(style: Element) -> Levels:
    """The levels of a list's or the outline's style that have numbers."""
    return {
        whole(level, "level"): OdtLevel(
            attribute(level, "num-prefix"),
            attribute(level, "num-format"),
            attribute(level, "num-suffix"),
            whole(level, "display-levels"),
            whole(level, "start-value"),
            attribute(level, "num-list-format"),
        )
        for level in style
        if local_name(level) in _LEVELS
    }


def written_number(element: Element) -> str:
    """The number that the file itself gives for an item or heading, with a space behind it. "" if there is none."""
    number = child(element, "number")
    text = "" if number is None else "".join(number.itertext()).strip()
    return f"{text} " if text else ""


def whole(element: Element, name: str, default: int = 1) -> int:
    """The whole number in an attribute, limited to what a list can count to."""
    text = attribute(element, name)
    return min(int(text), 32_767) if text.isascii() and text.isdigit() else default


def _numeral(format: str) -> Callable[[int], str]:
    """How a number is written in a format that begins as its first numbers do: `i`, `א, י, ק, ...`."""
    return next((numeral for begins, numeral in _NUMERALS.items() if format.startswith(begins)), str)


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
