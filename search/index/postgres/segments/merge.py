"""Segments: the chunks of a topic in posting lists, made in the background and never changed.

Publishing a source only notes it as fresh. Searches read the chunks of fresh sources one by one. `merge_pending` brings
them into segments, and merges small segments on the way, so that a topic has few: a log-structured merge as Lucene's
(https://lucene.apache.org/core/10_0_0/core/org/apache/lucene/index/TieredMergePolicy.html). What is withdrawn stays in
its segment, where no search finds it any more, until the segment is merged or `compact` replaces it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from uuid import UUID, uuid4

import numpy as np
from django.db import connection, transaction
from psycopg import ServerCursor

from kb_project.database.rows import fetch
from kb_project.database.work_queue import try_lock
from search.index.chunk_store import copy_format, pending_sources
from search.index.postgres.segments import postings
from search.index.postgres.segments.damage import DamagedSegment, quarantine
from search.index.postgres.segments.members import Ids, chunks_without_segment, members
from search.index.postgres.segments.postings import MAX_PLACES, Postings, concatenated, decode_all, encode, moved
from search.index.postgres.vectors import quantized_segments

GATHER_LOCK = 0x6B625F736567  # an advisory lock key of our own
GATHERED_AT_ONCE = 16_384  # chunks, of whole sources
ABSORBED = 4  # a segment is merged with what comes in unless it has more than so many times its chunks
DEAD_SHARE = 0.2  # of a segment's chunks that are gone, from which on it is replaced


@dataclass(frozen=True, slots=True)
class Content:
    """What a segment holds: its chunks, in the order of their places, with their sources, and their postings."""

    chunk_ids: Ids
    source_ids: Ids
    postings: Postings

    def __len__(self) -> int:
        return len(self.chunk_ids)


def merge_pending() -> int:
    """Bring fresh sources into segments. Returns how many chunks that were.

    One process gathers at a time. Another that tries meanwhile returns 0. Each batch is a transaction of its own.
    Segments that were found damaged are made again on the way.
    """
    _drop_damaged()
    gathered = 0
    for (topic_id,) in fetch("SELECT DISTINCT topic_id FROM kb_fresh_source ORDER BY 1", []):
        while (chunks := _gather_batch(topic_id)) is not None:
            gathered += chunks
    return gathered


def gather_missing(*, on_progress: Callable[[int, int], object] | None = None) -> None:
    """Bring in all chunks that are in no segment, as where another engine was used."""
    for (topic_id,) in fetch("SELECT id FROM kb_topic ORDER BY 1", []):
        with transaction.atomic():
            for source_id in chunks_without_segment(topic_id):
                pending_sources.mark_pending(source_id, topic_id=topic_id)
    total = len(fetch("SELECT source_id FROM kb_fresh_source", []))
    merge_pending()
    if on_progress:
        on_progress(total, total)


def compact() -> int:
    """Replace segments of which much is gone by what is left of them. Returns how many that were."""
    replaced = 0
    for segment_id, topic_id in fetch(
        "SELECT id, topic_id FROM kb_segment WHERE NOT damaged ORDER BY topic_id, id", []
    ):
        try:
            with transaction.atomic():
                if not try_lock(GATHER_LOCK):
                    break
                replaced += _compact(segment_id, topic_id=topic_id)
        except DamagedSegment as damaged:
            quarantine(damaged)
    return replaced


def make_again(segment_id: UUID) -> None:
    """Drop a segment that is not as it should be. What it held is found as fresh until it is gathered."""
    with transaction.atomic():
        fetch("SELECT pg_advisory_xact_lock(%s)", [GATHER_LOCK])
        for (topic_id,) in fetch("UPDATE kb_segment SET damaged = true WHERE id = %s RETURNING topic_id", [segment_id]):
            _drop_damaged_of(topic_id)


def _drop_damaged() -> None:
    """Drop the damaged segments, topic by topic, each in a transaction."""
    for (topic_id,) in fetch("SELECT DISTINCT topic_id FROM kb_segment WHERE damaged ORDER BY 1", []):
        with transaction.atomic():
            if not try_lock(GATHER_LOCK):
                break
            _drop_damaged_of(topic_id)


def _drop_damaged_of(topic_id: int) -> None:
    """Delete a topic's damaged segments, and note the sources of their chunks as fresh. Holds the lock."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_segment WHERE topic_id = %s AND damaged", [topic_id])
        # What a damaged segment says of its members may be wrong, so its sources are those that no other one has.
        cursor.execute(
            "INSERT INTO kb_fresh_source (source_id, topic_id)"
            " SELECT id, topic_id FROM kb_source WHERE id = ANY(%s) FOR KEY SHARE ON CONFLICT DO NOTHING",
            [[*chunks_without_segment(topic_id)]],
        )


def _gather_batch(topic_id: int) -> int | None:
    """How many chunks were gathered, or None when there was nothing to gather, or another process is at it."""
    try:
        with transaction.atomic():
            sources = _take_fresh(topic_id) if try_lock(GATHER_LOCK) else []
            return sum(_add(content, topic_id=topic_id) for content in _contents(sources)) if sources else None
    except DamagedSegment as damaged:  # one that was to be merged: without it, what is fresh can be gathered
        quarantine(damaged)
        return 0


