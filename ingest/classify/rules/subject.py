"""What a document is about, in the words of its own title."""

from __future__ import annotations

import re

from ingest.classify.rules.title import FieldValue
from kb_project.languages.documents import LAW, REGULATION, DocumentWords
from kb_project.languages.scripts import language_of

SHORTEST = 3
_TRAILING_BRACKETS = re.compile(r"\s*\[[^\]]*\]\s*$")
_YEAR_AT_END = re.compile(r",?\s*(?:of\s+)?(?:5\d{3}\s*[-–—]\s*)?(?:1[789]|20)\d\d\W*$")


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
