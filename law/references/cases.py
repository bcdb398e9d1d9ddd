"""Judgments and circulars in a text, which are cited by a number or by where they are reported."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from law.citations.numbers import any_of
from law.patterns import regex
from law.references import patterns

PARTED = regex(r"\d{1,6}[./-]\d")
_NUMBER = regex(r"\d{1,6}(?:[/-]\d{1,6}){1,3}(?![\w/-])")
_FURTHER = regex(rf"(?:, ?| )(?:{any_of('and_words')})?", re.IGNORECASE)
_OF_TWO_PARTS = regex(r"\d+[/-]\d+")
_MAX_LEAD_LENGTH = 60  # characters before the number of a case that belong to it
_MAX_GAP_LENGTH = 180  # characters from a judgment to a paragraph of it


@dataclass(frozen=True, slots=True)
class Case:
    """A judgment or circular that stands between two places of the text. `number` is the part of its identifier."""

    start: int
    end: int
    identifier: str
    number: str = ""


@dataclass
class CaseIndex:
    """The judgments and circulars of a text, in its order."""

    text: str
    reports: Mapping[int, int]  # where judgments are named by where they are printed: begin and end
    _last: Case | None = field(default=None, init=False)

    def at(self, place: int, *, least: int) -> Case | None:
        """The one whose report, or whose number, begins here. What belongs to it begins at `least` or behind."""
        if end := self.reports.get(place):
            return self._note(Case(place, end, self.text[place:end]))
        number = _NUMBER.match(self.text, place)
        if number is None:
            return None
        return self._numbered(number, least=max(least, place - _MAX_LEAD_LENGTH)) or self._listed(number)

    def _numbered(self, number: re.Match[str], *, least: int) -> Case | None:
        """The one with this number, if the words for it stand before: `Case C-`."""
        lead = self.text[least : number.start()]
        for language in patterns.ALL:
            if before := language.identifier_before.search(lead):
                start = least + before.start("identifier")
                return self._note(Case(start, number.end(), self.text[start : number.end()], number[0]))
        return None

    def _listed(self, number: re.Match[str]) -> Case | None:
        """A case by its number alone, behind one of the same kind: `Applications nos. 12/31 and 13/31`."""
        last = self._last
        if last is None or not _OF_TWO_PARTS.fullmatch(last.number) or not _OF_TWO_PARTS.fullmatch(number[0]):
            return None
        if ("/" in last.number) != ("/" in number[0]) or not _FURTHER.fullmatch(self.text, last.end, number.start()):
            return None
        identifier = last.identifier.removesuffix(last.number) + number[0]
        return self._note(Case(number.start(), number.end(), identifier, number[0]))

    def behind(self, place: int) -> Case | None:
        """The one that a citation goes on with: `section 5 of Circular 2031-1-7`, `paragraph 5 of [2031] 2 AC 5`."""
        ahead = self.text[place : place + _MAX_LEAD_LENGTH]
        links = [link.end() for language in patterns.ALL if (link := language.to_case.match(ahead))]
        report = next((place + end for end in links if place + end in self.reports), None)
        if report is not None:
            return self._note(Case(report, self.reports[report], self.text[report : self.reports[report]]))
        if not links:
            return None
        number = _NUMBER.search(self.text, place, place + _MAX_LEAD_LENGTH)
        case = self._numbered(number, least=place) if number else None
        between = self.text[place : case.start] if case else ""
        return case if any(language.to_case.fullmatch(between) for language in patterns.ALL) else None

    def pinpoint(self, case: Case) -> re.Match[str] | None:
        """The number of a paragraph in square brackets right behind it: `, at [25]`."""
        return next(filter(None, (language.pinpoint.match(self.text, case.end) for language in patterns.ALL)), None)

    def before(self, place: int, *, of_paragraphs: bool) -> Case | None:
        """The one that a citation is of a paragraph of: `Case C-12/31, paragraph 5`, or of a section behind a comma."""
        last = self._last
        if last is None or not 0 < place - last.end <= _MAX_GAP_LENGTH:
            return None
        gaps = filter(None, (one.to_paragraph.fullmatch(self.text, last.end, place) for one in patterns.ALL))
        return last if any(of_paragraphs or not gap.groupdict().get("near") for gap in gaps) else None

    def _note(self, case: Case) -> Case:
        self._last = case
        return case
