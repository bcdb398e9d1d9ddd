"""Whether a text gives an act another year than it has."""

import re
from collections import defaultdict
from collections.abc import Sequence

from law.citations.titles import is_misdated, parse_title, year_beside
from law.references.mentions import Citation
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
