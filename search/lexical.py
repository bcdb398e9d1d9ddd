"""Lexical search: candidates by their rarer terms through GIN, in the order of BM25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection

from search import statistics
from search.analysis import Term
from search.scope import Scope
from search.spellings import other_spellings, spelling_vector
from search.term_weights import add, distinct_stems, idf, query_vector, term_ids
from topics.models import Topic

# Terms are taken, rarest first, as long as no more than CANDIDATES chunks of the scope are expected to hold one of
# them; and beyond that while they are fewer than FEWEST_CANDIDATES.
CANDIDATES = 2_000
FEWEST_CANDIDATES = 300
MOST_TERMS = 200  # distinct stems of a query that are looked up


@dataclass(frozen=True)
class LexicalQuery:
    """A query against one scope: what finds candidates and what orders them, and in how many chunks its stems are."""

    candidate_ids: list[int]
    vector: str
    frequencies: Mapping[int, int]
    chunks: int


def prepare(terms: Sequence[Term], *, scope: Scope) -> LexicalQuery:
    """Weigh a query's terms by the statistics of the scope's topic."""
    stems = distinct_stems(terms)[:MOST_TERMS]
    spellings = other_spellings(terms)
    looked_up = np.concatenate([stems, np.array(list(spellings), dtype=np.uint64)])
    chunks = 0
    frequencies: Counter[int] = Counter()
    spelled: Counter[int] = Counter()
    ids: dict[int, list[int]] = {}
    for topic_id in _topics(scope):
        topic_ids = term_ids(looked_up, topic_id)
        stats = statistics.read(topic_id, topic_ids)
        chunks += stats.chunks
        for stem, term_id in zip(looked_up.tolist(), topic_ids.tolist(), strict=True):
            frequency = stats.document_frequencies.get(term_id, 0)
            if stem in spellings:  # what it brings, it brings as the word it stands for
                spelled[stem] += frequency
                ids.setdefault(spellings[stem][1], []).extend([term_id] if frequency else [])
            else:
                frequencies[stem] += frequency
                ids.setdefault(stem, []).append(term_id)
    idf_by_stem = {stem: idf(frequencies[stem], chunks) for stem in stems.tolist()}
    narrowness = _narrowness(scope, chunks)
    candidates: list[int] = []
    expected = 0.0
    for stem in sorted(stems.tolist(), key=lambda stem: frequencies[stem]):
        more = frequencies[stem] / narrowness
        if expected >= FEWEST_CANDIDATES and expected + more > CANDIDATES:
            break  # a common term would bring in thousands that hold nothing else of the query
        candidates += ids[stem]
        expected += more
    otherwise = spelling_vector(spellings.values(), frequencies=spelled, idf_by_stem=idf_by_stem, chunks=chunks)
    return LexicalQuery(candidates, add(query_vector(terms, idf_by_stem), otherwise).as_text(), frequencies, chunks)


def search(query: LexicalQuery, *, scope: Scope, limit: int) -> list[tuple[int, float]]:
    """The best chunks of the scope and their scores, best first."""
    if not query.candidate_ids:
        return []
    condition, parameters = scope.condition("c")
    with connection.cursor() as cursor:
        cursor.execute(
            # Left to itself the planner reads the whole table, as it takes comparing arrays and vectors for cheap.
            # Sent together, the three statements are one round trip and, outside a transaction, one transaction.
            f"""
            SET LOCAL enable_seqscan = off;
            SELECT id, -distance FROM (
                SELECT c.id, c.terms <#> %(vector)s::sparsevec AS distance
                FROM kb_chunk c WHERE c.term_ids && %(ids)s::int[] AND {condition}
                ORDER BY distance, c.id LIMIT %(limit)s
            ) AS best;
            SET LOCAL enable_seqscan = on
            """,
            {**parameters, "vector": query.vector, "ids": query.candidate_ids, "limit": limit},
        )
        cursor.nextset()
        return cursor.fetchall()


def _topics(scope: Scope) -> list[int]:
    return [scope.topic_id] if scope.topic_id is not None else list(Topic.objects.values_list("pk", flat=True))


def _narrowness(scope: Scope, chunks: int) -> float:
    """How many chunks of the topic there are for each in the scope, so that a narrow scope keeps its candidates."""
    if not scope.narrows_sources:
        return 1.0
    inside = scope.chunk_count()
    return max(chunks / inside, 1.0) if inside else 1.0
