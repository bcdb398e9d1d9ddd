"""Changing the embedding model: the new vectors are made beside the old ones, then searches switch at once."""

import json
from collections.abc import Callable
from typing import Any

from django.db import connection, transaction

from law.chunking.drafts import ChunkDraft, TablePart
from search.embedders import configured
from search.embedders.protocol import RemoteEmbedder
from search.embedders.spaces import embedder_of
from search.index.chunk_store import copy_format
from search.index.postgres.vectors.quantized_segments import complete as complete_codes
from search.index.protocol import IndexContext
from search.models import EmbeddingSpace

BATCH = 64  # chunks, for an embedder in this process

Report = Callable[[int], object]

__all__ = ["activate_space", "complete_codes", "drop_inactive", "embed_missing", "missing", "target_space"]


def target_space() -> EmbeddingSpace:
    """The space of the embedder that the settings name, made if need be; not yet active."""
    embedder = configured()
    space, _ = EmbeddingSpace.objects.get_or_create(
        provider=embedder.provider, model=embedder.model, dimension=embedder.dimension
    )
    return space


def missing(space: EmbeddingSpace) -> int:
    """How many chunks have no vector in the space."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM kb_chunk c WHERE NOT EXISTS"
            " (SELECT 1 FROM kb_chunk_embedding e WHERE e.space_id = %s AND e.chunk_id = c.id)",
            [space.pk],
        )
        return int(cursor.fetchone()[0])


def embed_missing(space: EmbeddingSpace, *, source_id: int | None = None, on_progress: Report | None = None) -> int:
    """Embed the chunks (of one source, or all) that have no vector in the space; returns how many.

    Each batch is kept as soon as it is made, so an interrupted run goes on where it stopped.
    """
    embedder = embedder_of(space)
    size = embedder.at_once if isinstance(embedder, RemoteEmbedder) else BATCH
    done, last_id = 0, 0
    while rows := _chunks_without_vector(space, after=last_id, source_id=source_id, limit=size):
        vectors = embedder.embed([_embedded_text(row) for row in rows], "document")
        values = [(row["id"], row["topic_id"], vector) for row, vector in zip(rows, vectors, strict=True)]
        _insert(space, values)
        last_id = rows[-1]["id"]
        done += len(rows)
        if on_progress:
            on_progress(len(rows))
    return done


def activate_space(space: EmbeddingSpace) -> bool:
    """Make searches use the space; False, and nothing done, while chunks are missing in it."""
    with transaction.atomic():
        # Waits for publications under way, which hold the active space, and makes the next ones wait.
        list(EmbeddingSpace.objects.select_for_update().order_by("pk"))
        if missing(space):
            return False
        EmbeddingSpace.objects.filter(active=True).exclude(pk=space.pk).update(active=False)
        EmbeddingSpace.objects.filter(pk=space.pk).update(active=True)
    return True


def drop_inactive() -> None:
    """Delete the spaces that are no longer used, with their vectors."""
    for space in EmbeddingSpace.objects.filter(active=False):
        with transaction.atomic(), connection.cursor() as cursor:
            # Decided again under the row's lock: another run may have switched to it meanwhile.
            cursor.execute("DELETE FROM kb_embedding_space WHERE id = %s AND NOT active", [space.pk])


def _chunks_without_vector(
    space: EmbeddingSpace, *, after: int, source_id: int | None, limit: int
) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT c.id, c.topic_id, c.text, c.tables::text AS tables, c.section, c.heading,
                s.kind, s.title, s.identifier
            FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id
            WHERE c.id > %(after)s AND (%(source)s::bigint IS NULL OR c.source_id = %(source)s)
              AND NOT EXISTS (
                  SELECT 1 FROM kb_chunk_embedding e WHERE e.space_id = %(space)s AND e.chunk_id = c.id
              )
            ORDER BY c.id LIMIT %(limit)s
            """,
            {"after": after, "source": source_id, "space": space.pk, "limit": limit},
        )
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _embedded_text(row: dict[str, Any]) -> str:
    context = IndexContext(topic_id=row["topic_id"], kind=row["kind"], title=row["title"], identifier=row["identifier"])
    tables = TablePart.stored(json.loads(row["tables"]))
    draft = ChunkDraft(text=row["text"], start=0, end=0, section=row["section"], heading=row["heading"], tables=tables)
    return context.embedded_text(draft)


def _insert(space: EmbeddingSpace, values: list[tuple[int, int, Any]]) -> None:
    """Insert vectors of chunks that still exist; one deleted meanwhile needs none."""
    chunk_ids, topic_ids, vectors = zip(*values, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO kb_chunk_embedding (space_id, chunk_id, topic_id, embedding)"
            " SELECT %s, c.id, made.topic_id, made.vector::halfvec"
            " FROM unnest(%s::bigint[], %s::bigint[], %s::text[]) AS made (chunk_id, topic_id, vector)"
            " JOIN kb_chunk c ON c.id = made.chunk_id ORDER BY c.id FOR KEY SHARE OF c"
            " ON CONFLICT DO NOTHING",
            [space.pk, list(chunk_ids), list(topic_ids), [copy_format.vector_text(vector) for vector in vectors]],
        )
