"""What must hold in the chunks that every engine searches: their counts, vectors, keys of citations and words."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from django.db import connection, transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from kb_project.isolates import isolated
from kb_project.operations.integrity.registry import Finding, IntegrityCheck, query
from law.chunking.packing import ChunkDraft, TablePart
from law.words.term_weights import SparseVector
from search.embedders import vector_notes
from search.index.chunk_store import pending_sources
from search.index.chunk_store.staging import IndexContext, RowLayout
from sources.citations import source_keys
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
# Rows of kb_chunk are wide: what can be answered from its indexes alone is asked of them first.
ORPHAN_CHUNKS = """
SELECT source_id, n FROM (SELECT source_id, count(*) AS n FROM kb_chunk GROUP BY source_id) AS held
WHERE NOT EXISTS (SELECT FROM kb_source s WHERE s.id = held.source_id) ORDER BY source_id
"""
WRONG_CHUNK_COUNTS = """
SELECT s.id, s.chunk_count, coalesce(held.n, 0)
FROM kb_source s LEFT JOIN (SELECT source_id, count(*) AS n FROM kb_chunk GROUP BY source_id) AS held
    ON held.source_id = s.id
WHERE s.chunk_count < coalesce(held.n, 0) ORDER BY s.id
"""
WITHOUT_EMBEDDING = """
WITH bare AS MATERIALIZED (
    SELECT c.id FROM kb_chunk c WHERE NOT EXISTS (
        SELECT FROM kb_chunk_embedding e
        WHERE e.chunk_id = c.id AND e.space_id = (SELECT id FROM kb_embedding_space WHERE active)
    )
)
SELECT c.source_id, count(*) FROM kb_chunk c JOIN bare USING (id)
WHERE NOT EXISTS (SELECT FROM kb_vector_work w WHERE w.source_id = c.source_id)
GROUP BY c.source_id ORDER BY c.source_id
"""
ORPHAN_EMBEDDINGS = """
SELECT e.chunk_id, count(*) FROM kb_chunk_embedding e
WHERE NOT EXISTS (SELECT FROM kb_chunk c WHERE c.id = e.chunk_id) GROUP BY e.chunk_id ORDER BY e.chunk_id
"""
EMBEDDINGS_OF_ANOTHER_TOPIC = """
SELECT e.chunk_id, e.topic_id, c.topic_id
FROM kb_chunk_embedding e JOIN kb_chunk c ON c.id = e.chunk_id AND c.topic_id <> e.topic_id ORDER BY e.chunk_id
"""
CITATION_KEYS = """
SELECT s.id, s.topic_id, s.title, s.identifier, s.aliases,
    k.topic_id, k.title_start, k.title_stems, k.identifiers
FROM kb_source s LEFT JOIN kb_source_key k ON k.source_id = s.id
WHERE k.source_id IS NOT NULL OR s.chunk_count > 0 ORDER BY s.id
"""


def find_orphan_chunks() -> Iterator[Finding]:
    for source_id, chunks in query(ORPHAN_CHUNKS):
        detail = gettext_noop("There is no such source, but there are chunks of it: %(chunks)d.")
        yield Finding(f"source {source_id}", detail, {"chunks": chunks}, key=source_id)


def delete_orphan_chunks(finding: Finding) -> None:
    """Delete the chunks of a source that is not there."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_chunk WHERE source_id = %s", [finding.key])


def find_wrong_chunk_counts() -> Iterator[Finding]:
    for source_id, kept, real in query(WRONG_CHUNK_COUNTS):
        detail = gettext_noop("It has %(real)d chunks and says %(kept)d.")
        yield Finding(f"source {source_id}", detail, {"kept": kept, "real": real}, key=source_id)


def recount_chunks(finding: Finding) -> None:
    """Count while the source is held: whoever publishes or withdraws its chunks holds it until the commit."""
    with transaction.atomic(), connection.cursor() as cursor:
        hold(finding.key)
        cursor.execute(
            "UPDATE kb_source SET chunk_count = (SELECT count(*) FROM kb_chunk WHERE source_id = %(source)s)"
            " WHERE id = %(source)s",
            {"source": finding.key},
        )


