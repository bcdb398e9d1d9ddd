"""Which sources a text names by their titles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from kb_project.database.rows import Query, Rows
from law.citations.titles import (
    MAX_YEAR_WORDS,
    STEM_MATCH,
    Title,
    TitleWord,
    align,
    of_one_year,
    title_similarity,
    without_prefixes,
    year_beside,
)
from law.languages.scripts import language_of
from law.words.analysis import Term, term_offsets, terms
from sources.citations.source_keys import titles_of
from sources.scope import Scope

MAX_TEXT_LENGTH = 80  # words looked at
MAX_TITLES = 2_000
MAX_PLACES = 2_000  # of a text that begin alike
MAX_COMPARED = 1_000  # titles at places that are remembered of a text
MAX_YEAR_LENGTH = 24  # characters from a name to its year and this
MIN_CHUNKS = 2  # of a source in which something can be looked for: in a single passage nothing is chosen
MIN_NAME_LENGTH = 2  # words: a single one names nothing, unless it is the whole title


@dataclass(frozen=True, kw_only=True)
class TitleMatch:
    """A source that a text may mean.

    `matched` counts the words of the title that the text gives, `left` those it leaves out. `complete` says that
    the text gives every word that stands outside brackets in the title. `start` and `end` are the words of the
    text that it takes for the title, of the first without `prefix` letters.
    """

    source_id: int
    title: Title
    start: int
    end: int
    matched: float
    left: int
    complete: bool
    same_year: bool | None  # None where one of the two gives none
    prefix: int = 0

    @property
    def order(self) -> tuple[float, bool, bool, int, int]:
        """Sorts the likeliest first."""
        return (-self.matched, not self.same_year, not self.complete, self.left, self.source_id)


class TitleMatches(Protocol):
    """The sources that a text names, the likeliest first."""

    def __call__(self, least_chunks: int, *, cut_short: bool = False, kinds: Collection[str] = ()) -> list[TitleMatch]:
        """Those with so many chunks or more, and of some kinds where any are given.

        With `cut_short` also those with whose beginning the text ends.
        """
        ...


@dataclass(frozen=True)
class GivenTitles:
    """The whole titles of sources of whatever day that a text gives. `spans` is where: the longest at each place."""

    spans: Sequence[tuple[int, int]]
    starts: Set[str]
    rows: Rows

    def matches(self, words: Sequence[Term], *, scope: Scope) -> TitleMatches:
        """As `title_query` for words of the text, which is not asked where all that it gives was read already."""
        lookup = _lookup_anywhere(words)
        if len(self.rows) == MAX_TITLES or not lookup.starts <= self.starts:
            return lookup.query(scope=scope).fetch()
        return partial(lookup.namings, [row for row in self.rows if row[-1]])


def named_at_start(words: Sequence[Term], *, scope: Scope) -> list[TitleMatch]:
    """The sources whose title a text begins with, the likeliest first.

    The title may be cut short (`חוק הנוער` for `חוק הנוער (שפיטה, ענישה ודרכי טיפול)`).
    """
    if not words:
        return []
    return _TitleLookup(words[:MAX_TEXT_LENGTH], [0], cut_short=True).query(scope=scope).fetch()(1, cut_short=True)


def named_anywhere(words: Sequence[Term], *, scope: Scope) -> list[TitleMatch]:
    """The sources whose title, of two words or more, a text gives in full wherever, the likeliest first."""
    return title_query(words, scope=scope).fetch()(1)


def title_query(words: Sequence[Term], *, scope: Scope) -> Query[TitleMatches]:
    """As `named_anywhere`. The answer takes `least_chunks`."""
    return _lookup_anywhere(words).query(scope=scope)


def names_query(text: str, *, scope: Scope) -> Query[GivenTitles]:
    """The whole titles that a text of any length gives."""
    words = terms(text)
    lookup = _TitleLookup(words, range(len(words) - 1), cut_short=False)
    asked = lookup.query(scope=scope, other_days=True)

    def read(rows: Rows) -> GivenTitles:
        return GivenTitles(_spans(text, words, lookup.everywhere(rows, of_any_year=True)), lookup.starts, rows)

    return Query(asked.statement, asked.parameters, read)


def _lookup_anywhere(words: Sequence[Term]) -> _TitleLookup:
    words = words[:MAX_TEXT_LENGTH]
    return _TitleLookup(words, range(len(words) - 1), cut_short=False)


def _spans(text: str, words: Sequence[Term], found: Iterable[TitleMatch]) -> list[tuple[int, int]]:
    offsets = term_offsets(text)
    spans: list[tuple[int, int]] = []
    ends = 0
    for naming in sorted(found, key=lambda naming: (naming.start, -naming.end, -naming.matched)):
        if naming.start >= ends:
            ends = naming.end
            start, end = offsets[naming.start][0] + naming.prefix, offsets[naming.end - 1][1]
            year, _ = year_beside(words[naming.end : naming.end + MAX_YEAR_WORDS])
            place = text.find(year, end, end + MAX_YEAR_LENGTH) if year else -1
            end = place + len(year) if place > 0 else end
            is_open = text.count("(", start, end) > text.count(")", start, end)  # the title ends in brackets
            spans.append((start, end + (is_open and text.startswith(")", end))))
    return spans


def best_matches(namings: Sequence[TitleMatch]) -> list[TitleMatch]:
    """Those that match as many words as the best does. The title with no other words, or of the year, before others."""
    if not namings:
        return []
    best = namings[0]
    alike = [one for one in namings if (one.matched, one.same_year) == (best.matched, best.same_year)]
    return [one for one in alike if not one.left] if best.complete and not best.left else alike


class _TitleLookup:
    """The titles that a text may give, each reading of which begins at one of `starts`."""

    def __init__(self, words: Sequence[Term], starts: Iterable[int], *, cut_short: bool) -> None:
        self._words = words
        # What a title is found to be at a place: a search asks for its titles in several ways.
        self._compared: dict[tuple[int, int, int, bool], TitleMatch | None] = {}
        # Where each begins, and the forms of its first word: of one stem, with prefix letters and without.
        self._readings: dict[str, dict[int, list[Term]]] = {}
        for start in starts:
            for first in without_prefixes(words[start]):
                for key in _keys([first, *words[start + 1 : start + 2]], cut_short=cut_short):
                    places = self._readings.setdefault(key, {})
                    if len(places) < MAX_PLACES:
                        places.setdefault(start, []).append(first)

    @property
    def starts(self) -> Set[str]:
        """The beginnings of titles that are looked up."""
        return self._readings.keys()

    def query(self, *, scope: Scope, other_days: bool = False) -> Query[TitleMatches]:
        """With `other_days` rows of sources that are not in force come too, as their last column says."""
        condition, parameters = replace(scope, all_versions=scope.all_versions or other_days).source_condition("s")
        in_force, days = scope.days_condition("s")
        topic, _ = scope.topic_condition("k.topic_id")
        statement = f"""
            SELECT k.source_id, s.title, s.aliases, s.chunk_count, s.kind, {in_force}
            FROM kb_source_key k JOIN kb_source s ON s.id = k.source_id
            WHERE (k.title_start = ANY(%(starts)s::text[]) OR k.identifiers && %(starts)s::text[])
                AND {topic} AND {condition} AND s.chunk_count > 0
            -- Longer ones first: who asks for them alone misses none because of the others.
            ORDER BY s.chunk_count < {MIN_CHUNKS} LIMIT {MAX_TITLES}
        """
        starts = list(self._readings)
        return Query(statement, {**parameters, **days, "starts": starts}, lambda rows: partial(self.namings, rows))

    def namings(
        self, rows: Rows, least_chunks: int, *, cut_short: bool = False, kinds: Collection[str] = ()
    ) -> list[TitleMatch]:
        """See `TitleMatches`."""
        rows = [row for row in rows if row[4] in kinds] if kinds else rows
        likeliest: dict[int, TitleMatch] = {}
        for naming in sorted(self.everywhere(rows, least_chunks, cut_short=cut_short), key=lambda naming: naming.order):
            likeliest.setdefault(naming.source_id, naming)
        return list(likeliest.values())

    def everywhere(
        self, rows: Rows, least_chunks: int = 1, *, cut_short: bool = False, of_any_year: bool = False
    ) -> Iterator[TitleMatch]:
        """Every place of the text that gives a title of the sources, `of_any_year` also with another year."""
        for source_id, raw_title, aliases, chunks, *_ in rows:
            for place, title in enumerate(titles_of(raw_title, aliases) if chunks >= least_chunks else ()):
                for start, forms in self._readings.get(title.start, {}).items():
                    key = source_id, place, start, cut_short
                    if key not in self._compared:
                        if len(self._compared) == MAX_COMPARED:  # as of a whole document
                            self._compared.clear()
                        self._compared[key] = self._reading(source_id, title, forms, start=start, cut_short=cut_short)
                    naming = self._compared[key]
                    if naming and (naming.same_year is not False or of_any_year):
                        yield naming

    def _reading(
        self, source_id: int, title: Title, forms: Sequence[Term], *, start: int, cut_short: bool
    ) -> TitleMatch | None:
        """What the text gives of the title at a place whose first word has these forms."""
        first = next((one for one in forms if one.word == title.words[0].term.word), forms[0])
        given = [first, *self._words[start + 1 : start + len(title.words) + MAX_YEAR_WORDS]]
        naming = _compare(source_id, title, given, start=start, cut_short=cut_short)
        return naming and replace(naming, prefix=len(self._words[start].word) - len(first.word))


def _keys(reading: Sequence[Term], *, cut_short: bool) -> list[str]:
    """The beginnings that a title may have which is named by these words, the second in any spelling."""
    first, second = reading[0].stem, reading[1].stem if len(reading) > 1 else ""
    if not second:
        return [first]
    keys = [first] if cut_short else []
    # In the middle of a text every word may begin a title: only what cites is worth asking for each spelling.
    spellings = language_of(second).other_spellings(second) if cut_short else []
    return [*keys, *(f"{first} {one}" for one in (second, *spellings))]


def _compare(source_id: int, title: Title, words: Sequence[Term], *, start: int, cut_short: bool) -> TitleMatch | None:
    """How a text that may begin with the title reads it, or None if it does not."""
    said = [TitleWord(term, False) for term in words[: len(title.words)]]
    found = align(said, title.words, title_similarity)
    complete, ended = found.titled == len(title.words), found.said == len(words)
    least = min(MIN_NAME_LENGTH, len(title.words))
    # Of a title that is cut short, words in another spelling are too little to go by.
    plainly = sum(likeness >= STEM_MATCH for likeness in found.likenesses)
    if round(found.matched) < least or not (complete or (cut_short and ended and plainly >= least)):
        return None
    return TitleMatch(
        source_id=source_id,
        title=title,
        start=start,
        end=start + found.said,
        matched=found.matched,
        left=found.title_alone + len(title.words) - found.titled,
        complete=complete,
        same_year=of_one_year(title, *year_beside(words[found.said :])),
    )
