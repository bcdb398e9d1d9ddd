"""The forms under which citations find a source: the words of its titles, and its identifiers."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from django.db import connection

from law.citations.collections import own_collection_keys
from law.citations.titles import Title, parse_title
from law.languages import LANGUAGES
from law.languages.scripts import PREFIX_LETTERS, PREFIXES
from law.words.abbreviations import abbreviation_keys
from law.words.analysis import MARKS
from law.words.numerals import division_number
from law.words.series import find_series, is_series_number, series_keys
from law.words.stop_words import FUNCTION_WORDS
from law.words.term_weights import term_ids
from sources.models import Source

MAX_CHARACTERS = 4_000
MAX_WORDS = 60
MAX_IDENTIFIER_LENGTH = 5  # words
MAX_UNREAD_LENGTH = 10  # words of a number that no form reads
MIN_LONE_NUMBER_LENGTH = 6  # characters
MAX_VOLUMES_OF_YEAR = 20

_DROPPED = re.compile(rf"[\"'״׳‘’“”„{MARKS}]")
_DASH = re.compile(r"[‐‑‒–—―−־/]")
_SPACED_DASH = re.compile(r"(?<=\d)\s?-\s?(?=\d)")
_FORMS = [(re.compile(form), usual) for language in LANGUAGES for form, usual in language.citations.identifier_forms]
_PREFIX = re.compile(rf"^[{PREFIX_LETTERS}]{{1,3}}-(?=\d)")  # ב-1234/05
_NOT_IDENTIFIER = re.compile(r"[^\w.\-]+")
_PARTED = re.compile(r"\d[.\-]\w|\w[.\-]\d")
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_LETTER = re.compile(r"[^\W\d_]")
NUMBER_NOUNS = frozenset(noun for language in LANGUAGES for noun in language.citations.number_nouns)
_BEHIND_NUMBER = re.compile(r"\s*[-–—:]\s+(\S.{3,})")
_SECTION_MARKS = re.compile(r"[\s\"'״׳’.]+")
_SECTION_DASH = re.compile("[‐‑‒–—−־]")
_LETTER_SET_OFF = re.compile(r"-(?=[^\W\d])")


def identifier_keys(text: str) -> list[str]:
    """The forms under which an identifier is found: as a whole, and the part of it that carries the number.

    `ע"א 1234/05` is found as `עא 1234-05` and as `1234-05`. `חוזר 2019-1-5` as `2019-1-5` too.
    """
    words = identifier_words(text)
    numbers = [word for word in words if is_parted(word)]
    return list(dict.fromkeys([" ".join(words), *_reports(words), *numbers])) if words else []


def unread_keys(words: str) -> list[str]:
    """The keys of a number that no form reads, with its letters: `5/2015` may be one of any series."""
    said = identifier_words(words)
    bare = [word for word in said if word not in NUMBER_NOUNS]
    whole = [" ".join(one) for one in (said, bare) if len(one) <= MAX_UNREAD_LENGTH]
    return [key for key in dict.fromkeys(whole) if _DIGIT.search(key) and _LETTER.search(key)]


def _reports(words: list[str]) -> list[str]:
    """The parts of an identifier that have a volume or year, a report's name and a page: `123 F.3d 456 (9th Cir.)`.

    With the year in which volumes are counted: `[1998] 1 SCR 27`, but `152 CLR 1` of `(1983) 152 CLR 1`.
    """
    windows = (
        (start, words[start : start + length])
        for start in range(len(words))
        for length in range(3, MAX_IDENTIFIER_LENGTH)
    )
    return [
        " ".join([*_year_before(words, start), volume, *name, page])
        for start, (volume, *name, page) in filter(lambda one: len(one[1]) >= 3, windows)
        if volume.isdigit()
        and page.isdigit()
        and not any(word.isdigit() for word in name)
        and not FUNCTION_WORDS.issuperset(name)  # `4 of 2013` is no page
    ]


def _year_before(words: list[str], place: int) -> list[str]:
    """The year before a volume that is so low that volumes may begin anew each year."""
    year = words[place - 1] if place else ""
    return [year] if _YEAR.fullmatch(year) and int(words[place]) <= MAX_VOLUMES_OF_YEAR else []


def identifier_words(text: str) -> list[str]:
    """An identifier's words. Dots and hyphens belong to its numbers, and a slash counts as a hyphen."""
    bare = " ".join(_DASH.sub("-", _DROPPED.sub("", text[:MAX_CHARACTERS])).casefold().split())
    bare = _SPACED_DASH.sub("-", bare)
    for form, usual in _FORMS:
        bare = form.sub(usual, bare)
    bare_parts = (_PREFIX.sub("", part.strip(".-")) for part in _NOT_IDENTIFIER.split(bare))
    return [part for part in bare_parts if part]


def identifier_lookups(text: str) -> list[str]:
    """The keys under which an identifier that stands somewhere in a text would be found.

    A short bare number is one only when it is the whole text: it might count anything.
    """
    if not _DIGIT.search(text):
        return []
    words = identifier_words(text)[:MAX_WORDS]
    lookups = _lookups(words) | set(series_keys(text[:MAX_CHARACTERS]))
    if bare := [word for word in words if word not in NUMBER_NOUNS]:
        lookups |= _lookups(bare) if len(bare) < len(words) else set()  # הוראה מס׳ 411
    return sorted(lookups)


