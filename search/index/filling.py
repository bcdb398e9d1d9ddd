"""Vectors follow: what lacks them in the space of the embedder that the settings name gets them in the background.

A document is published and found by its words at once. Its vectors are made later, newest documents first, but those of
passages that people found of late before. One process does so at a time, a batch after another. Each is kept as soon as
it is made, so nothing is made twice.
"""

import json
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from kb_project.database.rows import fetch
from kb_project.database.work_queue import try_session_lock
from kb_project.errors import ProviderError
from law.chunking.packing import ChunkDraft, TablePart
from search.embedders import Embedder, vector_notes, vector_progress, wanted
from search.embedders.protocol import RemoteEmbedder
from search.embedders.spaces import drop_unused, embedder_of, use_configured
from search.index import spread
from search.index.chunk_store import copy_format
from search.index.protocol import IndexContext
from search.models import EmbeddingSpace

BATCH = 64  # chunks, for an embedder in this process
SOURCES_AT_ONCE = 50
MAX_FAILURES = 3  # of a passage, while the embedder answers otherwise; then it is passed over
BACK_WITHIN_S = 10.0  # an embedder that crashed and is started again
_LOCK = 0x6B625F766563  # an advisory lock key of our own
_COLUMNS = "c.id, c.topic_id, c.source_id, c.text, c.tables::text, c.section, c.heading, s.kind, s.title, s.identifier"
_LACKS = "NOT EXISTS (SELECT FROM kb_chunk_embedding e WHERE e.space_id = %(space)s::bigint AND e.chunk_id = c.id)"
_MISSING = f"""
SELECT {_COLUMNS} FROM unnest(%(sources)s::bigint[]) WITH ORDINALITY AS noted (source_id, place)
JOIN kb_source s ON s.id = noted.source_id JOIN kb_chunk c ON c.source_id = noted.source_id
WHERE c.id <> ALL(%(refused)s::bigint[]) AND {_LACKS}
ORDER BY noted.place, c.id = ANY(%(suspected)s::bigint[]), c.seq LIMIT %(limit)s
"""
_WANTED = f"""
SELECT {_COLUMNS} FROM unnest(%(wanted)s::bigint[]) WITH ORDINALITY AS found (chunk_id, place)
JOIN kb_chunk c ON c.id = found.chunk_id JOIN kb_source s ON s.id = c.source_id
WHERE c.id <> ALL(%(suspected)s::bigint[]) AND {_LACKS}
ORDER BY found.place LIMIT %(limit)s
"""
# A chunk that was deleted meanwhile needs none.
_INSERT = """
INSERT INTO kb_chunk_embedding (space_id, chunk_id, topic_id, embedding)
SELECT %s::bigint, c.id, c.topic_id, made.vector::halfvec
FROM unnest(%s::bigint[], %s::text[]) AS made (chunk_id, vector)
JOIN kb_chunk c ON c.id = made.chunk_id ORDER BY c.id FOR KEY SHARE OF c
ON CONFLICT DO NOTHING RETURNING 1
"""
Row = tuple[Any, ...]
Progress = Callable[[int], object] | None

log = logging.getLogger(__name__)
# Passages that failed in this process, their sources, and how often: a new process tries them again.
_failures: dict[int, tuple[int, int]] = {}


def fill_for(seconds: float, *, on_progress: Progress = None) -> bool:
    """Make vectors for so long. Returns whether some are still lacking that could be made.

    Does nothing while another process does. Raises ProviderError when the embedder is away: what it made is kept.
    """
    ends = time.monotonic() + seconds
    with try_session_lock(_LOCK) as has_lock:
        if not has_lock:
            return False
        space = use_configured()
        while is_more := bool(_step(space, on_progress)):
            if time.monotonic() > ends:
                break
        spread.measure(space)
        if is_more:
            return True
        if not vector_notes.exist():
            drop_unused()
        return False


