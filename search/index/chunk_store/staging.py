"""The slow half of publishing: chunks analysed and laid out as rows, without a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from struct import pack, unpack
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb_project.observability import tracing
from law.chunking.packing import ChunkDraft
from law.kinds import STATUTORY_KINDS
from law.words.analysis import Term, terms
from law.words.impact_vectors import field_entries, field_vector, same_entries, stem_impacts, texts_of, vectors
from law.words.term_weights import BODY, HEADING, TITLE, SparseVector
from search.embedders import configured
from search.embedders.protocol import TermEmbedder
from search.embedders.spaces import embedder_of, space_in_use
from search.index.chunk_store import copy_format
from search.index.protocol import IndexContext, IndexProgress
from sources.citations.source_keys import section_key

BATCH = 64
KEPT_IN_MEMORY = 1024 * 1024  # bytes of rows; more of them go to a temporary file


def _spool() -> IO[bytes]:
    return SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)


@dataclass(kw_only=True)
class StagedRows:
    """Rows ready to be copied in. Close it, or use it as a context manager, to free its files."""

    context: IndexContext
    space_id: int | None = None  # of the vectors, where they are made with the rows
    count: int = 0
    rows: IO[bytes] = field(default_factory=_spool)
    vectors: IO[bytes] = field(default_factory=_spool)

    def __enter__(self) -> StagedRows:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        self.rows.close()
        self.vectors.close()


def stage(
    drafts: Iterable[ChunkDraft], *, context: IndexContext, on_progress: IndexProgress | None = None
) -> StagedRows:
    """As `SearchIndex.stage`. Memory stays bounded however many chunks there are."""
    embedder, space_id = _embedder_by_terms()
    staged = StagedRows(context=context, space_id=space_id)
    layout = RowLayout(context)
    try:
        remaining = iter(drafts)
        while batch := list(islice(remaining, BATCH)):
            chunks = {"kb.chunks.first": staged.count, "kb.chunks.last": staged.count + len(batch) - 1}
            with tracing.span("analyse chunks", chunks):
                analysed = [layout.analysed(draft) for draft in batch]
                _spill(staged.rows, layout.rows(batch, analysed, first=staged.count))
                if embedder:
                    embeddings = embedder.embed_terms([[*layout.title, *one.place, *one.text] for one in analysed])
                    _spill(staged.vectors, map(copy_format.halfvec, embeddings))
                staged.count += len(batch)
            if on_progress:
                on_progress(staged.count)
    except BaseException:
        staged.close()
        raise
    return staged


def _embedder_by_terms() -> tuple[TermEmbedder | None, int | None]:
    """The embedder in use if it goes by the terms, which are known here, and its space. Vectors of others follow."""
    if isinstance(configured(), TermEmbedder) and (space := space_in_use()):
        embedder = embedder_of(space) if space.provider == configured().provider else None
        return (embedder, space.pk) if isinstance(embedder, TermEmbedder) else (None, None)
    return None, None


def spilled(file: IO[bytes]) -> Iterator[bytes]:
    """The records of a staged file, in order."""
    file.seek(0)
    while length := file.read(4):
        yield file.read(unpack(">I", length)[0])


def _spill(file: IO[bytes], records: Iterable[bytes]) -> None:
    """Append records in one write: the file looks at its size at each."""
    file.write(b"".join(part for record in records for part in (pack(">I", len(record)), record)))


class ChunkTerms(NamedTuple):
    """The terms of a chunk: of its text with the names of columns above it, and of its section's number and heading."""

    text: list[Term]
    place: list[Term]


class RowLayout:
    """Chunks of one source as rows. What its title adds to each is computed once."""

    def __init__(self, context: IndexContext) -> None:
        self._context = context
        self._statutory = context.kind in STATUTORY_KINDS
        self._bare_title = terms(context.title)
        self.title: list[Term] = terms(f"{context.title}\n{context.identifier}")
        self._title_vector = field_vector(TITLE, self.title)

    def analysed(self, draft: ChunkDraft) -> ChunkTerms:
        return ChunkTerms(
            terms(f"{draft.above}\n{draft.text}" if draft.above else draft.text),
            terms(f"{draft.section}\n{draft.heading}"),
        )

    def rows(self, drafts: Sequence[ChunkDraft], analysed: Sequence[ChunkTerms], *, first: int) -> Iterator[bytes]:
        """For each the fields from topic_id on in COPY's binary format."""
        topic = copy_format.int8(self._context.topic_id)
        indexed = self.indexed(drafts, analysed)
        for seq, draft, (terms_of, codes, vector) in zip(
            range(first, first + len(drafts)), drafts, indexed, strict=True
        ):
            columns = (
                topic,
                copy_format.int4(seq),
                copy_format.int4(draft.page),
                copy_format.int4(draft.start),
                copy_format.int4(draft.end),
                copy_format.text(draft.section),
                copy_format.text(section_key(draft.section)),
                copy_format.text(draft.heading),
                copy_format.text_array(draft.path),
                copy_format.text(draft.eid),
                copy_format.text(draft.gap),
                copy_format.text(draft.text),
                copy_format.jsonb([asdict(part) for part in draft.tables]),
                copy_format.int4_array(terms_of),
                copy_format.bytea(codes.tobytes()),
                copy_format.sparsevec(vector),
                copy_format.date(draft.days.begin),
                copy_format.date(draft.days.end),
            )
            yield b"".join(columns)

    def indexed(
        self, drafts: Sequence[ChunkDraft], analysed: Sequence[ChunkTerms]
    ) -> Iterator[tuple[NDArray[np.int32], NDArray[np.uint8], SparseVector]]:
        """Of each chunk the ids of its terms and their impacts, by which it is found, and the vector that scores it."""
        context, count = self._context, len(drafts)
        topic_id = context.topic_id
        if self._statutory:
            # A statute's heading says what its section is about, and is a field of its own.
            body, heading = texts_of([one.text for one in analysed]), texts_of([one.place for one in analysed])
            beside = {row for row, draft in enumerate(drafts) if not (context.title and context.title in draft.text)}
            title = texts_of([self.title if row in beside else [] for row in range(count)])
            parts = [field_entries(BODY, body), field_entries(HEADING, heading)]
            weights = vectors([*parts, same_entries(self._title_vector, sorted(beside))], count)
            impacts = stem_impacts([(BODY, body), (HEADING, heading), (TITLE, title)], count, topic_id=topic_id)
        else:
            body = texts_of([self._read_whole(*both) for both in zip(drafts, analysed, strict=True)])
            weights = vectors([field_entries(BODY, body)], count)
            impacts = stem_impacts([(BODY, body)], count, topic_id=topic_id)
        for (ids, codes), vector in zip(impacts, weights, strict=True):
            yield ids, codes, vector

    def _read_whole(self, draft: ChunkDraft, analysed: ChunkTerms) -> list[Term]:
        """The terms of a passage of a document that is no statute.

        There title and heading stand over many passages, and are read as if they were printed once at the top of each.
        """
        title, heading = self._context.title, draft.heading
        above = self._bare_title if title and title not in draft.text else []
        return [*above, *(terms(heading) if heading and heading not in draft.text else []), *analysed.text]