def _take_fresh(topic_id: int) -> list[int]:
    """Some sources that are not fresh any more, from now on and if the transaction commits."""
    waiting = fetch(
        "SELECT f.source_id, sum(s.chunk_count) OVER (ORDER BY f.source_id) - s.chunk_count"
        " FROM kb_fresh_source f JOIN kb_source s ON s.id = f.source_id WHERE f.topic_id = %s ORDER BY f.source_id",
        [topic_id],
    )
    wanted = [source_id for source_id, before in takewhile(lambda row: row[1] < GATHERED_AT_ONCE, waiting)]
    # One that is just being published again is left for the next time.
    taken = fetch(
        "DELETE FROM kb_fresh_source WHERE source_id IN (SELECT source_id FROM kb_fresh_source"
        " WHERE source_id = ANY(%s::bigint[]) ORDER BY source_id FOR UPDATE SKIP LOCKED) RETURNING source_id",
        [wanted],
    )
    return [source_id for (source_id,) in taken]


def _contents(source_ids: Sequence[int]) -> Iterator[Content]:
    """The chunks of sources, as many as a segment holds at a time."""
    connection.ensure_connection()
    with ServerCursor(connection.connection, "kb_gather") as cursor:
        cursor.execute(
            f"SELECT id, source_id, {postings.COLUMNS} FROM kb_chunk WHERE source_id = ANY(%s) ORDER BY id",
            [list(source_ids)],
            binary=True,
        )
        while rows := cursor.fetchmany(MAX_PLACES):
            yield Content(
                np.array([row[0] for row in rows], np.int64),
                np.array([row[1] for row in rows], np.int64),
                postings.postings_of([row[2:] for row in rows]),
            )


def _add(content: Content, *, topic_id: int) -> int:
    """Store what comes in, together with the segments that are small beside it."""
    together = len(content)
    absorbed = []
    for segment_id, chunks in fetch(
        "SELECT id, chunks FROM kb_segment WHERE topic_id = %s AND NOT damaged ORDER BY chunks, id", [topic_id]
    ):
        if chunks > ABSORBED * together or together + chunks > MAX_PLACES:
            break
        absorbed.append(segment_id)
        together += chunks
    _replace(absorbed, _merged([*(_living(segment_id) for segment_id in absorbed), content]), topic_id=topic_id)
    return len(content)


def _compact(segment_id: UUID, *, topic_id: int) -> bool:
    """Write a segment again without its dead chunks, where these are `DEAD_SHARE` of it. Whether it was written."""
    try:
        chunk_ids, _ = members(segment_id)
    except LookupError:
        return False
    living = fetch("SELECT count(*) FROM kb_chunk WHERE id = ANY(%s::bigint[])", [chunk_ids.tolist()])[0][0]
    if len(chunk_ids) - living < DEAD_SHARE * len(chunk_ids):
        return False
    _replace([segment_id], _living(segment_id), topic_id=topic_id)
    return True


def _living(segment_id: UUID) -> Content:
    """What a segment holds without the chunks that are gone. Raises DamagedSegment."""
    chunk_ids, source_ids = members(segment_id)
    living = fetch("SELECT id FROM kb_chunk WHERE id = ANY(%s::bigint[])", [chunk_ids.tolist()], binary=True)
    kept = np.isin(chunk_ids, np.array([row[0] for row in living], np.int64))
    places = np.where(kept, np.cumsum(kept) - 1, -1)
    lists = fetch("SELECT term, postings FROM kb_posting WHERE segment_id = %s", [segment_id], binary=True)
    try:
        postings = moved(decode_all(lists), places)
    except (ValueError, IndexError) as error:  # half an entry, or a place that the segment does not have
        raise DamagedSegment(segment_id, str(error)) from error
    return Content(chunk_ids[kept], source_ids[kept], postings)


def _merged(contents: Sequence[Content]) -> Content:
    starts = np.cumsum([0, *(len(content) for content in contents)])
    return Content(
        np.concatenate([content.chunk_ids for content in contents]),
        np.concatenate([content.source_ids for content in contents]),
        concatenated(
            [
                content.postings._replace(places=content.postings.places + start)
                for content, start in zip(contents, starts, strict=False)
            ]
        ),
    )


def _replace(segment_ids: Sequence[UUID], content: Content, *, topic_id: int) -> None:
    """Delete segments, and store their content as one, with its postings and codes, unless it is empty."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_segment WHERE id = ANY(%s)", [list(segment_ids)])
        if not len(content):
            return
        segment_id = uuid4()
        cursor.execute(
            "INSERT INTO kb_segment (id, topic_id, chunks, chunk_ids, source_ids) VALUES (%s, %s, %s, %s, %s)",
            [
                segment_id,
                topic_id,
                len(content),
                content.chunk_ids.astype("<i8").tobytes(),
                content.source_ids.astype("<i8").tobytes(),
            ],
        )
        start = copy_format.row_start(3) + copy_format.bytea(segment_id.bytes)
        with cursor.copy("COPY kb_posting (segment_id, term, postings) FROM STDIN (FORMAT BINARY)") as copy:
            copy.write(copy_format.HEADER)
            for term, stored in encode(content.postings):
                copy.write(start + copy_format.int4(term) + copy_format.bytea(stored))
            copy.write(copy_format.TRAILER)
    quantized_segments.code(segment_id, content.chunk_ids)
