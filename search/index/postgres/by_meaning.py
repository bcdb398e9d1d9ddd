"""Search by meaning: the nearest vectors of a space, inside the scope."""

from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kb_project.database.connections import release
from kb_project.database.rows import fetch
from search.index.postgres.copy_format import vector_text
from search.index.postgres.counts import topics
from search.index.postgres.segments import fresh
from search.index.postgres.vectors import coded_candidates
from search.index.postgres.vectors.coded_candidates import NearCandidates, choose
from search.index.protocol import Nearest, NearestSearch, Vector
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from search.scope import Scope

THREADS = 500  # one for each request that searches by meaning
MORE = 8  # times as many candidates, where too many of them are gone
_SIMILARITIES = """
WITH nearby (id) AS (SELECT unnest(%(chunks)s::bigint[]) UNION SELECT c.id FROM {fresh} WHERE {condition})
SELECT e.chunk_id, -(e.embedding <#> %(vector)s::halfvec)
FROM nearby JOIN kb_chunk_embedding e ON e.space_id = %(space)s AND e.chunk_id = nearby.id
WHERE nearby.id NOT IN (SELECT gone.id FROM ({gone}) AS gone (id, source_id))
"""
_FRESH = fresh.chunks_of(fresh.SOURCES, columns="id, topic_id, source_id, valid_from, valid_to")

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="nearest")


def search(vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
    """As `SearchIndex.nearest`. Never fewer than `limit` where the scope has as many.

    A thread chooses what is to be compared as soon as the vector is there; it uses no database. The embedder is waited
    for without a connection. A chunk without a vector has no similarity.
    """
    field = coded_candidates.field(space, scope=scope)
    # It waits for the thread that embeds, which was submitted before it and so never waits for this one.
    chosen = _threads.submit(lambda: None if field is None else choose(vector.result(), field, limit=limit))

    def end(chunk_ids: Collection[int]) -> Nearest:
        if not vector.done():
            release()
        query = _DenseQuery(space, vector.result())
        return _compare(query, chosen.result(), scope=scope, limit=limit, chunk_ids=chunk_ids)

    return end


@dataclass(frozen=True)
class _DenseQuery:
    """A query's vector in a space, and the same as pgvector writes it."""

    space: EmbeddingSpace
    vector: Vector

    @cached_property
    def text(self) -> str:
        return vector_text(self.vector)


def exact(vector: Vector, *, space: EmbeddingSpace, scope: Scope, limit: int) -> Ranking:
    """The nearest by comparing every vector in scope."""
    parameters: dict[str, Any] = {}
    joined, condition = "", "TRUE" if scope.topic_id is None else f"e.topic_id = {scope.topic_id:d}"
    if scope.narrows_sources or scope.day:
        (of_source, parameters), (days, _) = scope.source_condition("s"), scope.days_condition("c")
        condition = f"{of_source} AND {days}"
        joined = "JOIN kb_chunk c ON c.id = e.chunk_id JOIN kb_source s ON s.id = c.source_id"
    return fetch(
        f"SELECT e.chunk_id, -(e.embedding <#> %(vector)s::halfvec) AS similarity FROM kb_chunk_embedding e {joined}"
        f" WHERE e.space_id = %(space)s AND {condition} ORDER BY similarity DESC, e.chunk_id LIMIT %(limit)s",
        {**parameters, "vector": vector_text(vector), "space": space.pk, "limit": limit},
    )


def _compare(
    query: _DenseQuery, chosen: NearCandidates | None, *, scope: Scope, limit: int, chunk_ids: Collection[int]
) -> Nearest:
    """The nearest of what was chosen, or of all vectors where there is nothing to choose from."""
    if chosen is None:
        compared = _similarities(query, chunk_ids, [], scope=scope) if chunk_ids else {}
        ranking = exact(query.vector, space=query.space, scope=scope, limit=limit)
    else:
        effort = 1
        while True:
            candidates = [*chosen.chunk_ids.tolist(), *chunk_ids]
            compared = _similarities(query, candidates, chosen.among.fresh.tolist(), scope=scope)
            if len(compared) >= limit or chosen.complete:
                break
            effort *= MORE  # many of the candidates are gone, or not in force
            chosen = choose(query.vector, chosen.among, limit=limit, effort=effort)
        ranking = sorted(compared.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
    return Nearest(ranking, {chunk_id: compared[chunk_id] for chunk_id in chunk_ids if chunk_id in compared})


def _similarities(
    query: _DenseQuery, chunk_ids: Collection[int], source_ids: Collection[int], *, scope: Scope
) -> dict[int, float]:
    """How near some chunks are, and all of the scope that are in no segment: those of some sources, and newer ones."""
    condition, parameters = scope.condition("c")
    gone, gone_parameters = scope.passages_not_in_force()
    statement = _SIMILARITIES.format(fresh=_FRESH, condition=condition, gone=gone)
    chunks = {"chunks": list(chunk_ids), "fresh": list(source_ids), "topics": topics(scope.topic_id)}
    return dict(
        fetch(statement, {**parameters, **gone_parameters, **chunks, "vector": query.text, "space": query.space.pk})
    )
