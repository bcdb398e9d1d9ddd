"""The sources that a text gives a key of: an identifier, or a short name.

A number may be one of another series: `S 63/2014` is not `L.N. 63/2014`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kb_project.database.rows import fetch
from law.citations.titles import Title, parse_title
from law.citations.unread import numbers_of_series
from law.words.abbreviations import SIGN
from law.words.stop_words import FUNCTION_WORDS
from sources.citations.source_keys import NUMBER_NOUNS, identifier_words, is_parted, titles_of
from sources.scope import Scope

_LETTERS = re.compile(r"[^\W\d_]+")
_MIN_BEGINNING = 3  # letters of a word that is cut short
MAX_FOUND = 50
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


@dataclass(frozen=True, kw_only=True)
class SourcesByKey:
    """The sources of identifiers in a text, the longest first, those of each short name, and what all are called."""

    by_identifier: tuple[int, ...]
    by_abbreviation: dict[str, tuple[int, ...]]
    titles: dict[int, list[Title]] = field(default_factory=dict)


def find_sources_by_key(lookups: Iterable[str], text: str = "", *, scope: Scope) -> SourcesByKey:
    """The sources of a scope that have any of the keys, which a text gives, in one query. Without keys there are none.

    Among those that share a short name, one whose title has a year of the text comes alone. A number that the text says
    is of another series is none of a source.
    """
    keys = sorted(set(lookups))
    if not keys:
        return SourcesByKey(by_identifier=(), by_abbreviation={})
    condition, parameters = scope.source_condition("s")
    rows: list[tuple[int, str, list[str], list[str], list[str]]] = fetch(
        # One look-up for each key, and of the source only for what was found: the planner, who cannot know how rare
        # keys are, would else walk through all sources. OFFSET 0 keeps it from making a join of them.
        f"""
        SELECT k.source_id, s.title, s.aliases, k.identifiers, array_agg(wanted.key)
        FROM unnest(%(keys)s::text[]) AS wanted(key)
        CROSS JOIN LATERAL (
            SELECT source_id, identifiers FROM kb_source_key WHERE identifiers @> ARRAY[wanted.key] OFFSET 0
        ) AS k
        CROSS JOIN LATERAL (
            SELECT s.title, s.aliases FROM kb_source s WHERE s.id = k.source_id AND {condition} OFFSET 0
        ) AS s
        GROUP BY k.source_id, s.title, s.aliases, k.identifiers ORDER BY k.source_id LIMIT {MAX_FOUND}
        """,
        {**parameters, "keys": keys},
    )
    series, years = SeriesOfText(text), frozenset(_YEAR.findall(text))
    rows = [row for row in rows if not series.is_another(row[-1], row[-2])]
    return SourcesByKey(
        by_identifier=_longest_first([(source_id, _identifiers(found)) for source_id, *_, found in rows]),
        by_abbreviation={
            key: _of_the_year([(source_id, title) for source_id, title, *_, found in rows if key in found], years)
            for key in keys
            if key.startswith(SIGN)
        },
        titles={source_id: titles_of(title, aliases) for source_id, title, aliases, *_ in rows},
    )


def _identifiers(keys: Iterable[str]) -> list[str]:
    return [key for key in keys if not key.startswith(SIGN)]


def _longest_first(rows: list[tuple[int, list[str]]]) -> tuple[int, ...]:
    """Of the sources with one number (`ע"א 1234/05`, `רע"א 1234/05`) only those that the text gives most fully."""
    longest: dict[str, int] = {}
    for _, keys in rows:
        for key in keys:
            number = _number(key)
            longest[number] = max(longest.get(number, 0), len(key))
    chosen = [
        (max(map(len, keys)), source_id)
        for source_id, keys in rows
        if any(len(key) == longest[_number(key)] for key in keys)
    ]
    return tuple(source_id for _, source_id in sorted(chosen, key=lambda row: (-row[0], row[1])))


def _number(key: str) -> str:
    """The part of a key that carries its number."""
    return next((word for word in key.split() if is_parted(word)), key)


def _of_the_year(rows: list[tuple[int, str]], years: frozenset[str]) -> tuple[int, ...]:
    same = [source_id for source_id, title in rows if parse_title(title).year in years]
    return tuple(same or (source_id for source_id, _ in rows))


class SeriesOfText:
    """The series of which a text says that its numbers are, by the words or letters before them."""

    def __init__(self, text: str) -> None:
        self._said = [identifier_words(name) for name in numbers_of_series(text)]

    def is_another(self, found: Iterable[str], keys: Sequence[str]) -> bool:
        """Whether a document with these keys, of which a text gives those `found`, is numbered in another series.

        It is where the text gives its number alone of it, and words before it that the document's own number has not.
        """
        numbers = [key for key in found if not key.startswith(SIGN)]
        if not numbers or any(map(_LETTERS.search, numbers)):
            return False
        own = {letters for key in keys for letters in _series(key.split(), numbers)}
        said = {letters for words in self._said for letters in _series(words, numbers)}
        return bool(own and said) and not any(_is_same(one, other) for one in own for other in said)


def _series(words: Sequence[str], numbers: Sequence[str]) -> set[str]:
    """The words and letters beside one of the numbers, if these words have one."""
    if not any(number in words or word.endswith(f"-{number}") for number in numbers for word in words):
        return set()
    letters = {letters for word in words for letters in _LETTERS.findall(word)}
    return {one for one in letters if one not in NUMBER_NOUNS and one not in FUNCTION_WORDS}


def _is_same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= _MIN_BEGINNING and longer.startswith(shorter))
