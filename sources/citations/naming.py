"""Which sources a text names by their titles, or by parts of these."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Protocol

import numpy as np

from kb_project.database.rows import Query, Rows, fetch
from law.languages.scripts import language_of
from law.words.analysis import Term, hash_text, terms
from law.words.term_weights import term_ids
from sources.citations.source_keys import Title, parse_title
from sources.citations.years import of_one_year, year_beside
from sources.scope import Scope
from topics.models import Topic

LONGEST_TEXT = 80  # words looked at
MOST_TITLES = 2_000
LEAST_CHUNKS = 2  # of a source in which something can be looked for: in a single passage nothing is chosen
SHORTEST_NAME = 2  # words: a single one names nothing, unless it is the whole title
STEM_MATCH = 0.9  # of a word's worth, when a word of the title is met in another form
SPELLING_MATCH = 0.8  # and when it is spelled otherwise
LONGEST_CONTAINED = 10  # words
MOST_BEFORE_NUMBER = 4  # words: `Regulation (EC) No 7/2031`

_NUMBER = re.compile(r"\d+/\d+")


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


class Namings(Protocol):
    """The sources that a text names, the likeliest first."""

    def __call__(self, least_chunks: int, *, cut_short: bool = False) -> list[TitleMatch]:
        """Those with so many chunks or more; with `cut_short` also those with whose beginning the text ends."""
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


def find_named_anywhere(words: Sequence[Term], *, scope: Scope) -> Query[Namings]:
    """As `named_anywhere`; the answer takes `least_chunks`."""
    words = words[:LONGEST_TEXT]
    return _TitleLookup(words, range(len(words) - 1), cut_short=False).query(scope=scope)


def likeliest(namings: Sequence[TitleMatch]) -> list[TitleMatch]:
    """Those that match as many words as the best does; the title with no other words, or of the year, before others."""
    return [
        naming
        for best in namings[:1]
        for naming in namings
        if naming.matched == best.matched
        and naming.same_year == best.same_year
        and not (naming.left and best.complete and not best.left)
    ]


class _TitleLookup:
    """The titles that a text may give, each reading of which begins at one of `starts`."""

    def __init__(self, words: Sequence[Term], starts: Iterable[int], *, cut_short: bool) -> None:
        self._readings: dict[str, list[tuple[int, Sequence[Term]]]] = {}
        for start in starts:
            for first in without_prefixes(words[start]):
                reading = [first, *words[start + 1 :]]
                for key in _keys(reading, cut_short=cut_short):
                    self._readings.setdefault(key, []).append((start, reading))

    def query(self, *, scope: Scope) -> Query[Namings]:
        condition, parameters = scope.source_condition("s")
        topic = "k.topic_id = %(scope_topic)s" if scope.topic_id is not None else "TRUE"
        statement = f"""
            SELECT k.source_id, s.title, k.title_start, s.chunk_count
            FROM kb_source_key k JOIN kb_source s ON s.id = k.source_id
            WHERE k.title_start = ANY(%(starts)s::text[]) AND {topic} AND {condition} AND s.chunk_count > 0
            -- Longer ones first: who asks for them alone misses none because of the others.
            ORDER BY s.chunk_count < {LEAST_CHUNKS} LIMIT {MOST_TITLES}
        """
        starts = list(self._readings)
        return Query(statement, {**parameters, "starts": starts}, lambda rows: partial(self._namings, rows))

    def _namings(self, rows: Rows, least_chunks: int, *, cut_short: bool = False) -> list[TitleMatch]:
        """See `Namings`."""
        found: dict[int, TitleMatch] = {}
        for source_id, raw_title, title_start, chunks in rows:
            if chunks < least_chunks:
                continue
            title = parse_title(raw_title)
            for start, given in self._readings[title_start]:
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
    """How a text that may begin with the title reads it; None if it does not."""
    place, matched, left, complete, plainly = 0, 0.0, 0, True, 0
    rest: list[bool] = []
    for index, (term, optional) in enumerate(title.words):
        same = place < len(words) and sameness(term, words[place])
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


def sameness(one: Term, other: Term) -> float:
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


def named_by_words_of_title(words: Sequence[Term], *, scope: Scope) -> list[TitleMatch]:
    """Sources of the same type whose title holds all the words, or as many of the first of them as possible.

    `תקנות דוחות תקופתיים` is so found for `תקנות ניירות ערך (דוחות תקופתיים ומיידיים)`.
    """
    if len(words) < SHORTEST_NAME + 1:
        return []
    kinds = {term.stem for term in without_prefixes(words[0])}
    rest = words[1 : LONGEST_CONTAINED + 1]
    namings = []
    for source_id, raw_title in _titles_holding([rest[:SHORTEST_NAME]], scope=scope):
        title = parse_title(raw_title)
        if not title.words or title.words[0].term.stem not in kinds:
            continue
        stems = {word.term.stem for word in title.words}
        held = next((place for place, term in enumerate(rest) if term.stem not in stems), len(rest))
        if _is_numbered_otherwise(title, words[1:], behind=held):
            continue
        namings.append(_by_words(source_id, matched=held, title=title))
    return sorted(namings, key=lambda naming: naming.order)


def named_in_part(after: Sequence[Term], before: Sequence[Term], *, scope: Scope) -> list[TitleMatch]:
    """Sources that a citation names by the least that can tell them, in one look-up.

    By a word of the brackets, if no other title of the type has it: `חוק המעצרים` for `חוק סדר הדין הפלילי (סמכויות
    אכיפה – מעצרים)`. By all words of the last brackets: `Raft Regulation` for `Regulation 2031/7 (Raft Regulation)`. Or
    by all but the first word, behind the number or before it: `הגנת הפרטיות, סעיף 17`.
    """
    after, before = after[:LONGEST_CONTAINED], before[-LONGEST_CONTAINED:]
    looked_up = (after[1:SHORTEST_NAME], after[:SHORTEST_NAME], before[-SHORTEST_NAME:])
    rows = _titles_holding([words for words in looked_up if words], scope=scope)
    titles = [(source_id, parse_title(title)) for source_id, title in rows]
    namings = [_by_words(one, matched=matched, title=title) for one, matched, title in _in_brackets(after, titles)]
    for source_id, title in titles:
        wanted = [word.term for word in title.words[1:] if not word.optional]
        for words in (wanted, _last_brackets(title)):
            length = len(words)
            for given, behind in ((after[:length], after[length:]), (before[-length:], ())):
                named = len(given) == length >= SHORTEST_NAME and all(map(sameness, words, given))
                if named and not _is_numbered_otherwise(title, behind):
                    namings.append(_by_words(source_id, matched=length, title=title))
    return sorted(namings, key=lambda naming: naming.order)


def _is_numbered_otherwise(title: Title, words: Sequence[Term], *, behind: int = 0) -> bool:
    """Whether a text names another number (`2031/7`) beside the name, or another year right behind it."""
    numbers = {term.word for term in words[:MOST_BEFORE_NUMBER] if _NUMBER.fullmatch(term.word)}
    other_number = bool(numbers) and numbers.isdisjoint(word.term.word for word in title.words)
    return other_number or of_one_year(title, *year_beside(words[behind:])) is False


def _last_brackets(title: Title) -> list[Term]:
    """The words of the brackets that a title ends in: often what the act is called."""
    ending = list(takewhile(lambda word: word.optional, reversed(title.words)))
    return [word.term for word in reversed(ending)]


def _in_brackets(words: Sequence[Term], titles: Iterable[tuple[int, Title]]) -> list[tuple[int, int, Title]]:
    """The one source whose title has a word, in brackets, behind the same type of act; how much matches, its title."""
    if len(words) < SHORTEST_NAME:
        return []
    kinds, stem = {term.stem for term in without_prefixes(words[0])}, words[1].stem
    having = [
        (source_id, [word.optional for word in title.words if word.term.stem == stem], title)
        for source_id, title in titles
        if title.words and title.words[0].term.stem in kinds and not _is_numbered_otherwise(title, words[1:], behind=1)
    ]
    having = [row for row in having if row[1]]
    return [(having[0][0], SHORTEST_NAME, having[0][2])] if len(having) == 1 and all(having[0][1]) else []


def _by_words(source_id: int, *, matched: int, title: Title) -> TitleMatch:
    """A source that is named by some words of its title, though not by its beginning."""
    return TitleMatch(
        source_id=source_id,
        title=title,
        start=0,
        end=matched,
        matched=matched,
        left=len(title.words) - matched,
        complete=False,
        same_year=False,
    )


def _titles_holding(alternatives: Sequence[Sequence[Term]], *, scope: Scope) -> Rows:
    """Ids and titles of the sources whose title holds all words of one of the alternatives."""
    return _titles([[term.stem_hash for term in words] for words in alternatives], "@>", scope=scope)


def titles_with_any(words: Sequence[Term], *, scope: Scope) -> list[Title]:
    """The titles in the scope that hold one of the words or more, in any spelling."""
    stems = [stem for word in words for stem in (word.stem, *language_of(word.stem).other_spellings(word.stem))]
    return [parse_title(title) for _, title in _titles([list(map(hash_text, stems))], "&&", scope=scope)]


def _titles(alternatives: Sequence[Sequence[int]], operator: str, *, scope: Scope) -> Rows:
    """Ids and titles of the sources whose title's stems stand so (`@>`, `&&`) to the hashes of one alternative."""
    condition, parameters = scope.source_condition("s")
    topics = [scope.topic_id] if scope.topic_id is not None else Topic.objects.values_list("pk", flat=True)
    stems = [np.array(hashes, dtype=np.uint64) for hashes in alternatives]
    # The ids of a stem differ from topic to topic: one query asks the index for each topic's.
    ids = {
        f"stems_{topic_id}_{place}": term_ids(hashes, topic_id).tolist()
        for topic_id in topics
        for place, hashes in enumerate(stems)
    }
    if not ids:
        return []
    held = " OR ".join(f"k.title_stems {operator} %({name})s::int[]" for name in ids)
    statement = f"""
        SELECT k.source_id, s.title FROM kb_source_key k JOIN kb_source s ON s.id = k.source_id
        WHERE ({held}) AND {condition} ORDER BY k.source_id LIMIT {MOST_TITLES}
    """
    return fetch(statement, {**parameters, **ids})
