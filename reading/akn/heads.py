"""What a provision begins with: its number and its heading, in the order in which they are printed."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from law.structure.lines.clauses import BEFORE_CLAUSE, clause_key
from law.structure.provisions import ProvisionKind
from sources.models import Provision

_DIVISIONS = {ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.SCHEDULE}
_CUT_HEADING = 200  # characters: a stored heading of so many goes on in the text
_NEAR = 60  # characters of a line in which a number begins that is not at its start
_TITLES = 600  # characters: a heading may be the third line
XML_SPACE = " \t\r\n"
_SPACE = re.compile(f"[{XML_SPACE}]*")
_SIGNS = re.compile(r"\W*")
_WORD = re.compile(r"\W*[^\W\d]+\s+")  # `Section`, `סעיף`
_LINE = re.compile(f"[^\n]*[^{XML_SPACE}]")
_BEHIND_NUMBER = re.compile(r"(?!\w)[.):]*(?:[ \t]*[:–—-]+(?=\s|$))?")
_BEHIND_HEADING = re.compile(r"(?!\w)(?:[ \t]*[.:–—-]+(?=\s|$))?")
_CLAUSE = re.compile(rf"{BEFORE_CLAUSE}\(([^()\n]{{1,9}})\)")


class Printed(NamedTuple):
    """A part of a head: `element` is `num` or `heading`, `start` and `end` are characters of the text."""

    element: str
    start: int
    end: int


def read_head(provision: Provision, text: str, start: int, end: int) -> list[Printed]:
    """The number and the heading that stand at the beginning of a provision, between two characters of the text."""
    start = skip_space(text, start, end)
    if start == end:
        return []
    if provision.kind == ProvisionKind.CLAUSE:
        return _clause(provision, text, start, end)
    return _HeadReader(provision, text, end).read(start) or _unlike(provision, text, start, end)


def skip_space(text: str, start: int, end: int) -> int:
    """The first character that is no white space to XML. `end` if there is none."""
    found = _SPACE.match(text, start, end)
    return found.end() if found else start


class _HeadReader:
    """Looks for the number and the heading, either of which may come first."""

    def __init__(self, provision: Provision, text: str, end: int) -> None:
        self._text, self._end = text, end
        self._number = provision.number.split()
        self._heading = provision.heading.split()
        self._goes_on = len(provision.heading) >= _CUT_HEADING

    def read(self, start: int) -> list[Printed]:
        """What stands at a character. Nothing, if that is neither of the two."""
        if heading_ends := self._heading_at(start):
            number_ends = self._number_at(at := skip_space(self._text, heading_ends, self._end))
            number = [Printed("num", at, number_ends)] if number_ends else []
            return [Printed("heading", start, heading_ends), *number]
        if number_ends := self._number_at(start) or self._number_near(start):
            heading_ends = self._heading_at(at := skip_space(self._text, number_ends, self._end))
            heading = [Printed("heading", at, heading_ends)] if heading_ends else []
            return [Printed("num", start, number_ends), *heading]
        return []

    def heading_near(self, start: int) -> tuple[int, int] | None:
        """Where a heading begins and ends that stands a few lines on."""
        at = start
        while self._heading and (at := self._text.find(self._heading[0], at, min(self._end, start + _TITLES))) >= 0:
            if ends := self._heading_at(at):
                return at, ends
            at += 1
        return None

    def _heading_at(self, at: int) -> int:
        """Where the heading ends that begins there, or 0 if none does."""
        ends = self._words_at(self._heading[:-1] if self._goes_on else self._heading, at)
        if ends and self._goes_on:
            line = _LINE.match(self._text, ends, self._end)
            return line.end() if line else ends
        behind = _BEHIND_HEADING.match(self._text, ends, self._end) if ends else None
        return behind.end() if behind else 0

    def _number_at(self, at: int) -> int:
        """Where the number ends that begins there, with or without a word before it, or 0 if none does."""
        for before in (_WORD, _SIGNS):
            found = before.match(self._text, at, self._end)
            if found and (ends := self._number_ends(found.end())):
                return ends
        return 0

    def _number_near(self, start: int) -> int:
        """The same for a number that stands further on in the line: `Part 2.Chapter 1.6.`"""
        line = _LINE.match(self._text, start, min(self._end, start + _NEAR))
        at = start
        while self._number and line and (at := self._text.find(self._number[0], at + 1, line.end())) >= 0:
            if not self._text[at - 1].isalnum() and (ends := self._number_ends(at)):
                return ends
        return 0

    def _number_ends(self, at: int) -> int:
        ends = self._words_at(self._number, at)
        behind = _BEHIND_NUMBER.match(self._text, ends, self._end) if ends else None
        return behind.end() if behind else 0

    def _words_at(self, words: Sequence[str], at: int) -> int:
        """Where the words end that stand there, with any white space between them, or 0 if they do not."""
        ends = 0
        for word in words:
            at = skip_space(self._text, ends, self._end) if ends else at
            if not self._text.startswith(word, at, self._end):
                return 0
            ends = at + len(word)
        return ends


def _unlike(provision: Provision, text: str, start: int, end: int) -> list[Printed]:
    """The head of what begins neither with its heading nor with its number: a schedule, or several lines of titles."""
    if provision.kind not in _DIVISIONS | {ProvisionKind.HEADING}:
        return []
    near = _HeadReader(provision, text, end).heading_near(start)
    if near is None:
        line = _LINE.match(text, start, end)
        return [Printed("heading", start, line.end())] if line else []
    at, ends = near
    if provision.kind == ProvisionKind.HEADING:
        return [Printed("heading", start, ends)]
    before = text[start:at].rstrip(XML_SPACE)
    return [Printed("num", start, start + len(before)), Printed("heading", at, ends)]


def _clause(provision: Provision, text: str, start: int, end: int) -> list[Printed]:
    found = _CLAUSE.match(text, start, end)
    is_its_own = found is not None and clause_key(found[1]) == provision.number
    return [Printed("num", start, found.end())] if found and is_its_own else []
