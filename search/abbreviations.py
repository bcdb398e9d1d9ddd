"""Abbreviations as documents explain them: kept when a document is published, looked up when a query has one.

`Multilateral Trading Facility (MTF)` is read both ways.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.db import connection

from kb_project.database.rows import Query, Rows
from law.chunking.packing import ChunkDraft
from law.citations.parsing import ParsedQuery
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.words.abbreviations import MIN_LETTERS, explained_abbreviations
from law.words.analysis import Term, term_of, term_offsets, terms
from law.words.stop_words import FUNCTION_WORDS
from law.words.synonyms import Meaning, are_same
from sources.scope import Scope

MAX_OF_A_DOCUMENT = 2_000
MAX_LETTERS = 200  # of one query
WEIGHT = 0.8  # of a word of the long form beside the abbreviation, and the other way round
MAX_SPELLED_OUT = 6  # letters of an abbreviation that the query spells out
MIN_LOOKED_UP_LENGTH = 3  # letters of an abbreviation that the query spells out: any two words begin with some two
MAX_WORDS = 40  # of a query that is read for them
MAX_FOUND = 3  # abbreviations that a query may stand for
MAX_MEANINGS = 2  # of one abbreviation
_ABBREVIATION = re.compile(either(language.acronym for language in LANGUAGES))

Explained = Counter[tuple[str, str]]
"""In how many passages letters are explained by a long form, by both."""


def noting(drafts: Iterable[ChunkDraft], found: Explained) -> Iterator[ChunkDraft]:
    """The passages as they come. What they explain is added to `found`."""
    for draft in drafts:
        for pair in dict.fromkeys(explained_abbreviations(draft.text)):
            if pair in found or len(found) < MAX_OF_A_DOCUMENT:
                found[pair] += 1
        yield draft


def store(source_id: int, found: Explained) -> None:
    """Replace what is known of a source, in the caller's transaction."""
    columns = [[*column] for column in zip(*((*pair, count) for pair, count in found.items()), strict=True)]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_abbreviation WHERE source_id = %s", [source_id])
        if columns:
            cursor.execute(
                "INSERT INTO kb_abbreviation (source_id, letters, long_form, passages)"
                " SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::int[])",
                [source_id, *columns],
            )


def abbreviation_query(query: ParsedQuery, *, scope: Scope) -> Query[tuple[Meaning, ...]] | None:
    """What abbreviations of a query are short for, and abbreviations of its words, as the documents of a topic say.

    None where nothing in it may be one.
    """
    places = _candidates(query)
    if not places:
        return None
    found = find_long_forms(places, scope=scope)
    return Query(found.statement, found.parameters, lambda rows: _meanings(query.terms, places, found.read(rows)))


def _candidates(query: ParsedQuery) -> dict[Term, tuple[int, int]]:
    """What may be an abbreviation, and the places of the words that it stands for: its own, or those it is made of.

    Words that it is made of are looked for in questions only: the initials of any words make many.

    Nothing in a query that cites, where it is likely the name of an act, nor in a very long one.
    """
    words = query.terms
    if len(words) > MAX_WORDS or query.references:
        return {}
    written = [query.words[start:end] for start, end in term_offsets(query.words)]
    singular = [word.removesuffix("s") for word in written]  # a stem may keep the s of `MTFs`
    found = {
        short: (at, at + 1)
        for at, word in enumerate(singular)
        if _ABBREVIATION.fullmatch(word)
        for short in terms(word)
        if len(short.stem) >= MIN_LETTERS
    }
    for short, place in _spelled_out(words) if query.is_question else ():
        found.setdefault(short, place)
    return found


def find_long_forms(shorts: Iterable[Term], *, scope: Scope) -> Query[dict[str, list[str]]]:
    """By the stem of each abbreviation what the documents of a topic say that it is short for, the commonest first."""
    topic, parameters = scope.topic_condition("s.topic_id")
    statement = f"""
        SELECT a.letters, a.long_form, sum(a.passages)::int
        FROM kb_abbreviation a JOIN kb_source s ON s.id = a.source_id
        WHERE a.letters = ANY(%(letters)s::text[]) AND {topic} GROUP BY 1, 2 ORDER BY 3 DESC, 2
    """
    letters = list(dict.fromkeys(short.stem for short in shorts))[:MAX_LETTERS]
    return Query(statement, {**parameters, "letters": letters}, _read)


def _meanings(
    words: Sequence[Term], places: Mapping[Term, tuple[int, int]], long_forms: Mapping[str, Sequence[str]]
) -> tuple[Meaning, ...]:
    """`places` are the candidates of the query, and `long_forms` what the documents say of their stems."""
    found: list[Meaning] = []
    explained = [term for term in places if term.stem in long_forms]
    # First what the query writes as one.
    for term in sorted(explained, key=lambda term: places[term][1] - places[term][0] > 1)[:MAX_FOUND]:
        (start, end), longs = places[term], long_forms[term.stem]
        if end - start == 1:
            found += [Meaning(text, tuple(terms(text)), WEIGHT, start, end) for text in longs[:MAX_MEANINGS]]
        elif any(are_same(terms(text), words[start:end]) for text in longs):
            found.append(Meaning(term.word.upper(), (term,), WEIGHT, start, end))
    return tuple(found)


def _spelled_out(words: Sequence[Term]) -> Iterator[tuple[Term, tuple[int, int]]]:
    """The words that the initials of neighbouring words make, without the small ones between them, and their places."""
    tells = [word.word[0].isalpha() and word.word not in FUNCTION_WORDS for word in words]
    for start in range(len(words)):
        letters = ""
        for end in range(start, len(words)):
            if tells[end]:
                letters += words[end].word[0]
                if len(letters) >= MIN_LOOKED_UP_LENGTH:
                    yield term_of(letters), (start, end + 1)
            if not letters or len(letters) == MAX_SPELLED_OUT:
                break


def _read(rows: Rows) -> dict[str, list[str]]:
    """Each long form in one form of its words."""
    found: dict[str, dict[Sequence[str], list[tuple[int, str]]]] = {}
    for letters, long, count in rows:
        of_words = found.setdefault(letters, {})
        of_words.setdefault(tuple(term.stem for term in terms(long)), []).append((count, long))
    return {
        letters: [forms[0][1] for forms in sorted(of_words.values(), key=lambda forms: -sum(n for n, _ in forms))]
        for letters, of_words in found.items()
    }