def _step(space: EmbeddingSpace, on_progress: Progress) -> int:
    """Embed one batch. Returns how many chunks and sources it has worked on."""
    noted = vector_notes.newest(SOURCES_AT_ONCE)
    if not noted:
        return 0
    embedder = embedder_of(space)
    limit = embedder.at_once if isinstance(embedder, RemoteEmbedder) else BATCH
    if worked_on := _make_wanted(embedder, space, limit, on_progress):
        return worked_on
    passed_over = {pk: source_id for pk, (source_id, times) in _failures.items() if times >= MAX_FAILURES}
    places = [one.source_id for one in noted]
    asked = {"sources": places, "space": space.pk, "refused": [*passed_over], "suspected": [*_failures]}
    rows = fetch(_MISSING, {**asked, "limit": limit})
    made = _make(embedder, space, [row for row in rows if row[0] not in _failures] or rows[:1], on_progress)
    behind = {row[2] for row in rows if row[0] not in made}.union(passed_over.values())
    if len(rows) == limit:  # there may be more of the last source, and of those after it
        behind.update(places[places.index(rows[-1][2]) :])
    done = [one for one in noted if one.source_id not in behind]
    vector_notes.forget(done, space_id=space.pk)
    return len(rows) + len(done)


def _make_wanted(embedder: Embedder, space: EmbeddingSpace, limit: int, on_progress: Progress) -> int:
    """Of passages that people found of late. Returns how many were worked on, 0 when none of them lacks a vector."""
    found = wanted.newest()
    asked = {"wanted": found, "space": space.pk, "suspected": [*_failures], "limit": limit}
    rows = fetch(_WANTED, asked) if found else []
    made = _make(embedder, space, rows, on_progress)
    wanted.forget([row[0] for row in rows] or found)
    return len(made)


def _make(embedder: Embedder, space: EmbeddingSpace, rows: Sequence[Row], on_progress: Progress) -> dict[int, Any]:
    """Make vectors of chunks and keep them."""
    started = time.monotonic()
    if made := _embed(embedder, rows):
        fetch(_INSERT, [space.pk, [*made], [copy_format.vector_text(vector) for vector in made.values()]])
        vector_progress.note_speed(len(made) / max(time.monotonic() - started, 1e-3))
        if on_progress:
            on_progress(len(made))
    return made


def _embed(embedder: Embedder, rows: Sequence[Row]) -> dict[int, Any]:
    """The vectors of chunks by their ids. None where one of them fails, and each is then tried alone.

    Raises ProviderError when the embedder answers nothing else either.
    """
    if not rows:
        return {}
    try:
        vectors = embedder.embed([_embedded_text(row) for row in rows], "document")
    except ProviderError as error:
        _require_back(embedder, error)
        for chunk_id, _, source_id, *_ in rows:
            _, times = _failures.get(chunk_id, (source_id, 0))
            _failures[chunk_id] = source_id, times + 1
            if times + 1 == MAX_FAILURES:
                log.exception("Chunk %s of source %s gets no vector", chunk_id, source_id)
        return {}
    for chunk_id, *_ in rows:
        _failures.pop(chunk_id, None)
    return dict(zip((row[0] for row in rows), vectors, strict=True))


def _require_back(embedder: Embedder, error: ProviderError) -> None:
    """Raises the error unless the embedder answers something else: then it is the passages that it fails at."""
    ends = time.monotonic() + (BACK_WITHIN_S if error.retryable else 0)
    while True:
        try:
            embedder.embed(["."], "query")
        except ProviderError:
            if time.monotonic() > ends:
                raise error from None
            time.sleep(0.5)
        else:
            return


def _embedded_text(row: Row) -> str:
    _, topic_id, _, text, tables, section, heading, kind, title, identifier = row
    context = IndexContext(topic_id=topic_id, kind=kind, title=title, identifier=identifier)
    parts = TablePart.stored(json.loads(tables))
    return context.embedded_text(ChunkDraft(text=text, start=0, end=0, section=section, heading=heading, tables=parts))
