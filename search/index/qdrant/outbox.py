"""Bringing noted sources into a collection: at least once, by one process at a time.

A source is brought in as it is now, so doing it twice is doing it once. No transaction is open while Qdrant is waited
for. Points that are no longer its chunks go after those that are came.
"""

import time
from collections.abc import Callable

from qdrant_client import models as q

from kb_project.database.work_queue import try_session_lock
from search.index.qdrant.client import qdrant_errors
from search.index.qdrant.collections import ensure_there, name_of
from search.index.qdrant.points import points_of
from search.models import Collection, CollectionWork

_LOCK = 0x6B625F7100000000  # and the number of the collection: keys of advisory locks that nobody else has


def sync(collection: Collection, *, seconds: float, on_source: Callable[[], object] | None = None) -> int:
    """Bring in what is noted, for so long. Returns how many chunks that was: none while another process does so.

    `on_source` is called after each source. Raises Unavailable when Qdrant fails: what was not brought in stays noted.
    """
    ensure_there(collection)
    ends, chunks = time.monotonic() + seconds, 0
    with try_session_lock(_LOCK + collection.pk) as has_lock:
        while has_lock and time.monotonic() < ends:
            oldest = CollectionWork.objects.filter(collection=collection).first()
            if oldest is None:
                break
            chunks += _bring(collection, oldest.source_id)
            if on_source:
                on_source()
    return chunks


def _bring(collection: Collection, source_id: int) -> int:
    # Read before the chunks are: what is noted meanwhile is brought in once more.
    notes = [*CollectionWork.objects.filter(collection=collection, source_id=source_id).values_list("pk", flat=True)]
    name, there = name_of(collection.key), list[int]()
    with qdrant_errors() as client:
        for points in points_of(source_id, space_id=collection.space_id):
            client.upsert(name, points, wait=True, ordering=q.WriteOrdering.MEDIUM)
            there += [int(point.id) for point in points]
        of_source = q.FieldCondition(key="source", match=q.MatchValue(value=source_id))
        gone = q.Filter(must=[of_source], must_not=[q.HasIdCondition(has_id=list(there))])
        client.delete(name, q.FilterSelector(filter=gone), wait=True, ordering=q.WriteOrdering.MEDIUM)
    CollectionWork.objects.filter(pk__in=notes).delete()
    return len(there)


def waiting() -> int:
    """How many notes there are of sources that are still to be brought into the collection in use."""
    return CollectionWork.objects.filter(collection__state=Collection.State.ACTIVE).count()
