"""Search by words: candidates from the posting lists, in the order of BM25."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kb_project.database.rows import fetch
from search.index.postgres.counts import topics
from search.index.postgres.segments import candidates, fresh
from search.index.postgres.segments.members import SourceMask, mask_of, mask_with
from search.ranking.fusion import Ranking
from search.ranking.word_query import WordQuery
from search.scope import Scope

SCORED_WHOLE = 2_000  # chunks: a scope that is narrowed to fewer has all of them scored
FEWEST_SURE = 10  # results: up to so many are the same whatever the limit
CANDIDATES = 200  # that are scored; those that come to far less than the last that is asked for are left out
CANDIDATES_FOR_ONE = 4  # of the results that are asked for, if that is more
_OF_SOURCES = """
SELECT c.id, c.terms <#> %(vector)s::sparsevec AS distance FROM {chunks} WHERE {condition}
"""
_CHOSEN = """
SELECT c.id, c.terms <#> %(vector)s::sparsevec AS distance FROM kb_chunk c
WHERE c.id = ANY(%(chosen)s::bigint[]) AND {condition}
"""
_COLUMNS = "id, terms, topic_id, source_id, valid_from, valid_to"


def search(query: WordQuery, *, scope: Scope, limit: int, surely: int | None = None) -> Ranking:
    """The best chunks of the scope and their scores, best first.

    Fewer than `limit` only where no more score, or where no more than `surely` many are asked for and the others come
    to much less.
    """
    if not query.terms:
        return []
    if scope.narrows_sources:
        inside, chunks = scope.sources()
        mask: SourceMask | None = mask_with(inside)
        if chunks <= SCORED_WHOLE:
            condition, parameters = scope.source_condition("s")
            chunks_of = fresh.chunks_of(f"SELECT s.id FROM kb_source s WHERE {condition}", columns=_COLUMNS)
            days, days_parameters = scope.days_condition("c")
            statement = _OF_SOURCES.format(chunks=chunks_of, condition=days)
            return _scored(query, statement, parameters | days_parameters, limit=limit)
    else:
        mask = mask_of(scope)
    topic_ids = topics(scope.topic_id)
    condition, parameters = scope.condition("c")
    chunks_of = fresh.chunks_of(fresh.SOURCES, columns=_COLUMNS)
    # The mask has left out the sources that are not in force: to ask again for each of hundreds takes a tenth of a
    # search. Of passages the row itself tells.
    chosen_of, _ = replace(scope, as_of=None).condition("c")
    days, _ = scope.days_condition("c")
    statement = (
        f"{_CHOSEN.format(condition=f'{chosen_of} AND {days}')}"
        f" UNION {_OF_SOURCES.format(chunks=chunks_of, condition=condition)}"
    )
    surely = limit if surely is None else min(surely, limit)
    best, count = max(surely, FEWEST_SURE), max(CANDIDATES, CANDIDATES_FOR_ONE * surely)
    while True:
        found = candidates.find(query.terms, topic_ids=topic_ids, mask=mask, best=best, count=count)
        chosen = {"chosen": found.chunk_ids, "fresh": found.fresh, "topics": topic_ids}
        scored = _scored(query, statement, {**parameters, **chosen}, limit=limit)
        if len(scored) >= surely or found.complete:
            return scored
        best = count = 8 * count  # many of the candidates are gone, or not in force


def scores(query: WordQuery, *, chunk_ids: Iterable[int]) -> Ranking:
    """What some chunks score, in no order; 0 for one that holds nothing of the query."""
    return fetch(
        "SELECT id, -(terms <#> %(vector)s::sparsevec) FROM kb_chunk WHERE id = ANY(%(ids)s::bigint[])",
        {"vector": query.vector.as_text(), "ids": list(chunk_ids)},
    )


def _scored(query: WordQuery, statement: str, parameters: Mapping[str, Any], *, limit: int) -> Ranking:
    """The best of the chunks that a statement gives with their distances."""
    # OFFSET 0 keeps the planner from taking the condition inside, where the distance would be reckoned twice.
    return fetch(
        f"SELECT id, -distance FROM ({statement} OFFSET 0) AS scored WHERE distance < 0"
        " ORDER BY distance, id LIMIT %(limit)s",
        {**parameters, "vector": query.vector.as_text(), "limit": limit},
    )
