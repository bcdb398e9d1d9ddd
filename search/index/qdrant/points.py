"""A chunk as a point: its id, the weights of its words, its vector, and what searches filter by."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np
from django.db import connection
from psycopg import ServerCursor
from qdrant_client import models as q

from search.index.qdrant.collections import MEANING, WORDS
from search.index.stored import copy_format

AT_ONCE = 200  # points of one request
NEVER, ALWAYS = date.max.toordinal(), 0
# A passage is in force while its source is and while its own days say so.
_PAYLOADS = """
SELECT c.id, s.id, c.topic_id, s.kind, s.published_at, greatest(s.valid_from, c.valid_from),
    least(s.valid_to, c.valid_to), labels.ids{columns}
FROM kb_source s
CROSS JOIN LATERAL (
    SELECT array_send(ARRAY(
        SELECT label_id::int FROM kb_source_label l WHERE l.source_id = s.id ORDER BY label_id
    )) AS ids
) AS labels
JOIN kb_chunk c ON c.source_id = s.id
{joined}
WHERE s.id = ANY(%(sources)s::bigint[]) ORDER BY c.id
"""
_POINTS = _PAYLOADS.format(
    columns=", array_send(c.term_ids), sparsevec_send(c.terms), halfvec_send(e.embedding)",
    joined="LEFT JOIN kb_chunk_embedding e ON e.chunk_id = c.id AND e.space_id = %(space)s",
)
_FILTERED = _PAYLOADS.format(columns="", joined="")


def points_of(source_ids: Sequence[int], *, space_id: int) -> Iterator[list[q.PointStruct]]:
    """The points of sources as they are now, so many at once; no transaction need be open meanwhile."""
    for rows in _rows(_POINTS, {"sources": list(source_ids), "space": space_id}):
        yield [_point(row) for row in rows]


def payloads_of(source_ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """What the points of sources are filtered by, but for their stems, by the ids of their chunks."""
    found = _rows(_FILTERED, {"sources": list(source_ids)})
    return {row[0]: _payload(row) for rows in found for row in rows}


def _rows(statement: str, parameters: dict[str, Any]) -> Iterator[list[tuple[Any, ...]]]:
    connection.ensure_connection()
    with ServerCursor(connection.connection, "kb_points", withhold=True) as cursor:
        cursor.execute(statement, parameters, binary=True)
        while rows := cursor.fetchmany(AT_ONCE):
            yield rows


def _payload(row: tuple[Any, ...]) -> dict[str, Any]:
    _, source_id, topic_id, kind, published, begins, ends, labels = row[:8]
    payload = {
        "source": source_id,
        "topic": str(topic_id),
        "kind": kind,
        "labels": copy_format.sent_int4_array(labels).tolist(),
        "begins": begins.toordinal() if begins else ALWAYS,
        "ends": ends.toordinal() if ends else NEVER,
    }
    return payload if published is None else {**payload, "published": published.toordinal()}


def _point(row: tuple[Any, ...]) -> q.PointStruct:
    stems, weights, embedding = row[8:]
    vector: dict[str, Any] = {WORDS: _sparse(weights)}
    if embedding is not None:
        vector[MEANING] = copy_format.sent_halfvecs([embedding])[0].tolist()
    payload = {**_payload(row), "stems": copy_format.sent_int4_array(stems).tolist()}
    return q.PointStruct(id=row[0], vector=vector, payload=payload)


def _sparse(sent: bytes) -> q.SparseVector:
    """What `sparsevec_send` gives: dimensions, how many are not zero, a number that is not used; then both halves."""
    head = np.frombuffer(sent, ">i4", 3)
    count = int(head[1])
    indices = np.frombuffer(sent, ">i4", count, 12)
    return q.SparseVector(indices=indices.tolist(), values=np.frombuffer(sent, ">f4", count, 12 + 4 * count).tolist())
