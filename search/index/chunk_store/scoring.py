"""Scores by words, reckoned in the database: of the chunks that an engine has chosen, and of fresh ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kb_project.database.rows import fetch
from search.index.chunk_store import pending_sources
from search.index.chunk_store.pending_sources import Lag
from search.ranking.fusion import Ranking
from search.ranking.word_query import WordQuery
from sources.scope import Scope

SCORED_WHOLE = 2_000  # chunks: a scope that is narrowed to fewer has all of them scored
MIN_SURE = 10  # results: up to so many are the same whatever the limit
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


@dataclass(frozen=True, kw_only=True)
class SelectedChunks:
    """Chunks that an engine has chosen, and the sources whose chunks it has not got yet.

    `complete` says that no other chunk that was to be found holds a term of the query.
    """

    chunk_ids: list[int]
    fresh: list[int]
    complete: bool


class Choose(Protocol):
    """Chooses the chunks that may be among the `best`: at most `count`, those that promise most."""

    def __call__(self, *, best: int, count: int) -> SelectedChunks: ...


def score_whole(query: WordQuery, *, scope: Scope, limit: int) -> Ranking:
    """The best of a scope that is narrowed to few chunks: each of them is scored."""
    condition, parameters = scope.source_condition("s")
    chunks_of = pending_sources.chunks_of(f"SELECT s.id FROM kb_source s WHERE {condition}", columns=_COLUMNS)
    days, days_parameters = scope.days_condition("c")
    return _scored(
        query, _OF_SOURCES.format(chunks=chunks_of, condition=days), parameters | days_parameters, limit=limit
    )


def score_chosen(
    query: WordQuery,
    choose: Choose,
    *,
    scope: Scope,
    topic_ids: Sequence[int],
    limit: int,
    guaranteed: int | None,
    lag: Lag = pending_sources.SEGMENTS,
) -> Ranking:
    """The best of what is chosen and of what is fresh, as `SearchIndex.candidates`.

    What was chosen and is gone, or out of scope, is left out: then more is chosen.
    """
    condition, parameters = scope.condition("c")
    chunks_of = pending_sources.chunks_of(lag.sources, columns=_COLUMNS)
    chosen_of = condition
    if lag.keeps_scope:
        # Other sources were left out: to ask again for each of hundreds takes a tenth of a search, and under a label
        # more. Of passages the row itself tells.
        inside, _ = scope.topic_condition("c.topic_id")
        days, _ = scope.days_condition("c")
        chosen_of = f"{inside} AND {days}"
    statement = (
        f"{_CHOSEN.format(condition=chosen_of)} UNION {_OF_SOURCES.format(chunks=chunks_of, condition=condition)}"
    )
    guaranteed = limit if guaranteed is None else min(guaranteed, limit)
    best, count = max(guaranteed, MIN_SURE), max(CANDIDATES, CANDIDATES_FOR_ONE * guaranteed)
    while True:
        found = choose(best=best, count=count)
        chosen = {"chosen": found.chunk_ids, "fresh": found.fresh, "topics": list(topic_ids)}
        scored = _scored(query, statement, {**parameters, **chosen}, limit=limit)
        if len(scored) >= guaranteed or found.complete:
            return scored
        best = count = 8 * count  # many of the candidates are gone, or not in force


def scores(query: WordQuery, *, chunk_ids: Iterable[int]) -> Ranking:
    """What some chunks score, in no order, or 0 for one that holds nothing of the query."""
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