def _lookups(words: list[str]) -> set[str]:
    lookups: set[str] = set()
    for start in range(len(words)):
        for end in range(start + 1, min(start + MAX_IDENTIFIER_LENGTH, len(words)) + 1):
            window = words[start:end]
            if not any(_DIGIT.search(word) for word in window):
                continue
            if len(window) > 1 or len(window) == len(words) or len(window[0]) >= MIN_LONE_NUMBER_LENGTH:
                lookups.update(" ".join([first, *window[1:]]) for first in _without_prefix(window))
            elif is_parted(window[0]):
                lookups.add(window[0])
            if len(window) > 2 and all(word.isdigit() for word in window):
                lookups.add("-".join(window))  # 2024 9 1
    return lookups


def is_parted(word: str) -> bool:
    """Whether it is a number of several parts, which is an identifier by itself."""
    return len(word) >= 4 and bool(_PARTED.search(word))


def _without_prefix(window: list[str]) -> list[str]:
    """The first word of several as it stands, and without a prefix letter: `בע"א 1234/05`."""
    first = window[0]
    prefixed = len(window) > 1 and len(first) > 2 and first[0] in PREFIXES
    return [first, first[1:]] if prefixed else [first]


def titles_of(title: str, aliases: Sequence[str]) -> list[Title]:
    """The title, then the further ones. Where one of these has no year in any calendar, it has the title's."""
    first, *others = map(parse_title, (title, *aliases, *_names_beside_number(title)))
    return [
        first,
        *(
            one if one.year or one.calendar else one._replace(year=first.year, calendar=first.calendar)
            for one in others
        ),
    ]


@lru_cache(maxsize=20_000)  # what a text cites is compared with hundreds of titles
def _names_beside_number(title: str) -> tuple[str, ...]:
    """`Republic Act No. 7 - Data Privacy Act`, `Ports Act, Cap. 5`."""
    names = []
    for number in find_series(title):
        if number.start == 0 and number.keys and (name := _BEHIND_NUMBER.match(title, number.end)):
            names.append(name[1])
        if number.start and number.series.ends_title and len(title) - number.end <= 1:
            names.append(title[: number.start].rstrip(" ,([–-"))
    return tuple(names)


def section_key(section: str) -> str:
    """A section number in the form in which two of them are compared: `5א׳` and `5א` are one, `XX` and `20` too."""
    if section.isascii() and section.isalpha():
        section = division_number(section)
    section = _LETTER_SET_OFF.sub("", _SECTION_DASH.sub("-", section))
    return _SECTION_MARKS.sub(lambda marks: "." if marks.group() == "." else "", section.strip().rstrip(".")).casefold()


class SourceKeys(NamedTuple):
    """The columns of kb_source_key besides `source_id`, in their order there."""

    topic_id: int
    title_start: str
    title_stems: list[int]
    identifiers: list[str]


def keys_of(*, topic_id: int, title: str, identifier: str, aliases: Sequence[str] = ()) -> SourceKeys:
    parsed = parse_title(title)
    stems = np.unique(np.array([word.term.stem_hash for word in parsed.words], dtype=np.uint64))
    numbers, titles = _kinds_of_names([*aliases, *_names_beside_number(title)])
    identifiers = [
        *identifier_keys(identifier),
        *abbreviation_keys(title=title, identifier=identifier),
        *own_collection_keys(title),
        *series_keys("\n".join((identifier, *numbers)), inside=True),
        *(key for number in numbers for key in identifier_keys(number)),
        number_key(title),
        *(key for name in titles for key in abbreviation_keys(title=name, identifier=name)),
        *(parse_title(name).start for name in titles),
    ]
    found = list(dict.fromkeys(filter(None, identifiers)))
    return SourceKeys(topic_id, parsed.start, term_ids(stems, topic_id).tolist(), found)


def _kinds_of_names(aliases: Sequence[str]) -> tuple[list[str], list[str]]:
    """Those that are numbers (`2023 c. 26`, `12 CFR 1072`), and those that are titles (`Hoists Act 2020`, `GDPR`)."""
    numbers = [name for name in aliases if number_keys(name)]
    return numbers, [name for name in aliases if name not in numbers]


def number_keys(name: str) -> list[str]:
    """The keys of a name that is a number alone, of a collection first, none for `Hoists (No. 2) Act 1990`."""
    key = number_key(name)
    return [*series_keys(name), *filter(None, [key])] if key or is_series_number(name) else []


def number_key(name: str) -> str:
    """The key of a short name that is a number: `Law No. 4 of 2013`, `2031 c. 26`, else ''."""
    words = parse_title(name).words
    required = [word.term.word for word in words if not word.optional]
    has_number = any(_DIGIT.search(word.term.word) for word in words)
    is_number = has_number and (len(required) == 1 or any(map(_DIGIT.search, required)))
    key = identifier_words(name) if is_number else []
    return " ".join(key) if len(key) <= MAX_IDENTIFIER_LENGTH else ""


def bare_number_key(name: str) -> str:
    """The key of a document that gives no kind with its number: `No. 4 of 2013`, of `Law No. 4 of 2013`, or ''."""
    _, noun, number = number_key(name).partition(" no ")
    return f"no {number}" if noun else ""


def store(source: Source) -> None:
    """Write a source's keys, over the ones it had."""
    topic_id, title, identifier = source.topic_id, source.title, source.identifier
    keys = keys_of(topic_id=topic_id, title=title, identifier=identifier, aliases=source.aliases)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO kb_source_key (source_id, topic_id, title_start, title_stems, identifiers)
            VALUES (%s, %s, %s, %s::int[], %s::text[])
            ON CONFLICT (source_id) DO UPDATE SET topic_id = EXCLUDED.topic_id,
                title_start = EXCLUDED.title_start, title_stems = EXCLUDED.title_stems,
                identifiers = EXCLUDED.identifiers
            """,
            [source.pk, *keys],
        )
