"""Notes of sources whose chunks may lack vectors, written with what made them so, and deleted once none does."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import connection

from kb_project.database.rows import fetch

# Newest first. Notes are read before chunks are: what is noted meanwhile is looked at again.
_NEWEST = """
SELECT source_id, max(topic_id), array_agg(id) FROM kb_vector_work GROUP BY source_id ORDER BY max(id) DESC LIMIT %s
"""
# A collection of points is brought the source as it is now. Others know nothing of the vectors.
_DELETE = """
WITH done AS (DELETE FROM kb_vector_work WHERE id = ANY(%s::bigint[]) RETURNING topic_id, source_id)
INSERT INTO kb_collection_work (collection_id, topic_id, source_id)
SELECT DISTINCT c.id, done.topic_id, done.source_id FROM kb_collection c, done
WHERE c.state <> 'dropped' AND c.space_id = %s::bigint RETURNING 1
"""


@dataclass(frozen=True)
class NotedSource:
    """A source that is noted, and the notes that say so."""

    source_id: int
    topic_id: int
    notes: list[int]


def note(source_id: int, *, topic_id: int) -> None:
    """Have the vectors that a source's chunks lack made, in the caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO kb_vector_work (topic_id, source_id) VALUES (%s, %s)", [topic_id, source_id])


def note_all() -> None:
    """The same for every source. Those that are noted already stay the newest."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO kb_vector_work (topic_id, source_id) SELECT s.topic_id, s.id FROM kb_source s"
            " WHERE s.chunk_count > 0"
            " ORDER BY (SELECT max(w.id) FROM kb_vector_work w WHERE w.source_id = s.id) NULLS FIRST, s.id"
        )


def exist(topic_id: int | None = None) -> bool:
    """Whether anything is noted, or anything of a topic."""
    if topic_id is None:
        return bool(fetch("SELECT 1 FROM kb_vector_work LIMIT 1", []))
    return bool(fetch("SELECT 1 FROM kb_vector_work WHERE topic_id = %s::bigint LIMIT 1", [topic_id]))


def newest(count: int) -> list[NotedSource]:
    """The `count` sources that were noted last, the newest first."""
    return [NotedSource(*row) for row in fetch(_NEWEST, [count])]


def forget(sources: Iterable[NotedSource], *, space_id: int) -> None:
    """Delete the notes of sources that have all their vectors in the space."""
    ids: Collection[int] = [pk for source in sources for pk in source.notes]
    if ids:
        fetch(_DELETE, [ids, space_id])
