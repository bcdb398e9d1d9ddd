"""The slow half of indexing: chunks analysed, embedded and laid out as rows, without a transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from struct import pack, unpack
from tempfile import SpooledTemporaryFile
from typing import IO, Protocol

from search import copy_format
from search.analysis import Term, terms
from search.chunking import STATUTORY_KINDS
from search.drafts import ChunkDraft
from search.source_keys import section_key
from search.spaces import active_space, embedder_of
from search.term_weights import (
    BODY,
    HEADING,
    NOTHING,
    TITLE,
    SparseVector,
    add,
    distinct_stems,
    field_vector,
    term_ids,
)

BATCH = 64
KEPT_IN_MEMORY = 1024 * 1024  # bytes of rows; more of them go to a temporary file


class Progress(Protocol):
    """Told after each batch how many chunks are done."""

    def __call__(self, done: int, /) -> object: ...


@dataclass(frozen=True, kw_only=True)
class IndexContext:
    """What a chunk is indexed with besides its own words."""

    topic_id: int
    kind: str
    title: str
    identifier: str = ""


def _spool() -> IO[bytes]:
    return SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)


@dataclass(kw_only=True)
class StagedChunks:
    """Rows ready to be copied in. Close it, or use it as a context manager, to free its files."""

    context: IndexContext
    space_id: int
    count: int = 0
    document_frequencies: Counter[int] = field(default_factory=Counter)
    rows: IO[bytes] = field(default_factory=_spool)
    vectors: IO[bytes] = field(default_factory=_spool)

    def __enter__(self) -> StagedChunks:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        self.rows.close()
        self.vectors.close()


def stage(drafts: Iterable[ChunkDraft], *, context: IndexContext, on_progress: Progress | None = None) -> StagedChunks:
    """Analyse and embed chunks; memory stays bounded however many there are.

    Raises ProviderError when the embedder fails.
    """
    space = active_space()
    embedder = embedder_of(space)
    staged = StagedChunks(context=context, space_id=space.pk)
    layout = _Layout(context)
    try:
        remaining = iter(drafts)
        while batch := list(islice(remaining, BATCH)):
            for draft in batch:
                row, ids = layout.row(draft, seq=staged.count)
                _spill(staged.rows, row)
                staged.document_frequencies.update(ids)
                staged.count += 1
            vectors = embedder.embed([embedded_text(context, draft) for draft in batch], "document")
            for vector in vectors:
                _spill(staged.vectors, copy_format.halfvec(vector))
            if on_progress:
                on_progress(staged.count)
    except BaseException:
        staged.close()
        raise
    return staged


def embedded_text(context: IndexContext, draft: ChunkDraft) -> str:
    """A chunk as the embedder sees it: its context in front."""
    place = " ".join(part for part in (draft.section, draft.heading) if part)
    return "\n".join(part for part in (context.title, context.identifier, place, draft.text) if part)


def spilled(file: IO[bytes]) -> Iterator[bytes]:
    """The records of a staged file, in order."""
    file.seek(0)
    while length := file.read(4):
        yield file.read(unpack(">I", length)[0])


def _spill(file: IO[bytes], record: bytes) -> None:
    file.write(pack(">I", len(record)) + record)


class _Layout:
    """Chunks of one source as rows; what its title adds to each is computed once."""

    def __init__(self, context: IndexContext) -> None:
        self._context = context
        self._statutory = context.kind in STATUTORY_KINDS
        self._title: list[Term] = terms(f"{context.title}\n{context.identifier}")
        self._title_vector = field_vector(TITLE, self._title)

    def row(self, draft: ChunkDraft, *, seq: int) -> tuple[bytes, list[int]]:
        """The fields from topic_id on in COPY's binary format, and the ids of the chunk's terms."""
        body, heading = self._body_and_heading(draft)
        ids = term_ids(distinct_stems(body, heading, self._title), self._context.topic_id)
        vector = add(field_vector(BODY, body), field_vector(HEADING, heading), self._title_vector_beside(draft))
        fields = (
            copy_format.int8(self._context.topic_id),
            copy_format.int4(seq),
            copy_format.int4(draft.page),
            copy_format.int4(draft.start),
            copy_format.int4(draft.end),
            copy_format.text(draft.section),
            copy_format.text(section_key(draft.section)),
            copy_format.text(draft.heading),
            copy_format.text_array(draft.path),
            copy_format.text(draft.text),
            copy_format.int4_array(ids),
            copy_format.sparsevec(vector),
        )
        return b"".join(fields), ids.tolist()

    def _body_and_heading(self, draft: ChunkDraft) -> tuple[list[Term], list[Term]]:
        """The terms of the passage and of its heading.

        A statute's heading says what its section is about, and is a field of its own. In other documents title and
        heading stand over many passages, and are read as if they were printed once at the top of each.
        """
        if self._statutory:
            return terms(draft.text), terms(f"{draft.section}\n{draft.heading}")
        above = [line for line in (self._context.title, draft.heading) if line and line not in draft.text]
        return terms("\n".join([*above, draft.text])), []

    def _title_vector_beside(self, draft: ChunkDraft) -> SparseVector:
        """The title as a field of its own, unless it is counted in the text already."""
        title = self._context.title
        return NOTHING if not self._statutory or (title and title in draft.text) else self._title_vector
