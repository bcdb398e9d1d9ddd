"""A chunk as a point: its id, its vectors, and what searches filter by."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector, SparseVector
from psycopg import ServerCursor
from qdrant_client import models as q

from law.words.analysis import hash_text
from law.words.term_weights import term_ids
from search.index.chunk_store.copy_format import sent_int4_array
from search.index.qdrant.collections import MEANING, STEMS, WORDS
from sources.scope import Scope

AT_ONCE = 200  # points of one request
NEVER = date.max.toordinal()
ANY_STEM = hash_text("each chunk has it")
Payload = dict[str, Any]
# Days are counted as `date.toordinal` does. A passage is in force while its source is and while its own days say so.
_PAYLOADS = f"""
SELECT c.id, jsonb_strip_nulls(jsonb_build_object(
    'source', s.id, 'topic', c.topic_id::text, 'kind', s.kind, 'published', s.published_at - date '0001-01-01' + 1,
    'labels', ARRAY(SELECT label_id FROM kb_source_label l WHERE l.source_id = s.id ORDER BY label_id),
    'begins', coalesce(greatest(s.valid_from, c.valid_from) - date '0001-01-01' + 1, 0),
    'ends', coalesce(least(s.valid_to, c.valid_to) - date '0001-01-01' + 1, {NEVER})
))"""
_FROM = "FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id"
_POINTS = f"""
{_PAYLOADS}, array_send(c.term_ids), sparsevec_send(c.terms), halfvec_send(e.embedding)
{_FROM} LEFT JOIN kb_chunk_embedding e ON e.chunk_id = c.id AND e.space_id = %(space)s
WHERE s.id = %(source)s::bigint ORDER BY c.id
"""
_BETWEEN = f"{_PAYLOADS} {_FROM} WHERE c.id >= %(first)s AND c.id < %(end)s"


def points_of(source_id: int, *, space_id: int) -> Iterator[list[q.PointStruct]]:
    """The points of a source as it is now, so many at once. No transaction need be open meanwhile."""
    for rows in _rows(_POINTS, {"source": source_id, "space": space_id}):
        yield [_point(*row) for row in rows]


def payloads_between(first: int, end: int) -> Iterator[tuple[int, Payload]]:
    """What the points of chunks are filtered by, but for their stems, behind the chunks' ids: from `first` to `end`."""
    for rows in _rows(_BETWEEN, {"first": first, "end": end}):
        yield from rows


def _rows(statement: str, parameters: Payload) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of a statement, `AT_ONCE` at a time, in binary format, off a cursor of the server."""
    connection.ensure_connection()
    with ServerCursor(connection.connection, "kb_points", withhold=True) as cursor:
        cursor.execute(statement, parameters, binary=True)
        while rows := cursor.fetchmany(AT_ONCE):
            yield rows


def _point(pk: int, payload: Payload, sent_stems: bytes, words: bytes, meaning: bytes | None) -> q.PointStruct:
    stems, weights = sent_int4_array(sent_stems), SparseVector.from_binary(words)
    every = np.unique([*stems, *ids_of([ANY_STEM], int(payload["topic"]))])
    vector: Payload = {
        WORDS: q.SparseVector(indices=weights.indices(), values=weights.values()),
        STEMS: q.SparseVector(indices=every.view(np.uint32).tolist(), values=[1.0] * len(every)),
    }
    if meaning is not None:
        vector[MEANING] = HalfVector.from_binary(meaning).to_list()
    return q.PointStruct(id=pk, vector=vector, payload={**payload, "stems": stems.tolist()})


def ids_of(stems: Sequence[int], topic_id: int) -> NDArray[np.int32]:
    """The ids of stems, given by their hashes, in a topic. As unsigned numbers they are dimensions of `STEMS`."""
    return term_ids(np.array(stems, np.uint64), topic_id)


def filter_of(scope: Scope, *also: q.Condition) -> q.Filter:
    """What passages of the scope have, and more. Postgres has the last word on each that is found."""
    conditions = [*also]
    if scope.limited_to is not None:
        seen = [str(topic_id) for topic_id in scope.limited_to]
        conditions.append(q.FieldCondition(key="topic", match=q.MatchAny(any=seen)))
    for key, values in (("kind", scope.kinds), ("labels", scope.label_ids), ("source", scope.source_ids)):
        if values:
            conditions.append(q.FieldCondition(key=key, match=q.MatchAny(any=list(values))))  # type: ignore[arg-type]
    if scope.published_from or scope.published_to:
        first, last = (scope.published_from or date.min).toordinal(), (scope.published_to or date.max).toordinal()
        conditions.append(q.FieldCondition(key="published", range=q.Range(gte=first, lte=last)))
    if scope.day:
        day = scope.day.toordinal()
        conditions.append(q.FieldCondition(key="begins", range=q.Range(lte=day)))
        conditions.append(q.FieldCondition(key="ends", range=q.Range(gt=day)))
    return q.Filter(must=conditions)
