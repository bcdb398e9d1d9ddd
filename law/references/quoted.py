"""New law, which an amending act inserts into another: no provision of the amending act itself.

It stands in quotation marks, or below a line that says so, up to the next line that amends or the end of the section.
"""

from bisect import bisect_right
from collections.abc import Iterator

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.references import patterns
from law.references.places import ProvisionIndex

_MAX_LEAD_LENGTH = 160  # characters before the mark, in which words say that something is inserted
_MAX_LENGTH = 30_000  # characters of what is inserted
_OPENS = regex(r"(?<!\w)[“„\"](?=[\w(\[])")
_MARKS = regex(r"(?<!\w)[“„](?=\S)|[”“](?!\w)")
_JOINS = either(language.statutes.joins for language in LANGUAGES)
_STRAIGHT = regex(rf"\"(?=[.,;:)]*\s*$|[.;]* ?{_JOINS}?\s*\n)")


class QuotedLaw:
    """Where it stands in a folded text."""

    def __init__(self, text: str, places: ProvisionIndex) -> None:
        self._spans: list[tuple[int, int]] = []
        end = 0
        for opens in _OPENS.finditer(text):
            place = opens.start()
            if place < end or not self._is_inserted(text, place):
                continue
            if closes := _closes(text, opens.end(), opens[0]):
                self._spans.append((place, closes))
            end = closes or place + _MAX_LENGTH  # one that does not end is looked at once
        self._spans = sorted([*self._spans, *_unmarked(text, places)])
        self._starts = [start for start, _ in self._spans]

    def hold(self, place: int) -> bool:
        """Whether the place is in such a quotation."""
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._spans[index][1]

    @staticmethod
    def _is_inserted(text: str, place: int) -> bool:
        lead = text[max(0, place - _MAX_LEAD_LENGTH) : place]
        return any(language.amends.search(lead) for language in patterns.ALL)


def _unmarked(text: str, places: ProvisionIndex) -> Iterator[tuple[int, int]]:
    """Where new law without quotation marks stands: below `is replaced by the following:`."""
    for language in patterns.ALL:
        for lead in language.leads_new_law.finditer(text):
            start = lead.end()
            end = min(places.end_of_section(lead.start()) or start, start + _MAX_LENGTH)
            amends = language.amends_line.search(text, start, end)
            end = amends.start() if amends else end
            if end > start and not _OPENS.match(text, start):
                yield start, end


def _closes(text: str, place: int, opens: str) -> int:
    """Where the quotation ends that begins there, 0 where that is not seen."""
    limit = min(len(text), place + _MAX_LENGTH)
    if opens == '"':
        closes = _STRAIGHT.search(text, place, limit)
        return closes.start() if closes else 0
    depth = 1
    for mark in _MARKS.finditer(text, place, limit):
        depth += 1 if mark.end() < limit and mark[0] in "“„" and text[mark.end()].isalnum() else -1
        if depth == 0:
            return mark.start()
    return 0
