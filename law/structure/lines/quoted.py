"""New law, which an amending act puts into another: no provision of the amending act itself.

It stands in quotation marks behind words that change an act, or below a line that says so.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

QUOTES = '“”„"״'
MAX_LINES = 120  # of a quotation that never closes, which is a misprint
_MAX_LENGTH = 60_000  # characters
_MAX_DEPTH = 20  # quotations in one another: where each paragraph is opened again, their marks tell no end
_MAX_LEAD_LENGTH = 160  # characters before the mark, in which words say that something is put in
_SIGNS = (",", ";", ".", ":")
_OPENING = '([”“"¹$'
_STRAIGHT = frozenset('"״')  # which open and close
_PREFIXES = frozenset().union(*(language.prefixes for language in LANGUAGES))
_MARKS = regex(f"[{QUOTES}]")
_JOINS = either(language.statutes.joins for language in LANGUAGES)
_CLOSED = regex(rf"[{QUOTES}][.,;:)]*(?: ?{_JOINS})?[ \t]*(?:\n|\Z)")
_NEXT = regex(rf".[^\n]*\n+(?=[{QUOTES}])")
_LINES = regex(rf"(?:[^\n]*\n){{0,{MAX_LINES}}}")
_AMENDS = regex(either(one for each in LANGUAGES for one in (each.acts.amends, each.statutes.inserts)))
_UNMARKED = [
    (regex(each.acts.leads_new_law), regex(each.acts.amends_line)) for each in LANGUAGES if each.acts.leads_new_law
]  # fmt: skip


class QuotedLaw:
    """Where it stands in a text of lines. Without `end_of_section`, what has no quotation marks is not looked for."""

    def __init__(self, text: str, end_of_section: Callable[[int], int | None] | None = None) -> None:
        self._spans = list(_marked(text))
        if end_of_section:
            self._spans = sorted([*self._spans, *_unmarked(text, end_of_section)])
        self._starts = [start for start, _ in self._spans]

    def hold(self, place: int) -> bool:
        """Whether the place is in new law."""
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._spans[index][1]


def quotations(text: str, place: int) -> Iterator[tuple[int, int]]:
    """The quotation whose mark is there, and those of the lines right behind it: `“8A. …”`, `“8B. …”`.

    Each from mark to closing mark. What never closes ends with a line, or after MAX_LINES.
    """
    while end := _end(text, place):
        yield place, end
        following = _NEXT.match(text, end)
        if following is None:
            return
        place = following.end()
    yield place, _end_of_lines(text, place)


def turns(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The quotation marks of a text: the place of each, and 1 where it opens, -1 where it closes."""
    for mark in _MARKS.finditer(text, start, len(text) if end is None else end):
        at = mark.start()
        if opens(text, at):
            yield at, 1
        elif not (mark[0] in _STRAIGHT and text[at + 1 : at + 2].isalnum()):
            yield at, -1


def opens(text: str, at: int) -> bool:
    """Whether a quotation mark opens: there is a word behind it, and none before but a letter that is a word."""
    before, behind, after = text[max(0, at - 2) : at], text[at + 1 : at + 2], text[at + 2 : at + 3]
    is_straight = text[at] in _STRAIGHT
    marks_letter = is_straight and not after.isalnum() and after not in tuple(QUOTES)  # of an abbreviation: `כ"ב`
    is_free = (
        not before
        or (not before[-1].isalnum() and before[-1] not in ".,;)")
        or (before[-1] in _PREFIXES and (len(before) == 1 or not before[0].isalnum()) and not marks_letter)
    )
    # `insert “, or …”`; a straight mark may close, so words have to follow
    is_sign = (text[at] == "“" or (is_straight and after == " ")) and behind in _SIGNS and before[-1:] in ("", " ")
    return is_free and (behind.isalnum() or is_sign or (behind in _OPENING and bool(behind)))


def _marked(text: str) -> Iterator[tuple[int, int]]:
    end = 0
    for mark in _MARKS.finditer(text):
        place = mark.start()
        if place < end or not opens(text, place):
            continue
        if not _AMENDS.search(text, max(0, place - _MAX_LEAD_LENGTH), place):
            continue
        if _end(text, place) or text[place - 1 : place] in ("", "\n"):
            for start, end in quotations(text, place):
                yield start, end
        else:
            end = place + _MAX_LENGTH  # one that does not end is looked at once


def _unmarked(text: str, end_of_section: Callable[[int], int | None]) -> Iterator[tuple[int, int]]:
    """Where new law without quotation marks stands: below `is replaced by the following:`."""
    for leads, amends in _UNMARKED:
        for lead in leads.finditer(text):
            start = lead.end()
            end = min(end_of_section(lead.start()) or start, start + _MAX_LENGTH)
            line = amends.search(text, start, end)
            end = line.start() if line else end
            if end > start and not (text[start] in QUOTES and opens(text, start)):
                yield start, end


def _end(text: str, place: int) -> int:
    """Where the quotation ends that begins there: with a line, or within its first one. 0 where that is not seen."""
    limit = min(len(text), place + _MAX_LENGTH)
    first_line = text.find("\n", place, limit)
    depth = 1
    for at, turn in turns(text, place + 1, limit):
        depth += turn
        if depth <= 0 and (at < first_line or first_line < 0 or _CLOSED.match(text, at)):
            return at
        if depth > _MAX_DEPTH:
            break
        depth = max(depth, 1)
    return 0


def _end_of_lines(text: str, place: int) -> int:
    """Where the first line ends with a closing mark; the end of the last line that is looked at if none does."""
    lines = _LINES.match(text, place)
    limit = lines.end() if lines else place
    closed = _CLOSED.search(text, place + 1, limit)
    return closed.start() if closed else limit
