"""Lexical search: candidates through GIN, in the order of BM25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from django.db import connection

from kb_project.rows import fetch
from search import candidates, statistics
from search.analysis import Term
from search.candidates import Combination
from search.scope import Scope
from search.spellings import other_spellings, spelling_vector
from search.telling import worth
from search.term_weights import add, distinct_stems, idf, query_vector, term_ids

MOST_TERMS = 200  # distinct stems of a query that are looked up
SCORED_WHOLE = 2_000  # chunks: a scope that is narrowed to fewer has all of them scored
MOST_FETCHED = 6_000  # candidates of which a narrow scope may reject most


@dataclass(frozen=True, kw_only=True)
class LexicalQuery:
    """A query against one scope: its stems and in how many chunks they are, what finds candidates and what orders them.

    `frequencies` count the chunks that hold a stem in any spelling; `worths` say what it tells that a chunk is one of
    them. `ids` are the ids of each stem in the posting lists of the scope's topics. Without combinations every chunk of
    the scope is a candidate.
    """

    vector: str
    frequencies: Mapping[int, int]
    worths: Mapping[int, float]
    chunks: int
    ids: Mapping[int, Sequence[int]] = field(default_factory=dict)
    combinations: Sequence[Combination] = ()


def prepare(terms: Sequence[Term], *, scope: Scope) -> LexicalQuery:
    """Weigh a query's terms by the statistics of the scope's topic."""
    stems = distinct_stems(terms)[:MOST_TERMS]
    spellings = other_spellings(terms)
    looked_up = np.concatenate([stems, np.array(list(spellings), dtype=np.uint64)])
    wanted = {topic_id: term_ids(looked_up, topic_id) for topic_id in _topics(scope)}
    chunks = 0
    counted: Counter[int] = Counter()
    brought: Counter[int] = Counter()
    ids: dict[int, list[int]] = {stem: [] for stem in stems.tolist()}
    for topic_id, stats in statistics.read_many(wanted).items():
        chunks += stats.chunks
        for stem, term_id in zip(looked_up.tolist(), wanted[topic_id].tolist(), strict=True):
            frequency = stats.document_frequencies.get(term_id, 0)
            counted[stem] += frequency
            if stem in spellings and not frequency:
                continue
            # What another spelling brings, it brings as the word it stands for.
            meant = spellings[stem][1] if stem in spellings else stem
            brought[meant] += frequency
            ids.setdefault(meant, []).append(term_id)
    told: dict[int, float] = {}
    for term in terms:
        told[term.stem_hash] = max(told.get(term.stem_hash, 0.0), worth(term.word))
    idf_by_stem = {stem: idf(counted[stem], chunks) for stem in stems.tolist()}
    asked = {stem: told[stem] * rarity for stem, rarity in idf_by_stem.items()}
    otherwise = spelling_vector(spellings.values(), frequencies=counted, worths=asked, chunks=chunks)
    frequencies = {stem: brought[stem] for stem in stems.tolist()}
    worths = {stem: told[stem] * idf(frequency, chunks) for stem, frequency in frequencies.items()}
    return LexicalQuery(
        vector=add(query_vector(terms, idf_by_stem), otherwise).as_text(),
        frequencies=frequencies,
        worths=worths,
        chunks=chunks,
        ids=ids,
        combinations=_combinations(frequencies, worths=worths, chunks=chunks, scope=scope),
    )


def search(query: LexicalQuery, *, scope: Scope, limit: int) -> list[tuple[int, float]]:
    """The best chunks of the scope and their scores, best first.

    Fewer than `limit` only where, by the statistics, no more hold any of the query's terms.
    """
    if not query.frequencies:
        return []
    found = _best(query, query.combinations, scope=scope, limit=limit)
    if len(found) < limit and query.combinations:
        # Too few hold terms together, or lie in the scope: now those that hold one, too.
        least = query.chunks if scope.narrows_sources else limit
        broader = candidates.broadened(query.combinations, query.frequencies, worths=query.worths, least=least)
        if candidates.differ(broader, query.combinations):
            found = _best(query, broader, scope=scope, limit=limit)
    return found


def scores(query: LexicalQuery, *, chunk_ids: Iterable[int]) -> list[tuple[int, float]]:
    """What some chunks score, in no order; 0 for one that holds nothing of the query."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, -(terms <#> %(vector)s::sparsevec) FROM kb_chunk WHERE id = ANY(%(ids)s)",
            {"vector": query.vector, "ids": list(chunk_ids)},
        )
        return cursor.fetchall()


def _combinations(
    frequencies: Mapping[int, int], *, worths: Mapping[int, float], chunks: int, scope: Scope
) -> list[Combination]:
    expected = float(candidates.budget(len(frequencies)))
    if scope.narrows_sources:
        inside = scope.chunk_count()
        if inside <= SCORED_WHOLE:
            return []
        # So many come that a narrow scope has enough left, as far as they can all be fetched.
        expected = min(expected * max(chunks / inside, 1.0), MOST_FETCHED)
    return candidates.choose(frequencies, worths=worths, chunks=chunks, expected=expected)


def _best(
    query: LexicalQuery, combinations: Sequence[Combination], *, scope: Scope, limit: int
) -> list[tuple[int, float]]:
    condition, parameters = scope.condition("c")
    with connection.cursor() as cursor:
        cursor.execute(
            # Left to itself the planner reads the whole table, as it takes comparing arrays and vectors for cheap.
            # Sent together, the three statements are one round trip and, outside a transaction, one transaction.
            f"""
            SET LOCAL enable_seqscan = off;
            SELECT id, -distance FROM (
                SELECT c.id, c.terms <#> %(vector)s::sparsevec AS distance
                FROM kb_chunk c WHERE ({_held(combinations, query.ids)}) AND {condition}
                ORDER BY distance, c.id LIMIT %(limit)s
            ) AS best WHERE distance < 0 ORDER BY distance, id;
            SET LOCAL enable_seqscan = on
            """,
            {**parameters, "vector": query.vector, "limit": limit},
        )
        cursor.nextset()
        return cursor.fetchall()


def _held(combinations: Sequence[Combination], ids: Mapping[int, Sequence[int]]) -> str:
    """SQL that is true for chunks that hold one of the combinations; a stem has other ids in each topic."""

    def overlaps(*stems: int) -> str:
        return f"c.term_ids && '{{{','.join(str(term_id) for stem in stems for term_id in ids[stem])}}}'::int[]"

    return (
        " OR ".join(
            " AND ".join([*(overlaps(stem) for stem in combination.all_of), overlaps(*combination.any_of)])
            for combination in combinations
        )
        or "TRUE"
    )


def _topics(scope: Scope) -> list[int]:
    if scope.topic_id is not None:
        return [scope.topic_id]
    return [topic_id for (topic_id,) in fetch("SELECT id FROM kb_topic ORDER BY id", [])]
