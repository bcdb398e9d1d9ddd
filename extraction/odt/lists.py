"""The numbers of an ODT: those of lists, of numbered paragraphs, and of headings by the outline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lxml.etree import _Element as Element

from extraction.docx.wordml import attribute, local_name
from extraction.text.numerals import hebrew_letters, hebrew_number, latin_letters, roman

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


class OdtLevel(NamedTuple):
    """What stands before a number, its kind, what stands behind it, how many levels it shows, and the first one."""

    prefix: str = ""
    format: str = ""
    suffix: str = ""
    shown: int = 1
    start: int = 1


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
        parts = []
        for place in range(max(1, self.depth - level.shown + 1), self.depth + 1):
            above = self.levels.get(place, OdtLevel())
            if above.format:
                parts.append(_numeral(above.format)(max(self.numbers[place - 1], above.start)))
        return f"{level.prefix}{'.'.join(parts)}{level.suffix} "


def levels_of(style: Element) -> Levels:
    """The levels of a list's or the outline's style that have numbers."""
    return {
        whole(level, "level"): OdtLevel(
            attribute(level, "num-prefix"),
            attribute(level, "num-format"),
            attribute(level, "num-suffix"),
            whole(level, "display-levels"),
            whole(level, "start-value"),
        )
        for level in style
        if local_name(level) in _LEVELS
    }


def whole(element: Element, name: str, default: int = 1) -> int:
    """The whole number in an attribute, limited to what a list can count to."""
    text = attribute(element, name)
    return min(int(text), 32_767) if text.isascii() and text.isdigit() else default


def _numeral(format: str) -> Callable[[int], str]:
    """How a number is written in a format that begins as its first numbers do: `i`, `א, י, ק, ...`."""
    return next((numeral for begins, numeral in _NUMERALS.items() if format.startswith(begins)), str)
