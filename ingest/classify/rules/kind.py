"""The kind of a document: from what its title calls it, else from what its text calls itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.classify.rules import english_words, hebrew_words
from ingest.classify.rules.lines import HEBREW_LETTER, Line, begins_section
from ingest.classify.rules.title import Found

_SELF = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (*hebrew_words.SELF_REFERENCES, *english_words.SELF_REFERENCES)
)


def find_kind(lines: Sequence[Line], title: Found | None) -> Found | None:
    """The kind and the words that say it."""
    header = [line for line in lines[:3] if title is None or line.text not in title.quote]
    return (
        (_from_title(title) if title else None)
        or next((found for line in header if (found := _from_header(line))), None)
        or _from_self_references(lines)
    )


def _from_title(title: Found) -> Found | None:
    kind = kind_of_title(title.value)
    return Found(kind, title.quote, title.page) if kind else None


def _from_header(line: Line) -> Found | None:
    """A short line above the title that says what follows: `חוזר מספר 5`, `Circular No. 5`."""
    short = len(line.text) <= 60 and not begins_section(line.text)
    kind = kind_of_title(line.text) if short else None
    return Found(kind, line.text, line.page) if kind else None


def kind_of_title(title: str) -> str | None:
    """The kind that a title names, by its first word in Hebrew and its head noun in English."""
    if HEBREW_LETTER.search(title):
        return next((kind for pattern, kind in hebrew_words.GENRE if pattern.match(title)), None)
    phrase = next((kind for pattern, kind in english_words.PHRASES if pattern.match(title)), None)
    if phrase:
        return phrase
    head = english_words.HEAD_ENDS.split(title, maxsplit=1)[0]
    return _last_genre(head) or _last_genre(title)


def _last_genre(text: str) -> str | None:
    """The kind of the genre word that stands last: `Guidance Rules` are rules."""
    found = [(match.end(), -rank, kind) for rank, (pattern, kind) in enumerate(english_words.GENRE)
             for match in pattern.finditer(text)]  # fmt: skip
    return max(found)[2] if found else None


def _from_self_references(lines: Sequence[Line]) -> Found | None:
    """The kind that the text first gives itself; further down it may speak of other documents in the same way."""
    for line in lines:
        found = [(match.start(), kind, match[0]) for pattern, kind in _SELF if (match := pattern.search(line.text))]
        if found:
            _, kind, quote = min(found)
            return Found(kind, quote, line.page)
    return None
