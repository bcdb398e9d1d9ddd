"""Instruments and parts of collections that a text names by numbers, by their keys: `12 CFR 1072`, `S.I. 2031/5`."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from law.patterns import regex
from law.words.series import Named, find_series, series_keys, series_readers

# `32016R0679`, by which the European Union names what `Regulation (EU) 2016/679` is, and where it is published today
_CELEX = regex(r"(?<!\w)[03](?P<year>(?:19|20)\d\d)(?P<kind>[RLD])(?P<number>\d{4})(?![A-Za-z0-9])")
_JOURNAL = regex(r"(?<!\w)OJ L, (?P<number>20\d\d/\d{1,4})(?=, )")
_CELEX_KINDS = {"R": "eu-regulation", "L": "eu-directive", "D": "eu-decision"}
_YEAR_FIRST = 2015  # from when on all have the year before the number
_LONG_YEAR = 1999  # from when on it has four digits
# A word in small letters goes before what is only mentioned.
_IN_PASSING = regex(r"(?<!\w)[a-z]+ \(?$")
_MOST_AROUND = 3  # of those that begin before the end of a citation


class SeriesIndex:
    """What a text names by a number: `instruments` by where they begin, and the parts of collections.

    `shown` are those of the latter that texts write in several ways, as they are shown.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        named = find_series(text)
        self.instruments: dict[int, Named] = {one.start: one for one in named if not one.series.around}
        parts = [(one.start, one.end) for one in named if one.series.around]
        self.shown = {one.start: one.shown for one in named if one.series.around and one.series.shown}
        self._parts = sorted([*parts, *(celex.span() for celex in _CELEX.finditer(text))])

    def around(self, start: int, end: int, *, comma: bool = False) -> tuple[int, int] | None:
        """Where the part of a collection is named that a citation between these places is of: `5 U.S.C. 552(a)`.

        With `comma` also one before a comma: `Title 44, United States Code, section 507`.
        """
        last = bisect_right(self._parts, (end, len(self._text)))
        for opens, closes in reversed(self._parts[max(last - _MOST_AROUND, 0) : last]):
            between = self._text[closes:start].strip()
            if (not between or (comma and between == ",")) and "\n" not in self._text[opens:closes]:
                return opens, closes
        behind = self._parts[last : last + 1]  # `section 5, title 18, United States Code`
        return next((part for part in behind if self._text[end : part[0]] in (", ", " of ")), None)


def collection_keys(text: str, *, inside: bool = False) -> Iterator[str]:
    """A key for each part of a collection or series that a query or an identifier names: `cfr:12:1072`.

    With `inside` also those under which a shorter form of the name is looked up.
    """
    yield from series_keys(text, inside=inside)
    for celex in _CELEX.finditer(text):
        yield from (f"{_CELEX_KINDS[celex['kind']]}:{number}" for number in _numbers_of(celex))
    for journal in _JOURNAL.finditer(text):
        yield from (f"{kind}:{journal['number']}" for kind in _CELEX_KINDS.values())


def _numbers_of(celex: re.Match[str]) -> list[str]:
    """How texts write the number of such an act, the likeliest first."""
    number, years = str(int(celex["number"])), [celex["year"]]
    if int(celex["year"]) <= _LONG_YEAR:
        years.insert(0, celex["year"][2:])
    if celex["kind"] == "R" and int(celex["year"]) < _YEAR_FIRST:
        return [f"{number}/{year}" for year in years]
    return [f"{year}/{number}" for year in years]


def own_collection_keys(title: str) -> Iterator[str]:
    """The keys of the document that has the title, and of no other that it mentions: `… under Act 71 of 2008`."""
    named: set[str] = set()
    for one in sorted(
        (one for reader in series_readers() for one in reader.find(title)), key=lambda one: (one.start, -one.end)
    ):
        series = one.series.same_as or one.series.name
        if series not in named and not _IN_PASSING.search(title[: one.start]):
            named.add(series)
            yield one.key
