"""The chunks that the service has stored, read from its database, for judging extraction and quotes."""

from collections.abc import Iterable
from dataclasses import dataclass

import psycopg

CHUNKS = """
    SELECT id, source_id, text, span_start
    FROM kb_chunk
    WHERE topic_id = %s
    ORDER BY source_id, seq
"""


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A row of `kb_chunk`; `start` is where its text begins in the document's text."""

    id: int
    source_id: int
    text: str
    start: int


def chunks_of_topic(database_url: str, *, topic_id: int) -> list[StoredChunk]:
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        return [StoredChunk(*row) for row in connection.execute(CHUNKS, [topic_id])]


def count_chunks(database_url: str, *, topic_id: int) -> int:
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        row = connection.execute("SELECT count(*) FROM kb_chunk WHERE topic_id = %s", [topic_id]).fetchone()
        return int(row[0]) if row else 0


def joined(chunks: Iterable[StoredChunk]) -> str:
    """The text that the chunks of one source cover, in order; where two overlap, the words count once."""
    pieces: list[str] = []
    end = 0
    for chunk in chunks:
        if chunk.start + len(chunk.text) <= end:
            continue
        pieces.append(chunk.text[max(0, end - chunk.start) :])
        end = chunk.start + len(chunk.text)
    return "\n".join(pieces)
