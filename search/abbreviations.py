"""Abbreviations that documents explain, kept when a document is published: what its letters stand for."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from django.db import connection

from kb_project.database.rows import Query, Rows
from law.chunking.drafts import ChunkDraft
from law.questions.explained import explained_abbreviations
from law.words.analysis import Term, terms
from sources.scope import Scope

MAX_OF_A_DOCUMENT = 2_000
MAX_LETTERS = 200  # of one query

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
