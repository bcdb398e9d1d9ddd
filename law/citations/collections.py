"""Parts of collections, which are cited by numbers: `12 CFR 1072`, `9 U.S.C.`, `D.C. Code § 2-`."""

import re
from collections.abc import Iterator

from law.languages import LANGUAGES

_COLLECTIONS = [
    (name, re.compile(pattern, re.IGNORECASE))
    for language in LANGUAGES
    for name, pattern in language.citations.collections
]


def collection_keys(text: str) -> Iterator[str]:
    """A key for each part of a collection that a title or a query names: `cfr 12 1072`."""
    for name, pattern in _COLLECTIONS:
        for found in pattern.finditer(text):
            yield " ".join((name, *filter(None, found.groups())))
