"""The codes of segments: made with each segment, or once its vectors are complete. Read once, and remembered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from kb_project.database.rows import fetch
from search.index.chunk_store import copy_format
from search.index.postgres.segments.damage import DamagedCodes, DamagedSegment, quarantine
from search.index.postgres.segments.lru_cache import LruCache
from search.index.postgres.segments.members import Ids, members
from search.index.postgres.vectors import quantization
from search.index.postgres.vectors.quantization import QuantizedVectors, Vectors
from search.models import EmbeddingSpace

KEPT_BYTES = 256 << 20  # of codes that this process remembers: 3 bits for each dimension of a vector, and 4 bytes
AT_ONCE = 4_096  # vectors
# One statement, so that no source is missed on its way from the fresh ones into a segment.
_LAYOUT = """
SELECT s.id, EXISTS (SELECT FROM kb_segment_codes c WHERE c.segment_id = s.id AND c.space_id = %(space)s), s.chunks,
    NULL::bytea
FROM kb_segment s
WHERE (%(topics)s::bigint[] IS NULL OR s.topic_id = ANY(%(topics)s::bigint[])) AND NOT s.damaged
UNION ALL
SELECT NULL, NULL, NULL, string_agg(int8send(source_id), ''::bytea) FROM kb_fresh_source
WHERE %(topics)s::bigint[] IS NULL OR topic_id = ANY(%(topics)s::bigint[])
"""
_UNCODED = """
SELECT id FROM kb_segment s WHERE NOT damaged
AND NOT EXISTS (SELECT FROM kb_segment_codes c WHERE c.segment_id = s.id AND c.space_id = %s) ORDER BY chunks DESC
"""
_CODES = """
SELECT c.segment_id, c.codes, s.chunks FROM kb_segment_codes c JOIN kb_segment s ON s.id = c.segment_id
WHERE c.segment_id = ANY(%s::uuid[]) AND c.space_id = %s
"""
_VECTORS = """
SELECT c.id, halfvec_send(e.embedding) FROM kb_chunk c
LEFT JOIN kb_chunk_embedding e ON e.space_id = %s AND e.chunk_id = c.id WHERE c.id = ANY(%s::bigint[])
"""

_kept: LruCache[tuple[UUID, int], QuantizedVectors] = LruCache(
    most_bytes=KEPT_BYTES, size=lambda codes: 500 + codes.nbytes
)


@dataclass(frozen=True, slots=True)
class CodeLayout:
    """The segments of a topic, or of all, that have codes and that have none, and the sources that are in no segment.

    `uncoded_chunks` is how many chunks those without have.
    """

    segment_ids: Sequence[UUID]
    uncoded: Sequence[UUID]
    uncoded_chunks: int
    fresh: Ids


def layout(space_id: int, *, topic_ids: Sequence[int] | None) -> CodeLayout:
    """What a search of a space's vectors finds in topics, or in all, at one moment."""
    given = None if topic_ids is None else list(topic_ids)
    rows = fetch(_LAYOUT, {"space": space_id, "topics": given}, binary=True)
    [fresh] = [sources for segment_id, _, _, sources in rows if segment_id is None]
    without = [(segment_id, chunks) for segment_id, coded, chunks, _ in rows if coded is False]
    return CodeLayout(
        segment_ids=[segment_id for segment_id, coded, _, _ in rows if coded],
        uncoded=[segment_id for segment_id, _ in without],
        uncoded_chunks=sum(chunks for _, chunks in without),
        fresh=np.frombuffer(fresh or b"", ">i8").astype(np.int64),
    )


def codes_of(segment_ids: Sequence[UUID], *, space: EmbeddingSpace) -> list[QuantizedVectors]:
    """The codes of segments that have them. Raises LookupError when one was replaced meanwhile, and DamagedCodes."""

    def read(wanting: Sequence[tuple[UUID, int]]) -> Iterator[tuple[tuple[UUID, int], QuantizedVectors]]:
        named = [str(segment_id) for segment_id, _ in wanting]
        for segment_id, stored, chunks in fetch(_CODES, [named, space.pk], binary=True):
            if len(stored) != chunks * quantization.stored_size(space.dimension):
                raise DamagedCodes(segment_id, space.pk)
            yield (segment_id, space.pk), quantization.read(stored, dimension=space.dimension)

    keys = [(segment_id, space.pk) for segment_id in segment_ids]
    return _kept.read_through(keys, read, missing="segments without codes")


def code(segment_id: UUID, chunk_ids: Ids) -> None:
    """Store the codes of a segment in every space that has vectors of all its chunks, in the caller's transaction."""
    for space in EmbeddingSpace.objects.all():
        if (codes := _encoded(chunk_ids, space=space)) is not None:
            _store(segment_id, codes, space=space)


def complete(space: EmbeddingSpace) -> int:
    """Make the codes that segments lack, where all vectors are there. Returns of how many segments."""
    made = 0
    for (segment_id,) in fetch(_UNCODED, [space.pk]):
        try:
            codes = _encoded(members(segment_id).chunk_ids, space=space)
        except LookupError:
            continue
        except DamagedSegment as damaged:
            quarantine(damaged)
            continue
        made += codes is not None and _store(segment_id, codes, space=space)
    return made


class StoredVectors(NamedTuple):
    """The vectors of the next `asked` chunks: those that are there, with their places among these.

    `lacking` are chunks that are there without a vector.
    """

    asked: int
    lacking: int
    places: NDArray[np.int64]
    vectors: Vectors


def vectors_of(chunk_ids: Ids, *, space: EmbeddingSpace) -> Iterator[StoredVectors]:
    """The vectors of chunks in the order given, some thousand at a time."""
    for start in range(0, len(chunk_ids), AT_ONCE):
        asked = chunk_ids[start : start + AT_ONCE].tolist()
        found: dict[int, Any] = dict(fetch(_VECTORS, [space.pk, asked], binary=True))
        places = [place for place, chunk_id in enumerate(asked) if found.get(chunk_id) is not None]
        vectors = np.zeros((0, space.dimension), np.float32)
        if places:
            vectors = copy_format.sent_halfvecs([found[asked[place]] for place in places])
        lacking = sum(vector is None for vector in found.values())
        yield StoredVectors(len(asked), lacking, np.array(places, np.int64), vectors)


def _encoded(chunk_ids: Ids, *, space: EmbeddingSpace) -> QuantizedVectors | None:
    """The codes of chunks in the order given, zeros for one that is gone, or None if a vector is missing."""
    parts = []
    for stored in vectors_of(chunk_ids, space=space):
        if stored.lacking:
            return None
        vectors = np.zeros((stored.asked, space.dimension), np.float32)
        vectors[stored.places] = stored.vectors
        parts.append(quantization.encode(vectors))
    return quantization.joined(parts)


def _store(segment_id: UUID, codes: QuantizedVectors, *, space: EmbeddingSpace) -> bool:
    """Store the codes unless another process has, or the segment was replaced. Returns whether it did."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO kb_segment_codes (segment_id, space_id, codes) SELECT id, %s, %s FROM kb_segment"
            " WHERE id = %s FOR KEY SHARE ON CONFLICT DO NOTHING",
            [space.pk, codes.stored(), segment_id],
        )
        return bool(cursor.rowcount)
