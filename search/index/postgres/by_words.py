"""Lexical search: candidates from the posting lists, in the order of BM25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import Together, fetch
from search.index.postgres import statistics
from search.index.postgres.segments import candidates, fresh
from search.index.postgres.segments.candidates import Wanted
from search.index.postgres.segments.postings import TopicTerm
from search.index.postgres.statistics import TopicStatistics
from search.ranking.term_weights import add, idf, query_vector, term_ids
from search.scope import Scope
from search.text.analysis import Term
from search.text.spellings import Spellings, other_spellings, spelling_vector
from search.text.stop_words import worth

MOST_TERMS = 200  # distinct stems of a query that are looked up
SCORED_WHOLE = 2_000  # chunks: a scope that is narrowed to fewer has all of them scored
FEWEST_SURE = 10  # results: up to so many are the same whatever the limit
CANDIDATES = 200  # that are looked at closer; those that come to far less than the last that is wanted are left out
CANDIDATES_FOR_ONE = 4  # of the results that are asked for, if that is more
_OF_SOURCES = """
SELECT c.id, c.terms <#> %(vector)s::sparsevec AS distance FROM {chunks} WHERE {condition}
"""
_CHOSEN = """
SELECT c.id, c.terms <#> %(vector)s::sparsevec AS distance FROM kb_chunk c
WHERE c.id = ANY(%(chosen)s::bigint[]) AND {condition}
"""
_COLUMNS = "id, terms, topic_id, source_id"


@dataclass(frozen=True, kw_only=True)
class LexicalQuery:
    """A query against one scope: its stems and in how many chunks they are, what finds candidates and what orders them.

    `frequencies` count the chunks that hold a stem in any spelling; `worths` say what it tells that a chunk is one of
    them. `ids` are a stem's ids in the posting lists, each with its topic.
    """

    vector: str
    frequencies: Mapping[int, int]
    worths: Mapping[int, float]
    chunks: int
    ids: Mapping[int, Sequence[TopicTerm]] = field(default_factory=dict)


def prepare(terms: Sequence[Term], *, scope: Scope) -> LexicalQuery:
    """Weigh a query's terms by the statistics of the scope's topic."""
    return ask(terms, Together(), scope=scope)()


def ask(terms: Sequence[Term], together: Together, *, scope: Scope) -> Callable[[], LexicalQuery]:
    """As `prepare`, together with what else is asked."""
    stems = list(dict.fromkeys(term.stem_hash for term in terms))[:MOST_TERMS]
    kept = set(stems)
    spellings = {one: meant for one, meant in other_spellings(terms).items() if meant[1] in kept}
    looked_up = np.array([*stems, *spellings], dtype=np.uint64)
    wanted = {topic_id: term_ids(looked_up, topic_id) for topic_id in _topics(scope)}
    statistics_of = statistics.ask(wanted, together)
    return lambda: _weighed(terms, stems, spellings, wanted, statistics_of())


def _weighed(
    terms: Sequence[Term],
    stems: Sequence[int],
    spellings: Spellings,
    wanted: Mapping[int, NDArray[np.int32]],
    found: Mapping[int, TopicStatistics],
) -> LexicalQuery:
    """The query of these terms; `wanted` are the ids of the stems and of their other spellings in each topic."""
    chunks = 0
    counted: Counter[int] = Counter()
    brought: Counter[int] = Counter()
    ids: dict[int, list[TopicTerm]] = {stem: [] for stem in stems}
    for topic_id, stats in found.items():
        chunks += stats.chunks
        for stem, term_id in zip([*ids, *spellings], wanted[topic_id].tolist(), strict=True):
            frequency = stats.document_frequencies.get(term_id, 0)
            counted[stem] += frequency
            if stem in spellings and not frequency:
                continue
            # What another spelling brings, it brings as the word it stands for.
            meant = spellings[stem][1] if stem in spellings else stem
            brought[meant] += frequency
            ids[meant].append((topic_id, term_id))
    told: dict[int, float] = {}
    for term in terms:
        told[term.stem_hash] = max(told.get(term.stem_hash, 0.0), worth(term.word))
    idf_by_stem = {stem: idf(counted[stem], chunks) for stem in ids}
    asked = {stem: told[stem] * rarity for stem, rarity in idf_by_stem.items()}
    otherwise = spelling_vector(spellings.values(), frequencies=counted, worths=asked, chunks=chunks)
    frequencies = {stem: brought[stem] for stem in ids}
    worths = {stem: told[stem] * idf(frequency, chunks) for stem, frequency in frequencies.items()}
    return LexicalQuery(
        vector=add(query_vector(terms, idf_by_stem), otherwise).as_text(),
        frequencies=frequencies,
        worths=worths,
        chunks=chunks,
        ids=ids,
    )


def search(query: LexicalQuery, *, scope: Scope, limit: int, surely: int | None = None) -> list[tuple[int, float]]:
    """The best chunks of the scope and their scores, best first.

    Fewer than `limit` only where no more score, or where no more than `surely` many are asked for and the others come
    to much less.
    """
    if not query.frequencies:
        return []
    inside = None
    if scope.narrows_sources:
        inside, chunks = scope.sources()
        if chunks <= SCORED_WHOLE:
            condition, parameters = scope.source_condition("s")
            chunks_of = fresh.chunks_of(f"SELECT s.id FROM kb_source s WHERE {condition}", columns=_COLUMNS)
            return _scored(query, _OF_SOURCES.format(chunks=chunks_of, condition="TRUE"), parameters, limit=limit)
    wanted = [
        Wanted(ids=ids, worth=query.worths[stem], frequency=query.frequencies[stem]) for stem, ids in query.ids.items()
    ]
    condition, parameters = scope.condition("c")
    chunks_of = fresh.chunks_of(fresh.SOURCES, columns=_COLUMNS)
    statement = " UNION ".join(part.format(chunks=chunks_of, condition=condition) for part in (_CHOSEN, _OF_SOURCES))
    surely = limit if surely is None else min(surely, limit)
    best, count = max(surely, FEWEST_SURE), max(CANDIDATES, CANDIDATES_FOR_ONE * surely)
    while True:
        found = candidates.find(wanted, topic_id=scope.topic_id, inside=inside, best=best, count=count)
        chosen = {"chosen": found.chunk_ids, "fresh": found.fresh, "topic": scope.topic_id}
        scored = _scored(query, statement, {**parameters, **chosen}, limit=limit)
        if len(scored) >= surely or found.complete:
            return scored
        best = count = 8 * count  # many of the candidates are gone


def scores(query: LexicalQuery, *, chunk_ids: Iterable[int]) -> list[tuple[int, float]]:
    """What some chunks score, in no order; 0 for one that holds nothing of the query."""
    return fetch(
        "SELECT id, -(terms <#> %(vector)s::sparsevec) FROM kb_chunk WHERE id = ANY(%(ids)s::bigint[])",
        {"vector": query.vector, "ids": list(chunk_ids)},
    )


def _scored(
    query: LexicalQuery, statement: str, parameters: Mapping[str, Any], *, limit: int
) -> list[tuple[int, float]]:
    """The best of the chunks that a statement gives with their distances."""
    # OFFSET 0 keeps the planner from taking the condition inside, where the distance would be reckoned twice.
    return fetch(
        f"SELECT id, -distance FROM ({statement} OFFSET 0) AS scored WHERE distance < 0"
        " ORDER BY distance, id LIMIT %(limit)s",
        {**parameters, "vector": query.vector, "limit": limit},
    )


def _topics(scope: Scope) -> list[int]:
    if scope.topic_id is not None:
        return [scope.topic_id]
    return [topic_id for (topic_id,) in fetch("SELECT id FROM kb_topic ORDER BY id", [])]
