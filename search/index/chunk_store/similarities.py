"""Similarities of vectors, reckoned in the database: of the chunks that an engine has chosen, and of fresh ones."""

from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from kb_project.database.rows import fetch
from search.index.chunk_store import pending_sources
from search.index.chunk_store.copy_format import vector_text
from search.index.chunk_store.pending_sources import Lag
from search.index.protocol import Nearest, NearestSearch, Vector
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from sources.scope import Scope

THREADS = 500  # one for each request that searches by meaning
MORE = 8  # times as many candidates, where too many of them are gone
# Vector by vector, through the index: OFFSET 0 keeps the planner, who cannot know how few are near, from reading all.
_SIMILARITIES = """
WITH nearby (id) AS (
    SELECT unnest(%(chunks)s::bigint[]) UNION {chosen} UNION SELECT c.id FROM {fresh} WHERE {condition}
)
SELECT nearby.id, -(e.embedding <#> %(vector)s::halfvec)
FROM nearby CROSS JOIN LATERAL (
    SELECT embedding FROM kb_chunk_embedding WHERE space_id = %(space)s AND chunk_id = nearby.id OFFSET 0
) AS e
WHERE nearby.id NOT IN (SELECT gone.id FROM ({gone}) AS gone (id, source_id))
"""
_CHOSEN = "SELECT unnest(%(chosen)s::bigint[])"
_CHECKED = "SELECT c.id FROM kb_chunk c WHERE c.id = ANY(%(chosen)s::bigint[]) AND {condition}"
_COLUMNS = "id, topic_id, source_id, valid_from, valid_to"

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="nearest")


@dataclass(frozen=True)
class DenseQuery:
    """A query's vector in a space, and the same as pgvector writes it."""

    space: EmbeddingSpace
    vector: Vector

    @cached_property
    def text(self) -> str:
        return vector_text(self.vector)


class NearCandidates(Protocol):
    """Chunks that seem nearest, the sources that the engine has not got yet, and whether these are all in scope."""

    @property
    def ids(self) -> list[int]: ...

    @property
    def fresh(self) -> list[int]: ...

    @property
    def complete(self) -> bool: ...

    def more(self, effort: int) -> "NearCandidates":
        """So many times as many as are usually chosen."""
        ...


def search_chosen(
    choose: Callable[[Vector], NearCandidates | None],
    vector: Future[Vector],
    *,
    space: EmbeddingSpace,
    scope: Scope,
    limit: int,
) -> NearestSearch:
    """As `SearchIndex.nearest`. A thread chooses as soon as the vector is there. It uses no database.

    Where nothing is chosen, all vectors in scope are compared.
    """
    # It waits for the thread that embeds, which was submitted before it and so never waits for this one.
    chosen = _threads.submit(lambda: choose(vector.result()))

    def end(chunk_ids: Collection[int]) -> Nearest:
        query = DenseQuery(space, vector.result())
        return compare(query, chosen.result(), scope=scope, limit=limit, chunk_ids=chunk_ids)

    return NearestSearch([vector], end)


def compare(
    query: DenseQuery,
    chosen: NearCandidates | None,
    *,
    scope: Scope,
    limit: int,
    chunk_ids: Collection[int],
    lag: Lag = pending_sources.SEGMENTS,
) -> Nearest:
    """The nearest of what was chosen and of what is fresh. More is chosen where too much of it is gone.

    Where an engine has nothing to choose from, all vectors in scope are compared.
    """
    if chosen is None:
        return _compare_all(query, scope=scope, limit=limit, chunk_ids=chunk_ids)
    effort = 1
    while True:
        compared = _similarities(query, chunk_ids, chosen.ids, chosen.fresh, scope=scope, lag=lag)
        if len(compared) >= limit or chosen.complete:
            break
        effort *= MORE
        chosen = chosen.more(effort)
    ranking = sorted(compared.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
    return Nearest(ranking, {chunk_id: compared[chunk_id] for chunk_id in chunk_ids if chunk_id in compared})


def _compare_all(query: DenseQuery, *, scope: Scope, limit: int, chunk_ids: Collection[int]) -> Nearest:
    compared = _similarities(query, chunk_ids, [], [], scope=scope, lag=pending_sources.SEGMENTS) if chunk_ids else {}
    ranking = exact(query.vector, space=query.space, scope=scope, limit=limit)
    return Nearest(ranking, {chunk_id: compared[chunk_id] for chunk_id in chunk_ids if chunk_id in compared})


def exact(vector: Vector, *, space: EmbeddingSpace, scope: Scope, limit: int) -> Ranking:
    """The nearest by comparing every vector in scope."""
    joined, (condition, parameters) = "", scope.topic_condition("e.topic_id")
    if scope.narrows_sources or scope.day:
        (of_source, parameters), (days, _) = scope.source_condition("s"), scope.days_condition("c")
        condition = f"{of_source} AND {days}"
        joined = "JOIN kb_chunk c ON c.id = e.chunk_id JOIN kb_source s ON s.id = c.source_id"
    return fetch(
        f"SELECT e.chunk_id, -(e.embedding <#> %(vector)s::halfvec) AS similarity FROM kb_chunk_embedding e {joined}"
        f" WHERE e.space_id = %(space)s AND {condition} ORDER BY similarity DESC, e.chunk_id LIMIT %(limit)s",
        {**parameters, "vector": vector_text(vector), "space": space.pk, "limit": limit},
    )


def _similarities(
    query: DenseQuery,
    chunk_ids: Collection[int],
    chosen: Collection[int],
    source_ids: Collection[int],
    *,
    scope: Scope,
    lag: Lag,
) -> dict[int, float]:
    """How near some chunks are, those that were chosen, and fresh ones: of some sources, and of newer ones."""
    condition, parameters = scope.condition("c")
    gone, gone_parameters = scope.passages_not_in_force()
    statement = _SIMILARITIES.format(
        chosen=_CHOSEN if lag.keeps_scope else _CHECKED.format(condition=condition),
        fresh=pending_sources.chunks_of(lag.sources, columns=_COLUMNS),
        condition=condition,
        gone=gone,
    )
    chunks = {"chunks": list(chunk_ids), "chosen": list(chosen), "fresh": list(source_ids), "topics": scope.topic_ids()}
    return dict(
        fetch(statement, {**parameters, **gone_parameters, **chunks, "vector": query.text, "space": query.space.pk})
    )
