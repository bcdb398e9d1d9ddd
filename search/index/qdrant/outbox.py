"""Bringing noted sources into a collection: at least once, and in order for each source.

A source is brought in as it is now, so doing it twice is doing it once. Points that are no longer its chunks go after
those that are came.
"""

from collections.abc import Iterator
from itertools import accumulate

from qdrant_client import models as q

from kb_project.database.rows import fetch
from search.index.qdrant.client import qdrant_errors
from search.index.qdrant.collections import ensure_there, name_of
from search.index.qdrant.points import points_of
from search.models import Collection, CollectionWork

WINDOW = 2_000  # notes that are looked at for sources that nobody else is bringing in
SOURCES_AT_ONCE = 50
CHUNKS_AT_ONCE = 5_000  # or up to the end of the source that reaches it
# Each source is locked until it was brought in, so that an older state is never written over a newer one. The session
# holds the lock, as no transaction is open while Qdrant is waited for.
_KEY = "hashtextextended(format('kb %%s %%s', %(collection)s::bigint, source_id), 0)"
_TAKE = f"""
WITH noted AS MATERIALIZED (
    SELECT source_id, min(id) AS first FROM (
        SELECT id, source_id FROM kb_collection_work WHERE collection_id = %(collection)s::bigint
        ORDER BY id LIMIT {WINDOW}
    ) AS oldest GROUP BY source_id ORDER BY first
), taken AS MATERIALIZED (
    SELECT source_id FROM noted WHERE pg_try_advisory_lock({_KEY}) LIMIT {SOURCES_AT_ONCE}
)
SELECT taken.source_id, coalesce(s.chunk_count, 0) FROM taken LEFT JOIN kb_source s ON s.id = taken.source_id
"""
_UNLOCK = f"SELECT pg_advisory_unlock({_KEY}) FROM unnest(%(sources)s::bigint[]) AS locked (source_id)"


def sync(collection: Collection) -> Iterator[tuple[int, int]]:
    """Bring in what is noted, step by step, and tell how many sources and chunks each step was.

    Any number of processes may do so. Raises Unavailable when Qdrant fails: what was not brought in stays noted.
    """
    ensure_there(collection)
    while rows := fetch(_TAKE, {"collection": collection.pk}):
        try:
            before = accumulate((chunks for _, chunks in rows), initial=0)
            taken = [source_id for (source_id, _), chunks in zip(rows, before, strict=False) if chunks < CHUNKS_AT_ONCE]
            step = len(taken), _bring(collection, taken)
        finally:
            fetch(_UNLOCK, {"collection": collection.pk, "sources": [source_id for source_id, _ in rows]})
        yield step


def _bring(collection: Collection, source_ids: list[int]) -> int:
    # Read before the chunks are: what is noted meanwhile is brought in once more.
    noted = CollectionWork.objects.filter(collection=collection, source_id__in=source_ids)
    notes = [*noted.values_list("pk", flat=True)]
    name, there = name_of(collection.key), list[int]()
    with qdrant_errors() as client:
        for points in points_of(source_ids, space_id=collection.space_id):
            client.upsert(name, points, wait=True, ordering=q.WriteOrdering.MEDIUM)
            there += [int(point.id) for point in points]
        of_sources = q.FieldCondition(key="source", match=q.MatchAny(any=source_ids))
        gone = q.Filter(must=[of_sources], must_not=[q.HasIdCondition(has_id=list(there))])
        client.delete(name, q.FilterSelector(filter=gone), wait=True, ordering=q.WriteOrdering.MEDIUM)
    CollectionWork.objects.filter(pk__in=notes).delete()
    return len(there)


def waiting() -> int:
    """How many notes there are of sources that are still to be brought into the collection in use."""
    return CollectionWork.objects.filter(collection__state=Collection.State.ACTIVE).count()
