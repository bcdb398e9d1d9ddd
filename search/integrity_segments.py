"""What must hold in the posting lists: each chunk is in one, with its impacts, or about to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from django.db import connection, transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.integrity import Check, Finding, query, register
from kb_project.rows import fetch
from search import segments
from search.drafts import ChunkDraft
from search.integrity import hold
from search.models import Chunk
from search.staging import IndexContext, Layout

# What is not fresh has been gathered: first these, then the segments, and no chunk is missed on its way.
GATHERED = """
SELECT id, source_id FROM kb_chunk c WHERE topic_id = %(topic)s
AND NOT EXISTS (SELECT FROM kb_fresh_source f WHERE f.source_id = c.source_id) ORDER BY id
"""
WITHOUT_IMPACTS = """
SELECT source_id, count(*) FROM kb_chunk WHERE octet_length(impacts) <> cardinality(term_ids)
GROUP BY source_id ORDER BY source_id
"""
AT_ONCE = 500  # chunks that are weighed again


def find_unlisted_chunks() -> Iterator[Finding]:
    for (topic_id,) in fetch("SELECT id FROM kb_topic ORDER BY id", []):
        chunks = np.array([*query(GATHERED, {"topic": topic_id})], np.int64).reshape(-1, 2)
        for chunk_ids in segments.chunk_ids_of(topic_id):
            chunks = chunks[~np.isin(chunks[:, 0], chunk_ids)]
        for source_id, count in sorted(Counter(chunks[:, 1].tolist()).items()):
            detail = gettext_noop("Its chunks that searches by words cannot find: %(chunks)d.")
            yield Finding(f"source {source_id}", detail, {"chunks": count}, key=source_id)


def find_chunks_without_impacts() -> Iterator[Finding]:
    for source_id, chunks in query(WITHOUT_IMPACTS):
        detail = gettext_noop("Its chunks of which is not known what each word says: %(chunks)d.")
        yield Finding(f"source {source_id}", detail, {"chunks": chunks}, key=source_id)


def gather_again(finding: Finding) -> None:
    with transaction.atomic():
        if (source := hold(finding.key)) is not None:
            segments.note_fresh(source.pk, topic_id=source.topic_id)


def weigh_again(finding: Finding) -> None:
    """Store the impacts and weights of a source's chunks, and have them gathered with these.

    Chunks without impacts are of before the weights were what they are now, so those are made anew, too.
    """
    with transaction.atomic():
        if (source := hold(finding.key)) is None:
            return
        layout = Layout(IndexContext.of(source))
        chunks = list(Chunk.objects.filter(source_id=source.pk).defer("terms", "term_ids").order_by("seq"))
        for start in range(0, len(chunks), AT_ONCE):
            batch = chunks[start : start + AT_ONCE]
            drafts = [
                ChunkDraft(one.text, one.span_start, one.span_end, section=one.section, heading=one.heading)
                for one in batch
            ]
            indexed = layout.indexed(drafts, [layout.analysed(draft) for draft in drafts])
            rows = [
                (codes.tobytes(), ids.tolist(), vector.as_text(), chunk.pk)
                for chunk, (ids, codes, vector) in zip(batch, indexed, strict=True)
            ]
            with connection.cursor() as cursor:
                cursor.executemany(
                    "UPDATE kb_chunk SET impacts = %s, term_ids = %s, terms = %s::sparsevec WHERE id = %s", rows
                )
        segments.note_fresh(source.pk, topic_id=source.topic_id)


register(
    Check(
        name="unlisted_chunks",
        meaning=_("Each chunk is in a posting list, or its source waits to be gathered into one."),
        find=find_unlisted_chunks,
        repair=gather_again,
    )
)
register(
    Check(
        name="chunks_without_impacts",
        meaning=_("Of each chunk is known what each of its words says there."),
        find=find_chunks_without_impacts,
        repair=weigh_again,
    )
)
