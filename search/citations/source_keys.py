"""The forms under which citations find a source: the words of its title, and its identifier."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from django.db import connection

from kb_project.languages import LANGUAGES
from kb_project.languages.scripts import either
from search.citations.identifiers import identifier_keys
from search.ranking.term_weights import term_ids
from search.text.abbreviations import abbreviation_keys
from search.text.analysis import Term, terms

_YEAR = r"\d{4}"
# What follows a title's name: `, התש"ט–1949`, `, 1949`, ` 2006`.
_CALENDAR_YEAR = either(language.citations.calendar_year for language in LANGUAGES)
_TITLE_YEAR = re.compile(rf"(?<![,\s])[,\s]+(?:{_CALENDAR_YEAR}\s*[-–—־]?\s*)?(?P<year>{_YEAR})\s*$")
_ONLY_CALENDAR_YEAR = re.compile(rf",\s*{_CALENDAR_YEAR}\s*$")
_OPTIONAL = re.compile(r"[(\[]|[)\]]")
_SECTION_MARKS = re.compile(r"[\s\"'״׳’.]+")


class TitleWord(NamedTuple):
    """A word of a title; what stands in brackets may be left out when the title is cited."""

    term: Term
    optional: bool


class Title(NamedTuple):
    """A title as citations see it."""

    words: tuple[TitleWord, ...]
    year: str

    @property
    def start(self) -> str:
        """The stems of its first two words, by which titles that a text may name are looked up."""
        return " ".join(word.term.stem for word in self.words[:2])


@lru_cache(maxsize=20_000)
def parse_title(title: str) -> Title:
    """The words of a title, without its year."""
    year = ""
    if match := _TITLE_YEAR.search(title):
        year, title = match["year"], title[: match.start()]
    title = _ONLY_CALENDAR_YEAR.sub("", title)
    words = []
    depth = 0
    place = 0
    for bracket in [*_OPTIONAL.finditer(title), None]:
        end = bracket.start() if bracket else len(title)
        words += [TitleWord(term, depth > 0) for term in terms(title[place:end])]
        if bracket:
            depth = depth + 1 if bracket.group() in "([" else max(depth - 1, 0)
            place = bracket.end()
    return Title(tuple(words), year)


def section_key(section: str) -> str:
    """A section number in the form in which two of them are compared: `5א׳` and `5א` are one, `12A` and `12a` too."""
    return _SECTION_MARKS.sub(lambda marks: "." if marks.group() == "." else "", section.strip().rstrip(".")).casefold()


def keys_of(*, topic_id: int, title: str, identifier: str) -> list[Any]:
    """The columns `topic_id`, `title_start`, `title_stems` and `identifiers` of kb_source_key."""
    parsed = parse_title(title)
    stems = np.unique(np.array([word.term.stem_hash for word in parsed.words], dtype=np.uint64))
    identifiers = [*identifier_keys(identifier), *abbreviation_keys(title=title, identifier=identifier)]
    return [topic_id, parsed.start, term_ids(stems, topic_id).tolist(), identifiers]


def store(*, source_id: int, topic_id: int, title: str, identifier: str) -> None:
    """Write a source's keys, over the ones it had."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO kb_source_key (source_id, topic_id, title_start, title_stems, identifiers)
            VALUES (%s, %s, %s, %s::int[], %s::text[])
            ON CONFLICT (source_id) DO UPDATE SET topic_id = EXCLUDED.topic_id,
                title_start = EXCLUDED.title_start, title_stems = EXCLUDED.title_stems,
                identifiers = EXCLUDED.identifiers
            """,
            [source_id, *keys_of(topic_id=topic_id, title=title, identifier=identifier)],
        )
