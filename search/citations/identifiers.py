"""Identifiers in one form, however their dashes, quotes and spaces are written, and how a text gives them."""

from __future__ import annotations

import re

from kb_project.languages import LANGUAGES
from search.text.analysis import MARKS

MOST_CHARACTERS = 4_000
MOST_WORDS = 60
LONGEST_IDENTIFIER = 5  # words
SHORTEST_LONE_NUMBER = 6  # characters

_DROPPED = re.compile(rf"[\"'״׳‘’“”„{MARKS}]")
_DASH = re.compile(r"[‐‑‒–—―−־/]")
_SPACED_DASH = re.compile(r"(?<=\d)\s?-\s?(?=\d)")
_FORMS = [(re.compile(form), usual) for language in LANGUAGES for form, usual in language.citations.identifier_forms]
_PREFIX_LETTERS = "".join(letter for language in LANGUAGES for letter in language.prefixes)
_PREFIX = re.compile(rf"^[{_PREFIX_LETTERS}]{{1,3}}-(?=\d)")  # ב-1234/05
_NOT_IDENTIFIER = re.compile(r"[^\w.\-]+")
_PARTED = re.compile(r"\d[.\-]\w|\w[.\-]\d")
_DIGIT = re.compile(r"\d")
_OF_NUMBER = frozenset(noun for language in LANGUAGES for noun in language.citations.number_nouns)


def identifier_keys(text: str) -> list[str]:
    """The forms under which an identifier is found: as a whole, and the part of it that carries the number.

    `ע"א 1234/05` is found as `עא 1234-05` and as `1234-05`; `חוזר 2019-1-5` as `2019-1-5` too.
    """
    words = identifier_words(text)
    numbers = [word for word in words if is_parted(word)]
    return list(dict.fromkeys([" ".join(words), *numbers])) if words else []


def identifier_words(text: str) -> list[str]:
    """An identifier's words; dots and hyphens belong to its numbers, and a slash counts as a hyphen."""
    bare = " ".join(_DASH.sub("-", _DROPPED.sub("", text[:MOST_CHARACTERS])).casefold().split())
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
    words = identifier_words(text)[:MOST_WORDS]
    lookups = _lookups(words)
    if bare := [word for word in words if word not in _OF_NUMBER]:
        lookups |= _lookups(bare) if len(bare) < len(words) else set()  # הוראה מס׳ 411
    return sorted(lookups)


def _lookups(words: list[str]) -> set[str]:
    lookups: set[str] = set()
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST_IDENTIFIER, len(words)) + 1):
            window = words[start:end]
            if not any(_DIGIT.search(word) for word in window):
                continue
            if len(window) > 1 or len(window) == len(words) or len(window[0]) >= SHORTEST_LONE_NUMBER:
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
    prefixed = len(window) > 1 and len(first) > 2 and first[0] in _PREFIX_LETTERS
    return [first, first[1:]] if prefixed else [first]
