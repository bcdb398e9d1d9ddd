"""Dense search: the nearest vectors of the active space, inside the scope."""

from __future__ import annotations

import logging

from django.db import connection, transaction

from search.copy_format import vector_text
from search.models import EmbeddingSpace
from search.reembed import index_name
from search.scope import Scope
from search.spaces import embedder_of

logger = logging.getLogger(__name__)

EXACT_UP_TO = 20_000  # vectors in scope that are compared one by one; above, HNSW where there is one
EF_SEARCH = 200


def search(query: str, *, space: EmbeddingSpace, scope: Scope, limit: int) -> list[tuple[int, float]]:
    """The nearest chunks and their cosine similarities, best first. Raises ProviderError if the embedder fails."""
    vector = query_vector(query, space=space)
    if scope.chunk_count() > EXACT_UP_TO and _has_index(space):
        return approximate(vector, space=space, scope=scope, limit=limit)
    return exact(vector, space=space, scope=scope, limit=limit)


def query_vector(query: str, *, space: EmbeddingSpace) -> str:
    """The query in the space, in pgvector's notation."""
    return vector_text(embedder_of(space).embed([query], "query")[0])


def exact(vector: str, *, space: EmbeddingSpace, scope: Scope, limit: int) -> list[tuple[int, float]]:
    """The nearest by comparing every vector in scope."""
    # Adding 0 keeps the planner from the HNSW index, whose answer under a filter is not exact.
    return _nearest(vector, space=space, scope=scope, limit=limit, order="{distance} + 0")


def approximate(vector: str, *, space: EmbeddingSpace, scope: Scope, limit: int) -> list[tuple[int, float]]:
    """The nearest by way of the HNSW index."""
    with transaction.atomic(), connection.cursor() as cursor:
        # A filter may reject most of what the graph offers: the scan then goes on until it has enough.
        cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
        cursor.execute(f"SET LOCAL hnsw.ef_search = {max(EF_SEARCH, limit):d}")
        found = _nearest(vector, space=space, scope=scope, limit=limit, order="{distance}")
    if len(found) < limit:
        logger.warning("HNSW found %d of %d chunks asked for in scope %s", len(found), limit, scope)
    return found


def _nearest(vector: str, *, space: EmbeddingSpace, scope: Scope, limit: int, order: str) -> list[tuple[int, float]]:
    condition, parameters = scope.condition("c")
    dimension = int(space.dimension)
    distance = f"(e.embedding::halfvec({dimension}) <#> %(vector)s::halfvec({dimension}))"
    topic = "e.topic_id = %(scope_topic)s" if scope.topic_id is not None else "TRUE"
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT e.chunk_id, -{distance} FROM kb_chunk_embedding e
            JOIN kb_chunk c ON c.id = e.chunk_id AND {condition}
            WHERE e.space_id = %(space)s AND {topic}
            ORDER BY {order.format(distance=distance)} LIMIT %(limit)s
            """,
            {**parameters, "vector": vector, "space": space.pk, "limit": limit},
        )
        return cursor.fetchall()


def _has_index(space: EmbeddingSpace) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(%s) AND indisvalid", [index_name(space.pk)]
        )
        return cursor.fetchone() is not None
