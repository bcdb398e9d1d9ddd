"""Parts of collections, which are cited by numbers: `12 CFR 1072`, `9 U.S.C.`, `D.C. Code § 2-`."""

import re
from collections.abc import Iterator

from law.languages import LANGUAGES
from law.patterns import regex

_COLLECTIONS = [
    (name, regex(pattern, re.IGNORECASE)) for language in LANGUAGES for name, pattern in language.citations.collections
]
# `32016R0679`, by which the European Union names what `Regulation (EU) 2016/679` is, and where it is published today
_CELEX = regex(r"(?<!\w)[03](?P<year>(?:19|20)\d\d)(?P<kind>[RLD])(?P<number>\d{4})(?![A-Za-z0-9])")
_JOURNAL = regex(r"(?<!\w)OJ L, (?P<number>20\d\d/\d{1,4})(?=, )")
_AROUND = (*(pattern for _, pattern in _COLLECTIONS), _CELEX)
_CELEX_KINDS = {"R": "eu-regulation", "L": "eu-directive", "D": "eu-decision"}
_YEAR_FIRST = 2015  # from when on all have the year before the number
_LONG_YEAR = 1999  # from when on it has four digits
# A word in small letters goes before what is only mentioned.
_IN_PASSING = regex(r"(?<!\w)[a-z]+ \(?$")

_LONGEST_BEFORE = 14  # characters of `12 U.S.C. ` before `§ 4`
_LONGEST_BEHIND = 30  # of `, United States Code` behind a title's number


def collection_around(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where the part of a collection is named that a citation between these places is of: `5 U.S.C. 552(a)`."""
    first, behind = max(start - _LONGEST_BEFORE, 0), end + _LONGEST_BEHIND
    for pattern in _AROUND:
        for found in pattern.finditer(text, first, behind):
            is_around = found.start() <= end and not text[found.end() : start].strip()
            if is_around and "\n" not in found[0]:
                return found.span()
    return None


def collection_keys(text: str) -> Iterator[str]:
    """A key for each part of a collection that a query or an identifier names: `cfr:12:1072`."""
    for name, pattern in _COLLECTIONS:
        for found in pattern.finditer(text):
            yield _key(name, found)
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
    found = sorted(
        ((match.start(), name, match) for name, pattern in _COLLECTIONS for match in pattern.finditer(title)),
        key=lambda row: row[0],
    )
    named: set[str] = set()
    for start, name, match in found:
        if name not in named and not _IN_PASSING.search(title[:start]):
            named.add(name)
            yield _key(name, match)


def _key(name: str, found: re.Match[str]) -> str:
    # No words of an identifier have such a sign: `9 U.S.C. § 4` is not in title 4.
    return ":".join((name, *filter(None, found.groups()))).casefold()
