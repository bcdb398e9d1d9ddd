"""What every engine does in the same way: chunks are kept in Postgres, and their scores are reckoned there."""

from collections.abc import Collection, Iterable, Sequence
from typing import cast

from django.db import connection, transaction

from kb_project.database.standbys import positions
from kb_project.errors import NotFound
from kb_project.observability import tracing
from law.chunking.packing import ChunkDraft
from search.embedders import vector_notes
from search.embedders.spaces import lock_if_active
from search.index.chunk_store import copy_format, pending_sources, scoring, staging
from search.index.chunk_store.staging import StagedRows, spilled
from search.index.protocol import IndexContext, IndexProgress, StagedChunks
from search.ranking.fusion import Ranking
from search.ranking.word_query import WordQuery
from sources.citations import source_keys
from sources.models import Source

COPY_CHUNKS = """
COPY kb_chunk (id, source_id, topic_id, seq, page, span_start, span_end, section, section_key, heading, path, eid, gap,
    text, tables, term_ids, impacts, terms, valid_from, valid_to) FROM STDIN (FORMAT BINARY)
"""
COPY_EMBEDDINGS = "COPY kb_chunk_embedding (space_id, chunk_id, topic_id, embedding) FROM STDIN (FORMAT BINARY)"


class StoredChunks:
    """These verbs of `search.index.protocol.SearchIndex`."""

    def stage(
        self,
        drafts: Iterable[ChunkDraft],
        *,
        context: IndexContext,
        on_progress: IndexProgress | None = None,
    ) -> staging.StagedRows:
        return staging.stage(drafts, context=context, on_progress=on_progress)

    def publish(self, staged: StagedChunks, *, source: Source, new: bool = False) -> None:
        publish(cast(staging.StagedRows, staged), source=source, new=new)

    def withdraw(self, source_id: int) -> None:
        withdraw(source_id)

    def scores(self, query: WordQuery, *, chunk_ids: Collection[int]) -> Ranking:
        return scoring.scores(query, chunk_ids=chunk_ids)


def publish(staged: StagedRows, *, source: Source, new: bool = False) -> None:
    """As `SearchIndex.publish`. Readers see the old chunks until the caller's transaction commits."""
    _check(staged, source=source)
    positions.reads_wait_for_topic(source.topic_id)
    if not new:
        withdraw(source.pk)
    _write(staged, source=source)
    if not new or source.chunk_count != staged.count:
        source.chunk_count = staged.count
        source.save(update_fields=["chunk_count"])


def _write(staged: StagedRows, *, source: Source) -> None:
    source_keys.store(source)
    if staged.count:
        chunk_ids = _copy_chunks(staged, source_id=source.pk)
        pending_sources.mark_pending(source.pk, topic_id=source.topic_id)
        if lock_if_active(staged.space_id):
            _copy_embeddings(staged, chunk_ids)
        else:
            vector_notes.note(source.pk, topic_id=source.topic_id)


def _check(staged: StagedRows, *, source: Source) -> None:
    """Before anything is written or deleted: that it can be undone, and that it belongs there."""
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("publish() must run inside a transaction.")
    staged_for = staged.context.topic_id
    if staged_for != source.topic_id:
        raise ValueError(f"staged for topic {staged_for}, but the source is in topic {source.topic_id}")


def withdraw(source_id: int) -> None:
    """As `SearchIndex.withdraw`.

    Holds the source's row until the transaction ends, so that it is published or withdrawn once at a time.
    """
    if not Source.objects.select_for_update().filter(pk=source_id).exists():
        raise NotFound("The source does not exist any more.")
    positions.reads_wait_for_all()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_fresh_source WHERE source_id = %s", [source_id])
        cursor.execute("DELETE FROM kb_source_key WHERE source_id = %s", [source_id])
        cursor.execute("DELETE FROM kb_abbreviation WHERE source_id = %s", [source_id])
        cursor.execute("DELETE FROM kb_chunk WHERE source_id = %s", [source_id])


def _copy_chunks(staged: StagedRows, *, source_id: int) -> list[bytes]:
    """Copy the chunks in. Returns their ids as fields of a row."""
    source = copy_format.int8(source_id)
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('kb_chunk_id_seq') FROM generate_series(1, %s)", [staged.count])
        ids = [copy_format.int8(row[0]) for row in cursor.fetchall()]
        with tracing.copying("kb_chunk"), cursor.copy(COPY_CHUNKS) as copy:
            copy.write(copy_format.HEADER)
            for chunk, row in zip(ids, spilled(staged.rows), strict=True):
                copy.write(copy_format.row_start(20) + chunk + source + row)
            copy.write(copy_format.TRAILER)
    return ids


def _copy_embeddings(staged: StagedRows, chunk_ids: Sequence[bytes]) -> None:
    """Store the vectors of chunks that were stored just now, each with space, chunk and topic."""
    topic = copy_format.int8(staged.context.topic_id)
    space = copy_format.int8(staged.space_id or 0)
    copying = tracing.copying("kb_chunk_embedding")
    with copying, connection.cursor() as cursor, cursor.copy(COPY_EMBEDDINGS) as copy:
        copy.write(copy_format.HEADER)
        for chunk, vector in zip(chunk_ids, spilled(staged.vectors), strict=True):
            copy.write(copy_format.row_start(4) + space + chunk + topic + vector)
        copy.write(copy_format.TRAILER)
