"""Parts of collections, which are cited by numbers: `12 CFR 1072`, `9 U.S.C.`, `D.C. Code § 2-`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from law.languages import LANGUAGES

_COLLECTIONS = [
    (name, re.compile(pattern, re.IGNORECASE))
    for language in LANGUAGES
    for name, pattern in language.citations.collections
]


_LONGEST_BEFORE = 3  # characters of the number before `U.S.C.`
_LONGEST_BEHIND = 30  # of `, United States Code` behind a title's number


class InCollection(NamedTuple):
    """A part of a collection, as it is named in a text from `start` to `end`."""

    start: int
    end: int


def collection_around(text: str, start: int, end: int) -> InCollection | None:
    """The part of a collection that a citation between these places of a text is of: `5 U.S.C. 552(a)`."""
    first, behind = max(start - _LONGEST_BEFORE, 0), end + _LONGEST_BEHIND
    for _, pattern in _COLLECTIONS:
        for found in pattern.finditer(text, first, behind):
            if found.start() <= end and found.end() > start and "\n" not in found[0]:
                return InCollection(found.start(), found.end())
    return None


def collection_keys(text: str) -> Iterator[str]:
    """A key for each part of a collection that a title or a query names: `cfr 12 1072`."""
    for name, pattern in _COLLECTIONS:
        for found in pattern.finditer(text):
            yield " ".join((name, *filter(None, found.groups())))
