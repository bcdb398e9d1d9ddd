"""The kind of a document: from what its title calls it, else from what its text calls itself. Its subject."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.classify.rules.lines import Line, begins_section
from ingest.classify.rules.title import FieldValue
from kb_project.languages import LANGUAGES
from kb_project.languages.documents import LAW, REGULATION, DocumentWords
from kb_project.languages.scripts import language_of

_SELF_REFERENCES = [reference for language in LANGUAGES for reference in language.documents.self_references]
SHORTEST = 3
_TRAILING_BRACKETS = re.compile(r"\s*\[[^\]]*\]\s*$")
_YEAR_AT_END = re.compile(r",?\s*(?:of\s+)?(?:5\d{3}\s*[-–—]\s*)?(?:1[789]|20)\d\d\W*$")


def find_kind(lines: Sequence[Line], title: FieldValue | None) -> FieldValue | None:
    """The kind and the words that say it."""
    header = [line for line in lines[:3] if title is None or line.text not in title.quote]
    return (
        (_from_title(title) if title else None)
        or next((found for line in header if (found := _from_header(line))), None)
        or _from_self_references(lines)
    )


def _from_title(title: FieldValue) -> FieldValue | None:
    kind = kind_of_title(title.value)
    return FieldValue(kind, title.quote, title.page) if kind else None


def _from_header(line: Line) -> FieldValue | None:
    """A short line above the title that says what follows: `חוזר מספר 5`, `Circular No. 5`."""
    short = len(line.text) <= 60 and not begins_section(line.text)
    kind = kind_of_title(line.text) if short else None
    return FieldValue(kind, line.text, line.page) if kind else None


def kind_of_title(title: str) -> str | None:
    """The kind that a title names, by its first words or by its head noun, as its language has it."""
    words = language_of(title).documents
    if words.genre_leads:
        return next((kind for pattern, kind in words.genres if pattern.match(title)), None)
    phrase = next((kind for pattern, kind in words.genre_phrases if pattern.match(title)), None)
    if phrase:
        return phrase
    head = words.head_ends.split(title, maxsplit=1)[0]
    return _last_genre(head, words) or _last_genre(title, words)


def _last_genre(text: str, words: DocumentWords) -> str | None:
    """The kind of the genre word that stands last: `Guidance Rules` are rules."""
    found = [(match.end(), -rank, kind) for rank, (pattern, kind) in enumerate(words.genres)
             for match in pattern.finditer(text)]  # fmt: skip
    return max(found)[2] if found else None


def _from_self_references(lines: Sequence[Line]) -> FieldValue | None:
    """The kind that the text first gives itself; further down it may speak of other documents in the same way."""
    for line in lines:
        found = [
            (match.start(), kind, match[0])
            for pattern, kind in _SELF_REFERENCES
            if (match := pattern.search(line.text))
        ]
        if found:
            _, kind, quote = min(found)
            return FieldValue(kind, quote, line.page)
    return None


def find_subject(title: FieldValue | None) -> FieldValue | None:
    """The title without the name of its genre and its year; None when nothing, or no less than the title, is left."""
    if title is None:
        return None
    words = language_of(title.value).documents
    core = (_behind_genre if words.genre_leads else _beside_genre)(title.value, words)
    core = core.strip(" ,.:–—־-")
    if len(core) < SHORTEST or core == title.value:
        return None
    return FieldValue(core, title.quote, title.page)


def _behind_genre(title: str, words: DocumentWords) -> str:
    end = words.title_end.search(title)
    core = _TRAILING_BRACKETS.sub("", title[: end.start()] if end else title)
    for pattern, _ in words.genres:
        if match := pattern.match(core):
            return core[match.end() :]
    return core


def _beside_genre(title: str, words: DocumentWords) -> str:
    core = _YEAR_AT_END.sub("", title)
    for pattern, kind in words.genres:
        for match in pattern.finditer(core):
            if match.start() == 0:
                return words.title_links.sub("", core[match.end() :].lstrip(" –—-:"), count=1)
            if match.end() == len(core) and kind in (LAW, REGULATION):
                return core[: match.start()]
    return core
