"""Dense search: the nearest vectors of the active space, inside the scope."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb_project.database.connections import release
from kb_project.database.rows import fetch
from search.embedders.spaces import embedder_of
from search.index.postgres.copy_format import vector_text
from search.index.postgres.segments import fresh
from search.index.postgres.vectors import coded_candidates
from search.index.postgres.vectors.coded_candidates import Chosen, Field
from search.models import EmbeddingSpace
from search.scope import Scope

THREADS = 1_000  # two for each request that has one: embedding its query, and choosing candidates once it is there
MORE = 8  # times as many candidates, where too many of them are gone
_SIMILARITIES = """
WITH nearby (id) AS (SELECT unnest(%(chunks)s::bigint[]) UNION SELECT c.id FROM {fresh} WHERE {condition})
SELECT e.chunk_id, -(e.embedding <#> %(vector)s::halfvec)
FROM nearby JOIN kb_chunk_embedding e ON e.space_id = %(space)s AND e.chunk_id = nearby.id
"""
_FRESH = fresh.chunks_of(fresh.SOURCES, columns="id, topic_id, source_id")

Nearest = list[tuple[int, float]]
Judged = tuple[Nearest, Mapping[int, float]]

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="query-vector")


@dataclass(frozen=True)
class DenseQuery:
    """A query's vector in a space, and the same as pgvector writes it."""

    space: EmbeddingSpace
    vector: NDArray[np.float32]

    @cached_property
    def text(self) -> str:
        return vector_text(self.vector)


def prepare(query: str, *, space: EmbeddingSpace) -> DenseQuery:
    """The query in the space. Raises ProviderError if the embedder fails."""
    return DenseQuery(space, embedder_of(space).embed([query], "query")[0])


def ask(query: str, *, space: EmbeddingSpace, scope: Scope, limit: int) -> Callable[[Collection[int]], Judged]:
    """As `search_and_judge`, begun: what is returned takes the chunks to judge, and ends it.

    Other threads embed the query and choose what is to be compared meanwhile; they use no database. The embedder is
    waited for without a connection; what is returned raises ProviderError if it fails.
    """
    embedded = _threads.submit(copy_context().run, prepare, query, space=space)
    field = coded_candidates.field(space, scope=scope)
    # It waits for the thread above, which was submitted before it and so never waits for this one.
    chosen = _threads.submit(lambda: _chosen(embedded.result(), field, limit=limit))

    def answer(chunk_ids: Collection[int]) -> Judged:
        if not embedded.done():
            release()
        return _judged(embedded.result(), chosen.result(), scope=scope, limit=limit, chunk_ids=chunk_ids)

    return answer


def search(query: DenseQuery, *, scope: Scope, limit: int) -> Nearest:
    """The chunks nearest to a query and their cosine similarities, best first.

    Never fewer than `limit` where the scope has as many.
    """
    return search_and_judge(query, scope=scope, limit=limit, chunk_ids=())[0]


def search_and_judge(query: DenseQuery, *, scope: Scope, limit: int, chunk_ids: Collection[int]) -> Judged:
    """As `search`, and how near some chunks of the scope are, in the same round trip.

    A chunk without a vector is left out of these.
    """
    chosen = _chosen(query, coded_candidates.field(query.space, scope=scope), limit=limit)
    return _judged(query, chosen, scope=scope, limit=limit, chunk_ids=chunk_ids)


def exact(query: DenseQuery, *, scope: Scope, limit: int) -> Nearest:
    """The nearest by comparing every vector in scope."""
    parameters: dict[str, Any] = {}
    joined, condition = "", "TRUE" if scope.topic_id is None else f"e.topic_id = {scope.topic_id:d}"
    if scope.narrows_sources:
        condition, parameters = scope.source_condition("s")
        joined = "JOIN kb_chunk c ON c.id = e.chunk_id JOIN kb_source s ON s.id = c.source_id"
    return fetch(
        f"SELECT e.chunk_id, -(e.embedding <#> %(vector)s::halfvec) AS similarity FROM kb_chunk_embedding e {joined}"
        f" WHERE e.space_id = %(space)s AND {condition} ORDER BY similarity DESC, e.chunk_id LIMIT %(limit)s",
        {**parameters, "vector": query.text, "space": query.space.pk, "limit": limit},
    )


def _chosen(query: DenseQuery, field: Field | None, *, limit: int) -> Chosen | None:
    return None if field is None else coded_candidates.choose(query.vector, field, limit=limit)


def _judged(
    query: DenseQuery, chosen: Chosen | None, *, scope: Scope, limit: int, chunk_ids: Collection[int]
) -> Judged:
    """The end of `search_and_judge`: by what was chosen, or by comparing all where there is nothing to choose from."""
    if chosen is None:
        compared = _similarities(query, chunk_ids, [], scope=scope) if chunk_ids else {}
        nearest = exact(query, scope=scope, limit=limit)
    else:
        effort = 1
        while True:
            candidates = [*chosen.chunk_ids.tolist(), *chunk_ids]
            compared = _similarities(query, candidates, chosen.among.fresh.tolist(), scope=scope)
            if len(compared) >= limit or chosen.complete:
                break
            effort *= MORE  # many of the candidates are gone
            chosen = coded_candidates.choose(query.vector, chosen.among, limit=limit, effort=effort)
        nearest = sorted(compared.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
    return nearest, {chunk_id: compared[chunk_id] for chunk_id in chunk_ids if chunk_id in compared}


def _similarities(
    query: DenseQuery, chunk_ids: Collection[int], source_ids: Collection[int], *, scope: Scope
) -> dict[int, float]:
    """How near some chunks are, and all of the scope that are in no segment: those of some sources, and newer ones."""
    condition, parameters = scope.condition("c")
    statement = _SIMILARITIES.format(fresh=_FRESH, condition=condition)
    chunks = {"chunks": list(chunk_ids), "fresh": list(source_ids), "topic": scope.topic_id}
    return dict(fetch(statement, {**parameters, **chunks, "vector": query.text, "space": query.space.pk}))
