"""Sources whose chunks no segment of the engine in Postgres holds yet: noting them, and reading them in SQL."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection

from law.words.term_weights import term_ids
from search.ranking.word_query import TermCounts

MAX_COUNTED = 500  # chunks, of the newest sources: to count one takes a search several times as long as to score it

# The sources that were fresh when the segments were read, and those that have been published since.
NEW = "SELECT source_id FROM kb_fresh_source WHERE topic_id = ANY(%(topics)s::bigint[])"
SOURCES = f"SELECT unnest(%(fresh)s::bigint[]) UNION {NEW}"


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


def counts_of(sources: str) -> str:
    """A statement that counts the chunks of some sources: a topic, a term of `%(counted)s`, and how many hold it.

    The row without a term counts them all. Of more than `MAX_COUNTED` those of the newest sources are a sample.
    """
    newest = f"SELECT one.source_id FROM ({sources}) AS one (source_id) ORDER BY one.source_id DESC"
    return (
        f"SELECT c.topic_id, held.term, count(*)::int FROM ("
        f"SELECT c.topic_id, c.term_ids FROM {chunks_of(newest, columns='topic_id, term_ids')} LIMIT {MAX_COUNTED}"
        ") AS c CROSS JOIN LATERAL unnest(c.term_ids || NULL::int) AS held (term)"
        " WHERE held.term IS NULL OR held.term = ANY(%(counted)s::int[]) GROUP BY c.topic_id, held.term"
    )


def stems_by_term(stems: Sequence[int], *, topic_ids: Sequence[int]) -> dict[tuple[int, int], int]:
    """Stems, as hashes, by the topics and the terms that stand for them in each."""
    hashes = np.array(stems, dtype=np.uint64)
    return {
        (topic_id, term): stem
        for topic_id in topic_ids
        for term, stem in zip(term_ids(hashes, topic_id).tolist(), stems, strict=True)
    }


def with_pending(
    chunks: int,
    by_stem: Mapping[int, int],
    pending: Iterable[tuple[int, int | None, int]],
    *,
    stem_of: Mapping[tuple[int, int], int],
    read: object = None,
) -> TermCounts:
    """An engine's own counts, and what the rows of `counts_of` add. `stem_of` is that of `stems_by_term`."""
    together, added = Counter(by_stem), 0
    for topic_id, term, count in pending:
        if term is None:
            added += count
        elif (topic_id, term) in stem_of:
            together[stem_of[topic_id, term]] += count
    return TermCounts(chunks + added, together, read, is_whole=added < MAX_COUNTED)


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
