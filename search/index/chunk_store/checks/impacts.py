"""What must hold of the words of each chunk: that it is known which they are, and what they say there."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from django.db import connection, transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from kb_project.operations.integrity.registry import Finding, IntegrityCheck, query
from law.chunking.drafts import ChunkDraft, TablePart
from law.words.term_weights import SparseVector
from search.index.chunk_store import pending_sources
from search.index.chunk_store.checks.chunks import hold
from search.index.chunk_store.staging import IndexContext, RowLayout
from sources.models import Chunk, Source

# Few chunks are without a word: whether one should have some is known when it is analysed again.
WITHOUT_IMPACTS = """
SELECT source_id, id, wordless FROM (
    SELECT source_id, id, seq, cardinality(term_ids) = 0 AS wordless,
        octet_length(impacts) = cardinality(term_ids) AND (cardinality(term_ids) = 0) = (l2_norm(terms) = 0) AS agree
    FROM kb_chunk
) AS chunk WHERE wordless OR NOT agree ORDER BY source_id, seq
"""
AT_ONCE = 500  # chunks that are weighed again

Weighed = tuple[NDArray[np.int32], NDArray[np.uint8], SparseVector]


def find_chunks_without_impacts() -> Iterator[Finding]:
    for source_id, rows in groupby(query(WITHOUT_IMPACTS), key=lambda row: row[0]):
        wordless, others = [], 0
        for _source, chunk_id, is_wordless in rows:
            if is_wordless:
                wordless.append(chunk_id)
            else:
                others += 1
        chunks = others + _with_words(wordless, source_id=source_id)
        if chunks:
            detail = gettext_noop("Its chunks of which is not known what each word says: %(chunks)d.")
            yield Finding(f"source {source_id}", detail, {"chunks": chunks}, key=source_id)


def weigh_again(finding: Finding) -> None:
    """Store the impacts and weights of a source's chunks anew, and have them gathered with these."""
    with transaction.atomic():
        if (source := hold(finding.key)) is None:
            return
        layout = RowLayout(IndexContext.of(source))
        chunks = list(Chunk.objects.filter(source_id=source.pk).defer("terms", "term_ids").order_by("seq"))
        for start in range(0, len(chunks), AT_ONCE):
            batch = chunks[start : start + AT_ONCE]
            rows = [
                (codes.tobytes(), ids.tolist(), vector.as_text(), chunk.pk)
                for chunk, (ids, codes, vector) in zip(batch, _weighed(batch, layout), strict=True)
            ]
            with connection.cursor() as cursor:
                cursor.executemany(
                    "UPDATE kb_chunk SET impacts = %s, term_ids = %s, terms = %s::sparsevec WHERE id = %s", rows
                )
        pending_sources.note_again(source.pk, topic_id=source.topic_id)


def _with_words(chunk_ids: Sequence[int], *, source_id: int) -> int:
    """How many of these chunks have words when they are analysed, none when their source is gone."""
    source = Source.objects.filter(pk=source_id).first() if chunk_ids else None
    if source is None:
        return 0
    layout = RowLayout(IndexContext.of(source))
    found = 0
    for start in range(0, len(chunk_ids), AT_ONCE):
        chunks = list(Chunk.objects.filter(pk__in=chunk_ids[start : start + AT_ONCE]).defer("terms", "term_ids"))
        found += sum(len(ids) > 0 for ids, _, _ in _weighed(chunks, layout))
    return found


def _weighed(chunks: Sequence[Chunk], layout: RowLayout) -> Iterator[Weighed]:
    drafts = [
        ChunkDraft(
            one.text,
            one.span_start,
            one.span_end,
            section=one.section,
            heading=one.heading,
            tables=TablePart.stored(one.tables),
        )
        for one in chunks
    ]
    yield from layout.indexed(drafts, [layout.analysed(draft) for draft in drafts])


CHECKS = [
    IntegrityCheck(
        name="chunks_without_impacts",
        meaning=_("Of each chunk is known what each of its words says there."),
        find=find_chunks_without_impacts,
        repair=weigh_again,
    ),
]