def find_orphan_embeddings() -> Iterator[Finding]:
    for chunk_id, vectors in query(ORPHAN_EMBEDDINGS):
        detail = gettext_noop("There is no such chunk, but there are vectors of it: %(vectors)d.")
        yield Finding(f"chunk {chunk_id}", detail, {"vectors": vectors}, key=chunk_id)
    for chunk_id, kept, real in query(EMBEDDINGS_OF_ANOTHER_TOPIC):
        detail = gettext_noop("Its vector is filed under topic %(kept)d; the chunk is in topic %(real)d.")
        yield Finding(f"chunk {chunk_id}", detail, {"kept": kept, "real": real}, key=chunk_id)


def mend_embeddings() -> None:
    """Delete the vectors of chunks that are gone, and give the others the topic of their chunk."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM kb_chunk_embedding e WHERE NOT EXISTS (SELECT FROM kb_chunk c WHERE c.id = e.chunk_id)"
        )
        cursor.execute(
            "UPDATE kb_chunk_embedding e SET topic_id = c.topic_id FROM kb_chunk c"
            " WHERE c.id = e.chunk_id AND c.topic_id <> e.topic_id"
        )


def find_chunks_without_embedding() -> Iterator[Finding]:
    for source_id, chunks in query(WITHOUT_EMBEDDING):
        detail = gettext_noop("Its chunks without a vector that searches use: %(chunks)d.")
        yield Finding(f"source {source_id}", detail, {"chunks": chunks}, key=source_id)


def note_vectors(finding: Finding) -> None:
    with transaction.atomic():
        if source := hold(finding.key):
            vector_notes.note(source.pk, topic_id=source.topic_id)


def find_wrong_citation_keys() -> Iterator[Finding]:
    for source_id, topic_id, title, identifier, aliases, *kept in query(CITATION_KEYS):
        wanted = source_keys.keys_of(topic_id=topic_id, title=title, identifier=identifier, aliases=aliases)
        if kept[0] is None:
            detail = gettext_noop("Citations cannot find it: it has no keys for “%(title)s”.")
        elif tuple(kept) != wanted:
            detail = gettext_noop("Citations find it by an older title or identifier than “%(title)s”.")
        else:
            continue
        yield Finding(f"source {source_id}", detail, {"title": isolated(title[:100])}, key=source_id)


def store_citation_keys(finding: Finding) -> None:
    with transaction.atomic():
        source = hold(finding.key)
        if source is not None:
            source_keys.store(source)


def hold(source_id: int) -> Source | None:
    """The source, held until the transaction ends, or None when it is gone."""
    return Source.objects.select_for_update(no_key=True).filter(pk=source_id).first()


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
        name="orphan_chunks",
        meaning=_("Each chunk belongs to a source."),
        find=find_orphan_chunks,
        repair=delete_orphan_chunks,
    ),
    IntegrityCheck(
        name="chunk_counts",
        meaning=_("Each source knows how many chunks it has."),
        find=find_wrong_chunk_counts,
        repair=recount_chunks,
    ),
    IntegrityCheck(
        name="orphan_embeddings",
        meaning=_("Each vector belongs to a chunk, and is filed under the chunk's topic."),
        find=find_orphan_embeddings,
        repair_all=mend_embeddings,
    ),
    IntegrityCheck(
        name="chunks_without_embedding",
        meaning=_("Each chunk has a vector of the embedding model that searches use, or is to get one."),
        find=find_chunks_without_embedding,
        repair=note_vectors,
    ),
    IntegrityCheck(
        name="citation_keys",
        meaning=_("Citations find each source by the title and identifier that it has now."),
        find=find_wrong_citation_keys,
        repair=store_citation_keys,
    ),
    IntegrityCheck(
        name="chunks_without_impacts",
        meaning=_("Of each chunk is known what each of its words says there."),
        find=find_chunks_without_impacts,
        repair=weigh_again,
    ),
]
"""In this order, as a repair changes what comes after it."""
