"""Term statistics: in how many chunks of its topic a term occurs.

Publishing and withdrawing a source only append one row to kb_term_delta, so that workers never wait for each
other's counters. `fold` brings those rows into kb_term; until it has, statistics lag and ranking is a little off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from kb_project.database.rows import Together
from search.index.postgres import copy_format

FOLD_LOCK = 0x6B625F7465726D  # an advisory lock key of our own
FOLDED_AT_ONCE = 500
_COPY_DELTA = "COPY kb_term_delta (topic_id, terms, counts, chunks) FROM STDIN (FORMAT BINARY)"
_READ = """
SELECT json_build_array(topic_id, NULL, chunks) FROM kb_topic_stat WHERE topic_id = ANY(%(all)s::bigint[])
UNION ALL
SELECT json_build_array(topic_id, term, df)
    FROM unnest(%(topics)s::bigint[], %(terms)s::int[]) AS wanted(topic_id, term)
    JOIN kb_term USING (topic_id, term)
"""


@dataclass(frozen=True)
class TopicStatistics:
    """The number of chunks of a topic, and in how many of them each asked-for term occurs."""

    chunks: int
    document_frequencies: Mapping[int, int]


def ask(wanted: Mapping[int, NDArray[np.int32]], together: Together) -> Callable[[], dict[int, TopicStatistics]]:
    """The statistics of the terms that are wanted of each topic, together with what else is asked.

    Uncounted terms are missing.
    """
    topics = [topic_id for topic_id, ids in wanted.items() for _ in ids]
    terms = [term for ids in wanted.values() for term in ids.tolist()]
    asked = together.ask(_READ, {"all": list(wanted), "topics": topics, "terms": terms})

    def answer() -> dict[int, TopicStatistics]:
        chunks: dict[int, int] = {}
        frequencies: dict[int, dict[int, int]] = {topic_id: {} for topic_id in wanted}
        for topic_id, term, count in asked.rows():
            if term is None:
                chunks[topic_id] = count
            else:
                frequencies[topic_id][term] = count
        return {topic_id: TopicStatistics(chunks.get(topic_id, 0), found) for topic_id, found in frequencies.items()}

    return answer


def record(*, topic_id: int, terms: Sequence[int], counts: Sequence[int], chunks: int) -> None:
    """Note a change of the statistics, to be folded in later."""
    row = (
        copy_format.int8(topic_id),
        copy_format.int4_array(np.array(terms, dtype=np.int32)),
        copy_format.int4_array(np.array(counts, dtype=np.int32)),
        copy_format.int4(chunks),
    )
    with connection.cursor() as cursor, cursor.copy(_COPY_DELTA) as copy:
        copy.write(copy_format.HEADER + copy_format.row_start(len(row)) + b"".join(row) + copy_format.TRAILER)


def record_withdrawal(source_id: int) -> None:
    """Note that all chunks of a source are about to go."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO kb_term_delta (topic_id, terms, counts, chunks)
            SELECT topic_id, array_agg(term), array_agg(-n), -min(chunks)
            FROM (
                SELECT c.topic_id, t.term, count(*)::int AS n
                FROM kb_chunk c, unnest(c.term_ids) AS t(term)
                WHERE c.source_id = %(source)s GROUP BY c.topic_id, t.term
            ) AS lost
            JOIN (
                SELECT topic_id, count(*)::int AS chunks FROM kb_chunk WHERE source_id = %(source)s GROUP BY topic_id
            ) AS total USING (topic_id)
            GROUP BY topic_id
            """,
            {"source": source_id},
        )


def fold(topic_id: int | None = None) -> int:
    """Bring the recorded changes (of one topic, or of all) into the statistics; returns how many there were.

    One process folds at a time; another that tries meanwhile returns 0, as there is nothing left for it to do.
    """
    folded = 0
    while True:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [FOLD_LOCK])
            if not cursor.fetchone()[0]:
                return folded
            batch = _fold_batch(topic_id)
        folded += batch
        if batch < FOLDED_AT_ONCE:
            return folded


def _fold_batch(topic_id: int | None) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH gone AS (
                DELETE FROM kb_term_delta WHERE id IN (
                    SELECT id FROM kb_term_delta
                    WHERE %(topic)s::bigint IS NULL OR topic_id = %(topic)s ORDER BY id LIMIT %(limit)s
                ) RETURNING topic_id, terms, counts, chunks
            ), totals AS (
                INSERT INTO kb_topic_stat AS stat (topic_id, chunks)
                SELECT topic_id, sum(chunks) FROM gone GROUP BY topic_id ORDER BY topic_id
                ON CONFLICT (topic_id) DO UPDATE SET chunks = stat.chunks + EXCLUDED.chunks
            ), changed AS (
                INSERT INTO kb_term AS stat (topic_id, term, df)
                SELECT gone.topic_id, change.term, sum(change.n)
                FROM gone, unnest(gone.terms, gone.counts) AS change(term, n)
                GROUP BY gone.topic_id, change.term HAVING sum(change.n) <> 0
                ORDER BY gone.topic_id, change.term
                ON CONFLICT (topic_id, term) DO UPDATE SET df = stat.df + EXCLUDED.df
                RETURNING topic_id, term, df
            )
            SELECT (SELECT count(*) FROM gone), topic_id, term FROM (SELECT 1) AS always
            LEFT JOIN changed ON df <= 0
            """,
            {"topic": topic_id, "limit": FOLDED_AT_ONCE},
        )
        rows = cursor.fetchall()
        vanished = [(topic, term) for _, topic, term in rows if topic is not None]
        if vanished:
            topics, terms = zip(*vanished, strict=True)
            cursor.execute(
                "DELETE FROM kb_term USING unnest(%s::bigint[], %s::int[]) AS zero(topic_id, term)"
                " WHERE kb_term.topic_id = zero.topic_id AND kb_term.term = zero.term AND kb_term.df <= 0",
                [list(topics), list(terms)],
            )
    return int(rows[0][0])


def rebuild(topic_id: int) -> None:
    """Count a topic's statistics afresh from its chunks; for repairs, as it reads all of them."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FOLD_LOCK])
        # Nothing may be published between the count and the deletion of what was recorded before it.
        cursor.execute("LOCK TABLE kb_term_delta IN SHARE ROW EXCLUSIVE MODE")
        for table in ("kb_term_delta", "kb_term", "kb_topic_stat"):
            cursor.execute(f"DELETE FROM {table} WHERE topic_id = %s", [topic_id])
        cursor.execute(
            "INSERT INTO kb_term (topic_id, term, df) SELECT topic_id, term, count(*)"
            " FROM kb_chunk, unnest(term_ids) AS t(term) WHERE topic_id = %s GROUP BY topic_id, term",
            [topic_id],
        )
        cursor.execute(
            "INSERT INTO kb_topic_stat (topic_id, chunks)"
            " SELECT topic_id, count(*) FROM kb_chunk WHERE topic_id = %s GROUP BY topic_id",
            [topic_id],
        )
