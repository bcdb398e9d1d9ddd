"""What a document is about, in the words of its own title."""

from __future__ import annotations

import re

from ingest.classify.rules import english_words, hebrew_words
from ingest.classify.rules.lines import HEBREW_LETTER
from ingest.classify.rules.title import Found

SHORTEST = 3
_TRAILING_BRACKETS = re.compile(r"\s*\[[^\]]*\]\s*$")
_ENGLISH_YEAR = re.compile(r",?\s*(?:of\s+)?(?:5\d{3}\s*[-–—]\s*)?(?:1[789]|20)\d\d\W*$")
_LINK = re.compile(r"(?:Notes?\s+)?(?:(?:on|for|to|regarding|concerning|of)\s+)?", re.IGNORECASE)


def find_subject(title: Found | None) -> Found | None:
    """The title without the name of its genre and its year; None when nothing, or no less than the title, is left."""
    if title is None:
        return None
    core = _hebrew(title.value) if HEBREW_LETTER.search(title.value) else _english(title.value)
    core = core.strip(" ,.:–—־-")
    if len(core) < SHORTEST or core == title.value:
        return None
    return Found(core, title.quote, title.page)


def _hebrew(title: str) -> str:
    end = hebrew_words.STATUTE_TITLE_END.search(title)
    core = _TRAILING_BRACKETS.sub("", title[: end.start()] if end else title)
    for pattern, _ in hebrew_words.GENRE:
        if match := pattern.match(core):
            return core[match.end() :]
    return core


def _english(title: str) -> str:
    core = _ENGLISH_YEAR.sub("", title)
    for pattern, kind in english_words.GENRE:
        for match in pattern.finditer(core):
            if match.start() == 0:
                return _LINK.sub("", core[match.end() :].lstrip(" –—-:"), count=1)
            if match.end() == len(core) and kind in (english_words.LAW, english_words.REGULATION):
                return core[: match.start()]
    return core
