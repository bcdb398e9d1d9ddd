"""Dense search: the nearest vectors of the active space, inside the scope."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

from search.copy_format import vector_text
from search.models import EmbeddingSpace
from search.scope import Scope
from search.spaces import embedder_of
from search.vector_indexes import indexed_topics

EXACT_UP_TO = 15_000  # vectors in scope that are compared one by one; above, HNSW in topics that have an index
EF_SEARCH = 400  # candidates that a search of an index keeps; recall@50 is measured in docs/search.md
MOST_EF_SEARCH = 1_000  # what pgvector takes
MOST_SCANNED = 40_000  # vectors that the index may offer before a filter has let enough of them through

Nearest = list[tuple[int, float]]


def search(vector: str, *, space: EmbeddingSpace, scope: Scope, limit: int) -> Nearest:
    """The chunks nearest to a query's vector and their cosine similarities, best first.

    Never fewer than `limit` where the scope has as many.
    """
    inside = scope.chunk_count()
    if inside > EXACT_UP_TO and (topics := indexed_topics(space.pk)):
        whole = Scope(topic_id=scope.topic_id).chunk_count() if scope.narrows_sources else inside
        # Of the candidates a filter leaves its share, and so many must be as are needed without one.
        kept = min(MOST_EF_SEARCH, max(EF_SEARCH * whole // inside, EF_SEARCH, limit))
        found = approximate(vector, space=space, scope=scope, limit=limit, topics=topics, kept=kept)
        if len(found) >= limit:
            return found
    return exact(vector, space=space, scope=scope, limit=limit)


def query_vector(query: str, *, space: EmbeddingSpace) -> str:
    """The query in the space, in pgvector's notation. Raises ProviderError if the embedder fails."""
    return vector_text(embedder_of(space).embed([query], "query")[0])


def similarities(vector: str, *, space: EmbeddingSpace, chunk_ids: Iterable[int]) -> Nearest:
    """How near some chunks are, in no order; one without a vector in the space is left out."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT chunk_id, -(embedding <#> %(vector)s::halfvec) FROM kb_chunk_embedding"
            " WHERE space_id = %(space)s AND chunk_id = ANY(%(ids)s)",
            {"vector": vector, "space": space.pk, "ids": list(chunk_ids)},
        )
        return list(cursor.fetchall())


def exact(vector: str, *, space: EmbeddingSpace, scope: Scope, limit: int) -> Nearest:
    """The nearest by comparing every vector in scope."""
    topic = "TRUE" if scope.topic_id is None else f"e.topic_id = {scope.topic_id:d}"
    joined, filtered = "", "TRUE"
    parameters: dict[str, Any] = {}
    if scope.narrows_sources:
        condition, parameters = scope.source_condition("s")
        joined = "JOIN kb_chunk c ON c.id = e.chunk_id JOIN kb_source s ON s.id = c.source_id"
        filtered = condition
    branch = _branch(space, f"{topic} AND {filtered}", joined=joined, order="{distance} + 0, e.chunk_id", limit=limit)
    return _run([branch], parameters=parameters, vector=vector, limit=limit)


def approximate(
    vector: str, *, space: EmbeddingSpace, scope: Scope, limit: int, topics: set[int], kept: int = EF_SEARCH
) -> Nearest:
    """The nearest by way of the indexes of `topics`; what the scope has in other topics is compared one by one.

    `kept` is how many candidates each index keeps, at most `MOST_EF_SEARCH`.

    May find fewer than the scope has, when a filter lets little of what is near through.
    """
    filtered = "TRUE"
    parameters: dict[str, Any] = {}
    if scope.narrows_sources:
        condition, parameters = scope.source_condition("s")
        # OFFSET 0 keeps this a question about each vector that the index offers. A join would read all in scope.
        filtered = (
            "EXISTS (SELECT 1 FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id"
            f" WHERE c.id = e.chunk_id AND {condition} OFFSET 0)"
        )
    inside = sorted(topics if scope.topic_id is None else topics & {scope.topic_id})
    branches = [
        _branch(space, f"e.topic_id = {topic_id:d} AND {filtered}", order="{distance}", limit=limit)
        for topic_id in inside
    ]
    if scope.topic_id is None:
        others = f"NOT e.topic_id = ANY('{{{','.join(map(str, inside))}}}'::bigint[])"
        branches.append(_branch(space, f"{others} AND {filtered}", order="{distance} + 0, e.chunk_id", limit=limit))
    elif not inside:
        return []
    return _run(branches, parameters=parameters, vector=vector, limit=limit, kept=kept)


def _branch(space: EmbeddingSpace, condition: str, *, order: str, limit: int, joined: str = "") -> str:
    """The nearest of some vectors. Adding 0 to the distance in `order` keeps the planner from the HNSW index."""
    dimension = int(space.dimension)
    distance = f"(e.embedding::halfvec({dimension}) <#> %(vector)s::halfvec({dimension}))"
    return (
        f"(SELECT e.chunk_id, {distance} AS distance FROM kb_chunk_embedding e {joined}"
        f" WHERE e.space_id = {space.pk:d} AND {condition} ORDER BY {order.format(distance=distance)} LIMIT {limit:d})"
    )


def _run(
    branches: Sequence[str], *, parameters: dict[str, Any], vector: str, limit: int, kept: int = EF_SEARCH
) -> Nearest:
    with connection.cursor() as cursor:
        # Without sorts the planner takes an index that gives the order, wherever there is one. A filter may reject most
        # of what the graph offers: the scan then goes on until it has enough. All in one round trip and transaction.
        cursor.execute(
            f"""
            SET LOCAL enable_sort = off;
            SET LOCAL hnsw.iterative_scan = strict_order;
            SET LOCAL hnsw.ef_search = {kept:d};
            SET LOCAL hnsw.max_scan_tuples = {MOST_SCANNED:d};
            SELECT chunk_id, -distance FROM ({" UNION ALL ".join(branches)}) AS nearest
            ORDER BY distance, chunk_id LIMIT {limit:d};
            SET LOCAL enable_sort = on
            """,
            {**parameters, "vector": vector},
        )
        for _ in range(4):
            cursor.nextset()
        return list(cursor.fetchall())
