"""Parts of collections, which are cited by numbers: `12 CFR 1072`, `9 U.S.C.`, `D.C. Code § 2-`."""

import re
from collections.abc import Iterator

from law.languages import LANGUAGES

_COLLECTIONS = [
    (name, re.compile(pattern, re.IGNORECASE))
    for language in LANGUAGES
    for name, pattern in language.citations.collections
]
# A word in small letters goes before what is only mentioned.
_IN_PASSING = re.compile(r"(?<!\w)[a-z]+ \(?$")

_LONGEST_BEFORE = 14  # characters of `12 U.S.C. ` before `§ 4`
_LONGEST_BEHIND = 30  # of `, United States Code` behind a title's number


def collection_around(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where the part of a collection is named that a citation between these places is of: `5 U.S.C. 552(a)`."""
    first, behind = max(start - _LONGEST_BEFORE, 0), end + _LONGEST_BEHIND
    for _, pattern in _COLLECTIONS:
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
