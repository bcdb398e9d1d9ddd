"""Which sources a text names by their titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection

from search.analysis import Term, terms
from search.hebrew import PREFIX_LETTERS
from search.scope import Scope
from search.source_keys import Title, parse_title
from search.term_weights import term_ids
from topics.models import Topic

LONGEST_TEXT = 80  # words looked at
MOST_TITLES = 2_000
SHORTEST_NAME = 2  # words: a single one names nothing, unless it is the whole title
LONGEST_CONTAINED = 10
STEM_MATCH = 0.9  # of a word's worth, when a word of the title is met in another form


@dataclass(frozen=True, kw_only=True)
class Naming:
    """A source that a text may mean.

    `matched` counts the words of the title that the text gives, `left` those it leaves out. `complete` says that
    the text gives every word that stands outside brackets in the title. `start` and `end` are the words of the
    text that it takes for the title.
    """

    source_id: int
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


def named_at_start(words: Sequence[Term], *, scope: Scope) -> list[Naming]:
    """The sources whose title a text begins with, the likeliest first.

    The title may be cut short (`חוק הנוער` for `חוק הנוער (שפיטה, ענישה ודרכי טיפול)`).
    """
    words = words[:LONGEST_TEXT]
    return _read_titles(words, [0] if words else [], cut_short=True, scope=scope)


def named_anywhere(words: Sequence[Term], *, scope: Scope, least_chunks: int = 1) -> list[Naming]:
    """The sources whose title, of two words or more, a text gives in full wherever, the likeliest first.

    `least_chunks` leaves out sources that are shorter.
    """
    words = words[:LONGEST_TEXT]
    return _read_titles(words, range(len(words) - 1), cut_short=False, scope=scope, least_chunks=least_chunks)


def likeliest(namings: Sequence[Naming]) -> list[Naming]:
    """Those that match as many words as the best does."""
    return [naming for naming in namings if naming.matched == namings[0].matched]


def _read_titles(
    words: Sequence[Term], starts: Iterable[int], *, cut_short: bool, scope: Scope, least_chunks: int = 1
) -> list[Naming]:
    readings: dict[str, list[tuple[int, Sequence[Term]]]] = {}
    for start in starts:
        for first in _without_prefixes(words[start]):
            reading = [first, *words[start + 1 :]]
            for length in (1, 2) if cut_short else (2,):
                key = " ".join(term.stem for term in reading[:length])
                readings.setdefault(key, []).append((start, reading))
    if not readings:
        return []
    found: dict[int, Naming] = {}
    for source_id, raw_title, title_start in _titles_starting(readings, scope=scope, least_chunks=least_chunks):
        title = parse_title(raw_title)
        for start, given in readings[title_start]:
            naming = _compare(source_id, title, given, start=start, cut_short=cut_short)
            if naming and (source_id not in found or naming.order < found[source_id].order):
                found[source_id] = naming
    return sorted(found.values(), key=lambda naming: naming.order)


def _compare(source_id: int, title: Title, words: Sequence[Term], *, start: int, cut_short: bool) -> Naming | None:
    """How a text that may begin with the title reads it; None if it does not."""
    place, matched, left, complete = 0, 0.0, 0, True
    rest: list[bool] = []
    for index, (term, optional) in enumerate(title.words):
        same = place < len(words) and _sameness(term, words[place])
        if same:
            matched += same
            place += 1
        elif optional:
            left += 1
        else:
            rest = [word.optional for word in title.words[index:]]
            complete = False
            break
    left += len(rest)
    ended = place == len(words)
    if round(matched) < min(SHORTEST_NAME, len(title.words)) or not (complete or (cut_short and ended)):
        return None
    years = {term.word for term in words[place : place + 3]}
    return Naming(
        source_id=source_id,
        start=start,
        end=start + place,
        matched=matched,
        left=left,
        complete=complete,
        same_year=bool(title.year) and title.year in years,
    )


def named_by_words_of_title(words: Sequence[Term], *, scope: Scope) -> list[Naming]:
    """Sources of the same type whose title holds all the words, or as many of the first of them as possible.

    `תקנות דוחות תקופתיים` is so found for `תקנות ניירות ערך (דוחות תקופתיים ומיידיים)`.
    """
    if len(words) < SHORTEST_NAME + 1:
        return []
    kinds = {term.stem for term in _without_prefixes(words[0])}
    rest = words[1 : LONGEST_CONTAINED + 1]
    namings = []
    for source_id, raw_title in _titles_holding(rest[:SHORTEST_NAME], scope=scope):
        title = parse_title(raw_title)
        if not title.words or title.words[0].term.stem not in kinds:
            continue
        stems = {word.term.stem for word in title.words}
        held = next((place for place, term in enumerate(rest) if term.stem not in stems), len(rest))
        namings.append(
            Naming(
                source_id=source_id,
                start=0,
                end=held + 1,
                matched=held,
                left=len(title.words) - held - 1,
                complete=False,
                same_year=False,
            )
        )
    return sorted(namings, key=lambda naming: naming.order)


def _sameness(one: Term, other: Term) -> float:
    if one.word == other.word:
        return 1.0
    return STEM_MATCH if one.stem == other.stem else 0.0


def _without_prefixes(word: Term) -> Iterator[Term]:
    """A word, and what it is without one or two prefix letters (`לחוק`, `שבתקנות`)."""
    yield word
    for dropped in (1, 2):
        if len(word.word) > dropped + 1 and word.word[dropped - 1] in PREFIX_LETTERS:
            yield terms(word.word[dropped:])[0]
        else:
            return


def _titles_starting(starts: Iterable[str], *, scope: Scope, least_chunks: int) -> list[tuple[int, str, str]]:
    condition, parameters = scope.source_condition("s")
    topic = "k.topic_id = %(scope_topic)s" if scope.topic_id is not None else "TRUE"
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT k.source_id, s.title, k.title_start FROM kb_source_key k JOIN kb_source s ON s.id = k.source_id
            WHERE k.title_start = ANY(%(starts)s) AND {topic} AND {condition} AND s.chunk_count >= %(least)s
            LIMIT {MOST_TITLES}
            """,
            {**parameters, "starts": list(starts), "least": least_chunks},
        )
        return cursor.fetchall()


def _titles_holding(words: Sequence[Term], *, scope: Scope) -> list[tuple[int, str]]:
    condition, parameters = scope.source_condition("s")
    topics = [scope.topic_id] if scope.topic_id is not None else Topic.objects.values_list("pk", flat=True)
    stems = np.array([term.stem_hash for term in words], dtype=np.uint64)
    # The ids of a stem differ from topic to topic: one query asks the index for each topic's.
    ids = {f"stems_{topic_id}": term_ids(stems, topic_id).tolist() for topic_id in topics}
    if not ids:
        return []
    held = " OR ".join(f"k.title_stems @> %({name})s::int[]" for name in ids)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT k.source_id, s.title FROM kb_source_key k JOIN kb_source s ON s.id = k.source_id
            WHERE ({held}) AND {condition} ORDER BY k.source_id LIMIT {MOST_TITLES}
            """,
            {**parameters, **ids},
        )
        return cursor.fetchall()
