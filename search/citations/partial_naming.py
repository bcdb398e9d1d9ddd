"""Which sources a text names by parts of their titles that are not their beginning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from django.db import connection

from search.citations.naming import MOST_TITLES, SHORTEST_NAME, TitleMatch, sameness, without_prefixes
from search.citations.source_keys import Title, parse_title
from search.ranking.term_weights import term_ids
from search.scope import Scope
from search.text.analysis import Term
from topics.models import Topic

LONGEST_CONTAINED = 10  # words


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
        namings.append(_by_words(source_id, matched=held, title=title))
    return sorted(namings, key=lambda naming: naming.order)


def named_in_part(after: Sequence[Term], before: Sequence[Term], *, scope: Scope) -> list[TitleMatch]:
    """Sources that a citation names by the least that can tell them, in one look-up.

    By a word of the brackets, if no other title of the type has it: `חוק המעצרים` for `חוק סדר הדין הפלילי (סמכויות
    אכיפה – מעצרים)`. Or by all but the first word, behind the number or before it: `הגנת הפרטיות, סעיף 17`.
    """
    after, before = after[:LONGEST_CONTAINED], before[-LONGEST_CONTAINED:]
    looked_up = (after[1:SHORTEST_NAME], after[:SHORTEST_NAME], before[-SHORTEST_NAME:])
    rows = _titles_holding([words for words in looked_up if words], scope=scope)
    titles = [(source_id, parse_title(title)) for source_id, title in rows]
    namings = [_by_words(one, matched=matched, title=title) for one, matched, title in _in_brackets(after, titles)]
    for source_id, title in titles:
        wanted = [word.term for word in title.words[1:] if not word.optional]
        for given in (after[: len(wanted)], before[-len(wanted) :]):
            if len(given) == len(wanted) >= SHORTEST_NAME and all(map(sameness, wanted, given)):
                namings.append(_by_words(source_id, matched=len(wanted), title=title))
    return sorted(namings, key=lambda naming: naming.order)


def _in_brackets(words: Sequence[Term], titles: Iterable[tuple[int, Title]]) -> list[tuple[int, int, Title]]:
    """The one source whose title has a word, in brackets, behind the same type of act; how much matches, its title."""
    if len(words) < SHORTEST_NAME:
        return []
    kinds, stem = {term.stem for term in without_prefixes(words[0])}, words[1].stem
    having = [
        (source_id, [word.optional for word in title.words if word.term.stem == stem], title)
        for source_id, title in titles
        if title.words and title.words[0].term.stem in kinds
    ]
    having = [row for row in having if row[1]]
    return [(having[0][0], SHORTEST_NAME, having[0][2])] if len(having) == 1 and all(having[0][1]) else []


def _by_words(source_id: int, *, matched: int, title: Title) -> TitleMatch:
    """A source that is named by some words of its title, though not by its beginning."""
    return TitleMatch(
        source_id=source_id,
        start=0,
        end=matched,
        matched=matched,
        left=len(title.words) - matched,
        complete=False,
        same_year=False,
    )


def _titles_holding(alternatives: Sequence[Sequence[Term]], *, scope: Scope) -> list[tuple[int, str]]:
    """The titles that hold all words of one of the alternatives."""
    condition, parameters = scope.source_condition("s")
    topics = [scope.topic_id] if scope.topic_id is not None else Topic.objects.values_list("pk", flat=True)
    stems = [np.array([term.stem_hash for term in words], dtype=np.uint64) for words in alternatives]
    # The ids of a stem differ from topic to topic: one query asks the index for each topic's.
    ids = {
        f"stems_{topic_id}_{place}": term_ids(hashes, topic_id).tolist()
        for topic_id in topics
        for place, hashes in enumerate(stems)
    }
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
