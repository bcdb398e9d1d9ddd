"""Which sources a text names by their titles."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from kb_project.database.rows import Query, Rows
from law.languages.scripts import language_of
from law.words.analysis import Term, terms
from sources.citations.source_keys import Title, titles_of
from sources.citations.years import of_one_year, year_beside
from sources.scope import Scope

LONGEST_TEXT = 80  # words looked at
MOST_TITLES = 2_000
LEAST_CHUNKS = 2  # of a source in which something can be looked for: in a single passage nothing is chosen
SHORTEST_NAME = 2  # words: a single one names nothing, unless it is the whole title
STEM_MATCH = 0.9  # of a word's worth, when a word of the title is met in another form
SPELLING_MATCH = 0.8  # and when it is spelled otherwise


@dataclass(frozen=True, kw_only=True)
class TitleMatch:
    """A source that a text may mean.

    `matched` counts the words of the title that the text gives, `left` those it leaves out. `complete` says that
    the text gives every word that stands outside brackets in the title. `start` and `end` are the words of the
    text that it takes for the title.
    """

    source_id: int
    title: Title
    start: int
    end: int
    matched: float
    left: int
    complete: bool
    same_year: bool

    @property
    def order(self) -> tuple[float, bool, bool, int, int]:
        """Sorts the likeliest first."""
        return (-self.matched, not self.same_year, not self.complete, self.left, self.source_id)


class TitleMatches(Protocol):
    """The sources that a text names, the likeliest first."""

    def __call__(self, least_chunks: int, *, cut_short: bool = False) -> list[TitleMatch]:
        """Those with so many chunks or more. With `cut_short` also those with whose beginning the text ends."""
        ...


def named_at_start(words: Sequence[Term], *, scope: Scope) -> list[TitleMatch]:
    """The sources whose title a text begins with, the likeliest first.

    The title may be cut short (`חוק הנוער` for `חוק הנוער (שפיטה, ענישה ודרכי טיפול)`).
    """
    if not words:
        return []
    return _TitleLookup(words[:LONGEST_TEXT], [0], cut_short=True).query(scope=scope).fetch()(1, cut_short=True)


def named_anywhere(words: Sequence[Term], *, scope: Scope, least_chunks: int = 1) -> list[TitleMatch]:
    """The sources whose title, of two words or more, a text gives in full wherever, the likeliest first.

    `least_chunks` leaves out sources that are shorter.
    """
    return find_named_anywhere(words, scope=scope).fetch()(least_chunks)


def find_named_anywhere(words: Sequence[Term], *, scope: Scope) -> Query[TitleMatches]:
    """As `named_anywhere`. The answer takes `least_chunks`."""
    words = words[:LONGEST_TEXT]
    return _TitleLookup(words, range(len(words) - 1), cut_short=False).query(scope=scope)


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
        self._readings: dict[str, list[tuple[int, Sequence[Term]]]] = {}
        for start in starts:
            for first in without_prefixes(words[start]):
                reading = [first, *words[start + 1 :]]
                for key in _keys(reading, cut_short=cut_short):
                    self._readings.setdefault(key, []).append((start, reading))

    def query(self, *, scope: Scope) -> Query[TitleMatches]:
        condition, parameters = scope.source_condition("s")
        topic, _ = scope.topic_condition("k.topic_id")
        statement = f"""
            SELECT k.source_id, s.title, s.aliases, s.chunk_count
            FROM kb_source_key k JOIN kb_source s ON s.id = k.source_id
            WHERE (k.title_start = ANY(%(starts)s::text[]) OR k.identifiers && %(starts)s::text[])
                AND {topic} AND {condition} AND s.chunk_count > 0
            -- Longer ones first: who asks for them alone misses none because of the others.
            ORDER BY s.chunk_count < {LEAST_CHUNKS} LIMIT {MOST_TITLES}
        """
        starts = list(self._readings)
        return Query(statement, {**parameters, "starts": starts}, lambda rows: partial(self._namings, rows))

    def _namings(self, rows: Rows, least_chunks: int, *, cut_short: bool = False) -> list[TitleMatch]:
        """See `TitleMatches`."""
        found: dict[int, TitleMatch] = {}
        for source_id, raw_title, aliases, chunks in rows:
            if chunks < least_chunks:
                continue
            for title in titles_of(raw_title, aliases):
                for start, given in self._readings.get(title.start, ()):
                    naming = _compare(source_id, title, given, start=start, cut_short=cut_short)
                    if naming and (source_id not in found or naming.order < found[source_id].order):
                        found[source_id] = naming
        return sorted(found.values(), key=lambda naming: naming.order)


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
    place, matched, left, complete, plainly = 0, 0.0, 0, True, 0
    rest: list[bool] = []
    for index, (term, optional) in enumerate(title.words):
        same = place < len(words) and title_similarity(term, words[place])
        if same:
            matched += same
            plainly += same >= STEM_MATCH
            place += 1
        elif optional:
            left += 1
        else:
            rest = [word.optional for word in title.words[index:]]
            complete = False
            break
    left += len(rest)
    ended = place == len(words)
    least = min(SHORTEST_NAME, len(title.words))
    # Of a title that is cut short, words in another spelling are too little to go by.
    if round(matched) < least or not (complete or (cut_short and ended and plainly >= least)):
        return None
    same_year = of_one_year(title, *year_beside(words[place:]))
    if same_year is False:
        return None
    return TitleMatch(
        source_id=source_id,
        title=title,
        start=start,
        end=start + place,
        matched=matched,
        left=left,
        complete=complete,
        same_year=same_year is True,
    )


def title_similarity(one: Term, other: Term) -> float:
    """How far a word of a title is met by a word of a text, from 0 to 1."""
    if one.word == other.word:
        return 1.0
    if one.stem == other.stem:
        return STEM_MATCH
    language = language_of(one.stem)
    same = language is language_of(other.stem) and language.are_spellings(one.stem, other.stem)
    return SPELLING_MATCH if same else 0.0


def without_prefixes(word: Term) -> Iterator[Term]:
    """A word, and what it is without one or two prefix letters (`לחוק`, `שבתקנות`)."""
    yield word
    prefixes = language_of(word.word).prefixes
    for dropped in (1, 2):
        if len(word.word) > dropped + 1 and word.word[dropped - 1] in prefixes:
            yield terms(word.word[dropped:])[0]
        else:
            return
