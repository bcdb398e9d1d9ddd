"""The numbers that Word writes by itself before lists and at notes, which DOCX and RTF define alike."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from extraction.text.numerals import in_format
from extraction.text.raised import note_mark

FOOTNOTES, ENDNOTES = "footnotes", "endnotes"
_PLACEHOLDER = re.compile(r"%([1-9])")
_BULLET = "•"


@dataclass(frozen=True, slots=True)
class ListLevel:
    """One level of a list. `template` has `%1` in the place of the number of the first level."""

    format: str = "decimal"
    template: str = ""
    start: int = 1
    restart_after: int | None = None  # 1-based level that restarts this one, 0: never, None: any level above
    legal: bool = False  # shows the levels above in decimal
    style: str = ""
    suffix: str = " "


@dataclass(slots=True)
class NumberedList:
    """A list instance: its levels, the list whose counters it shares, and the starts it overrides."""

    counters: str
    levels: dict[int, ListLevel]
    starts: dict[int, int] = field(default_factory=dict)


class ListNumbers:
    """Counts the lists of a document."""

    def __init__(self) -> None:
        self.lists: dict[str, NumberedList] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._started: set[tuple[str, int]] = set()

    def number(self, list_id: str, depth: int) -> str:
        """The number of the next paragraph with what separates it from the text ("3. "), a bullet, or an empty string.

        Call it once for every paragraph of the list, in document order.
        """
        numbered = self.lists.get(list_id)
        level = numbered.levels.get(depth) if numbered else None
        if numbered is None or level is None:
            return ""
        counts = self._count(list_id, numbered, depth)
        if level.format == "bullet":
            return _BULLET + level.suffix

        def numeral(match: re.Match[str]) -> str:
            index = int(match.group(1)) - 1
            shown = numbered.levels.get(index, level)
            return in_format(counts.get(index, shown.start), "decimal" if level.legal else shown.format)

        text = _PLACEHOLDER.sub(numeral, level.template)
        return text + level.suffix if text else ""

    def _count(self, list_id: str, numbered: NumberedList, depth: int) -> dict[int, int]:
        counts = self._counts.setdefault(numbered.counters, {})
        if (list_id, depth) not in self._started:
            self._started.add((list_id, depth))
            if depth in numbered.starts:
                counts[depth] = numbered.starts[depth] - 1
        counts[depth] = counts.get(depth, numbered.levels[depth].start - 1) + 1
        for deeper in [index for index in counts if index > depth]:
            restart = numbered.levels[deeper].restart_after if deeper in numbered.levels else None
            if restart is None or depth < restart:
                del counts[deeper]
        return counts


class NoteFormat(NamedTuple):
    """How marks are written, the first number, and whether each section begins with it."""

    format: str = "decimal"
    start: int = 1
    restarts: bool = False


USUAL: Mapping[str, NoteFormat] = {FOOTNOTES: NoteFormat(), ENDNOTES: NoteFormat("lowerRoman")}


class NoteNumbers:
    """Counts both kinds. Where numbers begin anew on each page they go on here, as pages are not known."""

    def __init__(self, formats: Mapping[str, NoteFormat] = USUAL) -> None:
        self._formats = dict(formats)
        self._next: dict[str, int] = {}  # of the kinds that were counted, in this section where they begin anew

    def mark(self, kind: str) -> str:
        """The mark of the next note of the kind."""
        format = self._formats[kind]
        number = self._next.get(kind, format.start)
        self._next[kind] = number + 1
        return note_mark(in_format(number, format.format))

    def describe(self, kind: str, **said: Any) -> None:
        """What is said of a kind from here on."""
        self._formats[kind] = self._formats[kind]._replace(**said)

    def end_section(self, following: Mapping[str, NoteFormat]) -> None:
        """A section ends. `following`: what is said of the next one."""
        self._formats.update(following)
        self._next = {kind: number for kind, number in self._next.items() if not self._formats[kind].restarts}
