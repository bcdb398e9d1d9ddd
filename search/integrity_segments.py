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
from search import coded_segments, segments
from search.drafts import ChunkDraft
from search.integrity import hold
from search.models import Chunk
from search.segment_members import chunk_ids_of
from search.spaces import active_space
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
# Two words of 64 bits for so many dimensions, and a scale of 4 bytes (`search.vector_codes`).
UNFIT_CODES = """
SELECT s.topic_id, count(*) FROM kb_segment_codes c
JOIN kb_segment s ON s.id = c.segment_id JOIN kb_embedding_space e ON e.id = c.space_id
WHERE octet_length(c.codes) <> s.chunks * (16 * ((e.dimension + 63) / 64) + 4)
GROUP BY s.topic_id ORDER BY s.topic_id
"""
AT_ONCE = 500  # chunks that are weighed again


def find_unlisted_chunks() -> Iterator[Finding]:
    for (topic_id,) in fetch("SELECT id FROM kb_topic ORDER BY id", []):
        chunks = np.array([*query(GATHERED, {"topic": topic_id})], np.int64).reshape(-1, 2)
        for chunk_ids in chunk_ids_of(topic_id):
            chunks = chunks[~np.isin(chunks[:, 0], chunk_ids)]
        for source_id, count in sorted(Counter(chunks[:, 1].tolist()).items()):
            detail = gettext_noop("Its chunks that searches by words cannot find: %(chunks)d.")
            yield Finding(f"source {source_id}", detail, {"chunks": count}, key=source_id)


def find_chunks_without_impacts() -> Iterator[Finding]:
    for source_id, chunks in query(WITHOUT_IMPACTS):
        detail = gettext_noop("Its chunks of which is not known what each word says: %(chunks)d.")
        yield Finding(f"source {source_id}", detail, {"chunks": chunks}, key=source_id)


def find_unfit_codes() -> Iterator[Finding]:
    for topic_id, segments_found in query(UNFIT_CODES):
        detail = gettext_noop("Its segments whose codes are not one for each vector: %(segments)d.")
        yield Finding(f"topic {topic_id}", detail, {"segments": segments_found}, key=topic_id)


def code_again(finding: Finding) -> None:
    """Drop the codes of a topic's segments; until there are new ones its vectors are compared one by one."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM kb_segment_codes c USING kb_segment s WHERE s.id = c.segment_id AND s.topic_id = %s",
            [finding.key],
        )
        coded_segments.complete(active_space())


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
        name="unfit_codes",
        meaning=_("Each segment has one code for each of its vectors, or none yet."),
        find=find_unfit_codes,
        repair=code_again,
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
