"""Which chunks a segment holds, and of which sources. Segments never change, so what was read once stays true."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import fetch
from kb_project.operations.integrity.registry import query
from search.index.postgres.segments.damage import DamagedSegment
from search.index.postgres.segments.lru_cache import LruCache
from sources.scope import Scope

KEPT_BYTES = 128 << 20  # of members that this process remembers: 16 bytes a chunk

Ids = NDArray[np.int64]
_BYTES = 8  # of an id
SourceMask = NDArray[np.bool_]  # for each id whether it is one of some sources; the last tells of all higher ones


class Members(NamedTuple):
    """The chunks of a segment, in the order of their places, and their sources."""

    chunk_ids: Ids
    source_ids: Ids

    def of(self, sources: SourceMask) -> NDArray[np.bool_]:
        """For each place whether its chunk is of one of the sources."""
        return sources.take(self.source_ids, mode="clip")

    @property
    def size(self) -> int:
        """In bytes, about."""
        return 500 + self.chunk_ids.nbytes + self.source_ids.nbytes


_kept: LruCache[UUID, Members] = LruCache(most_bytes=KEPT_BYTES, size=lambda members: members.size)


def members(segment_id: UUID) -> Members:
    """The members of a segment, read now and not remembered.

    Raises LookupError when it was replaced meanwhile, and DamagedSegment.
    """
    for _, found in _read([segment_id]):
        return found
    raise LookupError(f"segment {segment_id} is gone")


def members_of(segment_ids: Sequence[UUID]) -> list[Members]:
    """The members of segments, read unless they are remembered.

    Raises LookupError when one was replaced meanwhile, and DamagedSegment.
    """
    return _kept.read_through(segment_ids, _read, missing="segments that are gone")


def _read(segment_ids: Sequence[UUID]) -> Iterator[tuple[UUID, Members]]:
    """The id and the members of those segments that are there, in any order. Raises `DamagedSegment`."""
    statement = "SELECT id, chunks, chunk_ids, source_ids FROM kb_segment WHERE id = ANY(%s::uuid[])"
    for segment_id, chunks, chunk_ids, source_ids in fetch(statement, [list(map(str, segment_ids))], binary=True):
        if not len(chunk_ids) == len(source_ids) == _BYTES * chunks:
            raise DamagedSegment(segment_id, f"{len(chunk_ids)} and {len(source_ids)} bytes for {chunks} members")
        yield segment_id, Members(_ids(chunk_ids), _ids(source_ids))


def mask_of(scope: Scope) -> SourceMask | None:
    """The sources of a scope as `Members.of` wants them: a twentieth of the time of `numpy.isin`. None for all."""
    if scope.narrows_sources:
        return mask_with(scope.sources()[0])
    gone = scope.not_in_force()
    return ~mask_with(gone) if len(gone) else None


def mask_with(source_ids: Ids) -> SourceMask:
    mask = np.zeros(int(source_ids.max(initial=0)) + 2, np.bool_)
    mask[source_ids] = True
    return mask


def chunk_ids_of(topic_id: int) -> list[Ids]:
    """The chunks that each segment of a topic holds, at one moment. Of those that searches can read."""
    statement = "SELECT chunks, chunk_ids, octet_length(source_ids) FROM kb_segment WHERE topic_id = %s AND NOT damaged"
    found = fetch(statement, [topic_id], binary=True)
    return [_ids(stored) for chunks, stored, length in found if len(stored) == length == _BYTES * chunks]


def _ids(stored: bytes) -> Ids:
    return np.frombuffer(stored, "<i8")


# What is not fresh has been gathered: first these, then the segments, and no chunk is missed on its way.
_GATHERED = """
SELECT id, source_id FROM kb_chunk c WHERE topic_id = %(topic)s
AND NOT EXISTS (SELECT FROM kb_fresh_source f WHERE f.source_id = c.source_id) ORDER BY id
"""


def chunks_without_segment(topic_id: int) -> dict[int, int]:
    """How many such chunks each source of a topic has. Reads the ids of all chunks of the topic."""
    chunks = np.array([*query(_GATHERED, {"topic": topic_id})], np.int64).reshape(-1, 2)
    for chunk_ids in chunk_ids_of(topic_id):
        chunks = chunks[~np.isin(chunks[:, 0], chunk_ids)]
    return dict(sorted(Counter(chunks[:, 1].tolist()).items()))
