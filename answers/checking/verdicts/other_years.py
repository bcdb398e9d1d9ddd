"""Whether a text gives an act another year than it has."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from law.citations.titles import is_misdated, parse_title, year_beside
from law.references.mentions import Citation
from law.references.reasons import Reason
from law.words.analysis import terms
from sources.citations.lookups import Stored
from sources.citations.source_keys import titles_of
from sources.citations.titles import of_another_year, title_starts
from sources.models import Source
from sources.references import ReferenceTarget, ResolutionStatus
from sources.scope import Scope

MAX_YEAR_LENGTH = 40  # characters
YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_YEAR_BEHIND = re.compile(r"(?: \([^)\n]{1,40}\))?,? ((?:1[5-9]|20)\d\d)(?!\d)")
_PARAGRAPH = re.compile(r"\n\s*\n")


def past_slips(text: str, mentions: Sequence[Citation]) -> tuple[list[Citation], set[int]]:
    """The mentions, and the places of bare sections that are of an act which the text cites by its right year.

    It named that act last by another year, once and in a paragraph before: `nor does the Hoists Act 1991 help.`
    """
    named = Counter(one.title for one in mentions if one.reason is not Reason.LAST_NAMED)
    cited: dict[object, set[str]] = defaultdict(set)  # by their names without the year
    for one in mentions:
        if one.title and one.number and one.reason is not Reason.LAST_NAMED:
            cited[parse_title(one.title).words].add(one.title)
    found: list[Citation] = []
    places: set[int] = set()
    end, meant, is_behind = 0, "", False
    for place, one in enumerate(mentions):
        if one.title and one.reason is not Reason.LAST_NAMED:
            is_once = named[one.title] == 1 and not one.number
            others = [title for title in cited[parse_title(one.title).words] if _is_of_other_year(title, one.title)]
            end, meant, is_behind = one.end, others[0] if is_once and len(others) == 1 else "", False
        elif meant and one.number and one.reason is Reason.LAST_NAMED:
            is_behind = is_behind or _PARAGRAPH.search(text, end, one.start) is not None
            end = one.start
            if is_behind:
                places.add(place)
                one = replace(one, title=meant)
        found.append(one)
    return found, places


def _is_of_other_year(title: str, other: str) -> bool:
    one, two = parse_title(title), parse_title(other)
    return one != two and bool(one.year and two.year)


class OtherYears:
    """The years that a text gives to acts. `sources` are those called like acts that are not here, but for the year."""

    def __init__(
        self,
        text: str,
        mentions: Sequence[Citation],
        meant: Sequence[ReferenceTarget],
        *,
        scope: Scope,
    ) -> None:
        self._text = text
        self._wrong: set[str] = set()  # names of acts, as the text goes on
        self.sources = _called_alike(mentions, meant, scope=scope)

    def is_another(self, one: Citation, source: Source) -> bool:
        """Whether a citation gives the act that it leads to another year. Asked in the order of the text."""
        return self._is_misdated(one, source) or self._is_of_another_year(one, source)

    def _is_misdated(self, one: Citation, source: Source) -> bool:
        """Whether one of the two years that the text gives the act is another's."""
        year, calendar = year_beside(terms(self._text[one.end : one.end + MAX_YEAR_LENGTH]))
        if not (year and calendar):
            said = parse_title(one.title)
            year, calendar = said.year, said.calendar
        return is_misdated(parse_title(source.title), year, calendar)

    def _is_of_another_year(self, one: Citation, source: Source) -> bool:
        """Whether a year follows that is not the act's: `Hoists Act (Northern Ireland) 1991`. Then it is for good."""
        year = parse_title(source.title).year
        behind = _YEAR_BEHIND.match(self._text, one.end)
        if behind and year and not YEAR.search(one.title):
            (self._wrong.add if behind[1] != year else self._wrong.discard)(one.title)
        return one.title in self._wrong


def _called_alike(
    mentions: Sequence[Citation], meant: Sequence[ReferenceTarget], *, scope: Scope
) -> dict[str, list[int]]:
    """The sources that are called like the acts that are not here, but for the year."""
    titles = {
        one.title
        for one, target in zip(mentions, meant, strict=True)
        if target.status == ResolutionStatus.NOT_HERE and one.title
    }
    if not titles:
        return {}
    starts = {start for title in titles for start in title_starts(title)}
    by_start = defaultdict(list)
    for candidate in Stored(scope.limited_to).sources(starts=starts, identifiers=()):
        for title in titles_of(candidate.title, candidate.aliases):
            by_start[title.start].append((candidate.source_id, title))
    return {
        title: of_another_year(title, (it for start in title_starts(title) for it in by_start.get(start, ())))
        for title in titles
    }
