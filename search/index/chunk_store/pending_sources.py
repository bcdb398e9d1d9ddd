"""Sources whose chunks no segment of the engine in Postgres holds yet: noting them, and reading them in SQL."""

from dataclasses import dataclass

from django.db import connection

# The sources that were fresh when the segments were read, and those that have been published since.
SOURCES = """
SELECT unnest(%(fresh)s::bigint[])
UNION SELECT source_id FROM kb_fresh_source
WHERE topic_id = ANY(%(topics)s::bigint[])
"""


@dataclass(frozen=True)
class Lag:
    """In what an engine may be behind the database.

    `sources` selects those whose chunks it has not got. `keeps_scope` says that what it chooses is in scope by what the
    database says now, but for days of passages.
    """

    sources: str
    keeps_scope: bool


SEGMENTS = Lag(SOURCES, keeps_scope=True)


def chunks_of(sources: str, *, columns: str) -> str:
    """The chunks `c` of some sources, for a FROM. `sources` selects their ids, `columns` are those of kb_chunk.

    A source at a time, through the index of its chunks: OFFSET 0 keeps the planner from reading the whole table.
    """
    return (
        f"({sources}) AS held (source_id) CROSS JOIN LATERAL"
        f" (SELECT {columns} FROM kb_chunk WHERE source_id = held.source_id OFFSET 0) AS c"
    )


def mark_pending(source_id: int, *, topic_id: int) -> None:
    """Have a source's chunks taken in by every engine, in the caller's transaction."""
    with connection.cursor() as cursor:
        # The row is locked even if it is there already: who gathers it meanwhile would not see the new chunks.
        cursor.execute(
            "INSERT INTO kb_fresh_source (source_id, topic_id) VALUES (%s, %s)"
            " ON CONFLICT (source_id) DO UPDATE SET topic_id = EXCLUDED.topic_id",
            [source_id, topic_id],
        )


def note_again(source_id: int, *, topic_id: int) -> None:
    """The same for chunks that were mended where they are. The key's trigger notes them."""
    mark_pending(source_id, topic_id=topic_id)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE kb_source_key SET topic_id = topic_id WHERE source_id = %s", [source_id])
