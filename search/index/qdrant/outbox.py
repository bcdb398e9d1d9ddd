"""Bringing noted sources into a collection: at least once, and in order for each source.

A source is brought in as it is now, so doing it twice is doing it once. Points that are no longer its chunks go after
those that are came.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from qdrant_client import models as q

from kb_project.database.rows import Rows, fetch
from search.index.qdrant.client import asking
from search.index.qdrant.collections import name_of
from search.index.qdrant.filters import of_sources
from search.index.qdrant.points import points_of
from search.models import Collection

WINDOW = 2_000  # notes that are looked at for sources that nobody else is bringing in
SOURCES_AT_ONCE = 50
CHUNKS_AT_ONCE = 5_000  # or one source, if it has more
# Each source is locked until it was brought in, so that an older state is never written over a newer one. The session
# holds the lock, as no transaction is open while Qdrant is waited for.
_TAKE = """
WITH noted AS MATERIALIZED (
    SELECT source_id, min(id) AS first FROM (
        SELECT id, source_id FROM kb_collection_work WHERE collection_id = %(collection)s::bigint
        ORDER BY id LIMIT %(window)s
    ) AS oldest GROUP BY source_id ORDER BY first
), taken AS MATERIALIZED (
    SELECT source_id FROM noted
    WHERE pg_try_advisory_lock(hashtextextended(format('kb %%s %%s', %(collection)s::bigint, source_id), 0))
    LIMIT %(sources)s
)
SELECT taken.source_id, coalesce(s.chunk_count, 0) FROM taken LEFT JOIN kb_source s ON s.id = taken.source_id
"""
_UNLOCK = """
SELECT pg_advisory_unlock(hashtextextended(format('kb %%s %%s', %(collection)s::bigint, source_id), 0))
FROM unnest(%(sources)s::bigint[]) AS locked (source_id)
"""
_NOTES = "SELECT id FROM kb_collection_work WHERE collection_id = %s AND source_id = ANY(%s::bigint[])"


def bring_in(
    collection: Collection, *, for_s: float | None = None, on_progress: Callable[[int], object] | None = None
) -> int:
    """Bring in what is noted, until nothing is or the time is over; returns how many chunks that were.

    Any number of processes may do so. `on_progress` is told after each step how many sources are done. Raises
    Unavailable when Qdrant fails: what was not brought in stays noted.
    """
    ends = None if for_s is None else time.monotonic() + for_s
    chunks = 0
    while ends is None or time.monotonic() < ends:
        with _taken(collection) as taken:
            if not taken:
                break
            chunks += _bring(collection, taken)
        if on_progress:
            on_progress(len(taken))
    return chunks


@contextmanager
def _taken(collection: Collection) -> Iterator[list[int]]:
    """Sources that nobody else brings in meanwhile."""
    rows = fetch(_TAKE, {"collection": collection.pk, "window": WINDOW, "sources": SOURCES_AT_ONCE})
    try:
        yield _first(rows)
    finally:
        if rows:
            fetch(_UNLOCK, {"collection": collection.pk, "sources": [source_id for source_id, _ in rows]})


def _first(rows: Rows) -> list[int]:
    """As many of the sources as have `CHUNKS_AT_ONCE`, and one at least."""
    taken: list[int] = []
    before = 0
    for source_id, chunks in rows:
        if taken and before + chunks > CHUNKS_AT_ONCE:
            break
        taken.append(source_id)
        before += chunks
    return taken


def _bring(collection: Collection, source_ids: list[int]) -> int:
    # Read before the chunks are: what is noted meanwhile is brought in once more.
    notes = [pk for (pk,) in fetch(_NOTES, [collection.pk, source_ids])]
    name, there = name_of(collection.key), list[int]()
    with asking() as client:
        for points in points_of(source_ids, space_id=collection.space_id):
            client.upsert(name, points, wait=True, ordering=q.WriteOrdering.MEDIUM)
            there += [int(point.id) for point in points]
        gone = q.FilterSelector(filter=of_sources(source_ids, but=there))
        client.delete(name, gone, wait=True, ordering=q.WriteOrdering.MEDIUM)
    fetch("DELETE FROM kb_collection_work WHERE id = ANY(%s::bigint[]) RETURNING 1", [notes])
    return len(there)


def waiting() -> int:
    """How many notes there are of sources that are still to be brought into the collection in use."""
    statement = "SELECT count(*) FROM kb_collection_work w JOIN kb_collection c ON c.id = w.collection_id"
    return int(fetch(f"{statement} WHERE c.state = 'active'", [])[0][0])


def sources_noted(collection: Collection) -> int:
    """How many sources are to be brought into a collection."""
    statement = "SELECT count(DISTINCT source_id) FROM kb_collection_work WHERE collection_id = %s"
    return int(fetch(statement, [collection.pk])[0][0])
