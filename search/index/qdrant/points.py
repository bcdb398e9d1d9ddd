"""A chunk as a point: its id, its vectors, and what searches filter by."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from psycopg import ServerCursor
from qdrant_client import models as q

from law.words.analysis import hash_text
from law.words.term_weights import term_ids
from search.index.chunk_store import copy_format
from search.index.qdrant.collections import MEANING, STEMS, WORDS
from sources.scope import Scope

AT_ONCE = 200  # points of one request
NEVER, ALWAYS = date.max.toordinal(), 0
ANY_STEM = hash_text("each chunk has it")
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
    stems, weights, embedding = copy_format.sent_int4_array(row[8]), *row[9:]
    dimensions = sorted({*stem_dimensions(stems), *stem_dimensions(ids_of([ANY_STEM], row[2]))})
    vector: dict[str, Any] = {
        WORDS: _sparse(weights),
        STEMS: q.SparseVector(indices=dimensions, values=[1.0] * len(dimensions)),
    }
    if embedding is not None:
        vector[MEANING] = copy_format.sent_halfvecs([embedding])[0].tolist()
    return q.PointStruct(id=row[0], vector=vector, payload={**_payload(row), "stems": stems.tolist()})


def ids_of(stems: Sequence[int], topic_id: int) -> NDArray[np.int32]:
    """The ids of stems, given by their hashes, in a topic."""
    return term_ids(np.array(stems, np.uint64), topic_id)


def stem_dimensions(ids: NDArray[np.int32]) -> list[int]:
    """Where stems of a topic stand in the vector of stems."""
    return ids.astype(np.int32).view(np.uint32).tolist()


def _sparse(sent: bytes) -> q.SparseVector:
    """What `sparsevec_send` gives: dimensions, how many are not zero, a number that is not used; then both halves."""
    head = np.frombuffer(sent, ">i4", 3)
    count = int(head[1])
    indices = np.frombuffer(sent, ">i4", count, 12)
    return q.SparseVector(indices=indices.tolist(), values=np.frombuffer(sent, ">f4", count, 12 + 4 * count).tolist())


def filter_of(scope: Scope, *also: q.Condition) -> q.Filter:
    """What passages of the scope have, and more. Postgres has the last word on each that is found."""
    conditions: list[q.Condition] = [*also]
    if scope.topic_id is not None:
        conditions.append(q.FieldCondition(key="topic", match=q.MatchValue(value=str(scope.topic_id))))
    one_of = {"kind": scope.kinds, "labels": scope.label_ids, "source": scope.source_ids}
    for key, values in one_of.items():
        if values:
            conditions.append(q.FieldCondition(key=key, match=q.MatchAny(any=list(values))))  # type: ignore[arg-type]
    if scope.published_from or scope.published_to:
        first = scope.published_from.toordinal() if scope.published_from else None
        last = scope.published_to.toordinal() if scope.published_to else NEVER
        conditions.append(q.FieldCondition(key="published", range=q.Range(gte=first, lte=last)))
    if scope.day:
        day = scope.day.toordinal()
        conditions.append(q.FieldCondition(key="begins", range=q.Range(lte=day)))
        conditions.append(q.FieldCondition(key="ends", range=q.Range(gt=day)))
    return q.Filter(must=conditions)
