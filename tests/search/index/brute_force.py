"""A second implementation of the index: it scores every passage of a scope, by the formula and by nothing else.

It reads the table of chunks and that of their vectors, keeps nothing of its own, and is as slow as it looks.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from django.db import connection, transaction
from pgvector import SparseVector

from kb_project.database.rows import Query, fetch
from kb_project.errors import NotFound
from kb_project.operations.integrity.registry import IntegrityCheck
from law.chunking.packing import ChunkDraft
from law.kinds import STATUTORY_KINDS
from law.words.analysis import Term, terms
from law.words.stored import DIMENSIONS
from law.words.term_weights import BODY, HEADING, K1, PAIR_SPREAD, SALTS, TITLE, B, WeightedField, dimensions
from search.embedders.spaces import active_space, embedder_of
from search.index.protocol import IndexContext, IndexProgress, Matches, Nearest, NearestSearch, StagedChunks, Vector
from search.models import ChunkEmbedding, EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, Word, WordQuery
from sources.citations import source_keys
from sources.models import Chunk, Source
from sources.scope import Scope


@dataclass
class Staged:
    context: IndexContext
    drafts: list[ChunkDraft]
    vectors: Sequence[Vector]

    @property
    def count(self) -> int:
        return len(self.drafts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        pass


class BruteForceIndex:
    def stage(
        self,
        drafts: Iterable[ChunkDraft],
        *,
        context: IndexContext,
        document: str = "",
        on_progress: IndexProgress | None = None,
    ) -> Staged:
        found = list(drafts)
        embedder = embedder_of(active_space())
        texts = [context.embedded_text(draft) for draft in found]
        vectors: Sequence[Vector] = list(embedder.embed(texts, "document")) if texts else []
        if on_progress:
            on_progress(len(found))
        return Staged(context, found, vectors)

    def publish(self, staged: StagedChunks, *, source: Source, new: bool = False) -> None:
        assert isinstance(staged, Staged)
        if not connection.in_atomic_block:
            raise transaction.TransactionManagementError("publish() must run inside a transaction.")
        if staged.context.topic_id != source.topic_id:
            raise ValueError("staged for another topic")
        self.withdraw(source.pk)
        source_keys.store(source)
        for seq, (draft, vector) in enumerate(zip(staged.drafts, staged.vectors, strict=True)):
            chunk = Chunk.objects.create(
                source=source,
                topic_id=source.topic_id,
                seq=seq,
                page=draft.page,
                span_start=draft.start,
                span_end=draft.end,
                section=draft.section,
                section_key=source_keys.section_key(draft.section),
                heading=draft.heading,
                path=list(draft.path),
                text=draft.text,
                term_ids=[],
                terms=SparseVector({}, DIMENSIONS),
            )
            ChunkEmbedding.objects.create(
                space=active_space(), chunk=chunk, topic_id=source.topic_id, embedding=vector.tolist()
            )
        source.chunk_count = staged.count
        source.save(update_fields=["chunk_count"])

    def withdraw(self, source_id: int) -> None:
        if not Source.objects.select_for_update().filter(pk=source_id).exists():
            raise NotFound("The source does not exist any more.")
        with connection.cursor() as cursor:
            for table in ("kb_source_key", "kb_chunk"):
                cursor.execute(f"DELETE FROM {table} WHERE source_id = %s", [source_id])

    def count(self, stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
        held = Counter[int]()
        chunks = _chunks(Scope(topic_id=scope.topic_id))
        for chunk in chunks:
            held.update({term.stem_hash for _, words in _fields(chunk) for term in words} & set(stems))
        return Query("SELECT 1", {}, lambda _: TermCounts(len(chunks), held))

    def candidates(
        self,
        query: WordQuery,
        *,
        scope: Scope,
        limit: int,
        guaranteed: int | None = None,
        nearest: NearestSearch | None = None,
    ) -> Ranking:
        return _best(((chunk.pk, _score(chunk, query)) for chunk in _chunks(scope)), limit, above=0.0)

    def matches(
        self, words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]] = ()
    ) -> Matches:
        stems_of = {chunk: {term.stem_hash for _, held in _fields(chunk) for term in held} for chunk in _chunks(scope)}
        told = {
            chunk: sum(word[0].weight for word in words if any(term.stem in stems for term in word))
            for chunk, stems in stems_of.items()
        }
        if required:
            found = [chunk for chunk, stems in stems_of.items() if all(not stems.isdisjoint(word) for word in required)]
        else:
            most = max(told.values(), default=0.0)
            found = [chunk for chunk, weight in told.items() if weight and weight >= least * most - 1e-6]
        return Matches(
            np.array([chunk.pk for chunk in found], np.int64),
            np.array([chunk.source_id for chunk in found], np.int64),
            np.array([told[chunk] for chunk in found], np.float32),
        )

    def scores(self, query: WordQuery, *, chunk_ids: Collection[int]) -> Ranking:
        chunks = Chunk.objects.filter(pk__in=chunk_ids).select_related("source")
        return [(chunk.pk, _score(chunk, query)) for chunk in chunks]

    def nearest(self, vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
        def end(chunk_ids: Collection[int]) -> Nearest:
            inside = [chunk.pk for chunk in _chunks(scope)]
            similarity = {
                row.chunk_id: float(np.dot(vector.result(), np.asarray(row.embedding, np.float32)))
                for row in ChunkEmbedding.objects.filter(space=space, chunk_id__in=[*inside, *chunk_ids])
            }
            ranking = _best(((pk, similarity[pk]) for pk in inside if pk in similarity), limit)
            return Nearest(ranking, {pk: similarity[pk] for pk in chunk_ids if pk in similarity})

        return NearestSearch([vector], end)

    def is_behind(self) -> bool:
        return False

    def maintain(self, *, thorough: bool = False) -> int:
        return 0

    def fill(self, *, on_progress: Callable[[int, int], object] | None = None) -> None:
        pass

    def check(self) -> Sequence[IntegrityCheck]:
        return ()


def _best(scored: Iterable[tuple[int, float]], limit: int, *, above: float | None = None) -> Ranking:
    kept = [(pk, score) for pk, score in scored if above is None or score > above]
    return sorted(kept, key=lambda pair: (-pair[1], pair[0]))[:limit]


def _chunks(scope: Scope) -> list[Chunk]:
    condition, parameters = scope.source_condition("s")
    sources = [pk for (pk,) in fetch(f"SELECT s.id FROM kb_source s WHERE {condition}", parameters)]
    return list(Chunk.objects.filter(source_id__in=sources).select_related("source").order_by("pk"))


def _fields(chunk: Chunk) -> Iterator[tuple[WeightedField, list[Term]]]:
    """What is indexed of a chunk, and as which part of it."""
    title, heading, text = chunk.source.title, chunk.heading, terms(chunk.text)
    beside = not (title and title in chunk.text)
    if chunk.source.kind in STATUTORY_KINDS:
        yield BODY, text
        yield HEADING, terms(f"{chunk.section}\n{heading}")
        yield TITLE, terms(f"{title}\n{chunk.source.identifier}") if beside else []
    else:
        above = terms(title) if title and beside else []
        yield BODY, [*above, *(terms(heading) if heading and heading not in chunk.text else []), *text]


def _score(chunk: Chunk, query: WordQuery) -> float:
    """BM25 over words, stems and pairs of neighbouring stems of each field (Robertson & Zaragoza 2009, eq. 3.15)."""
    asked = dict(zip(query.vector.indices.tolist(), query.vector.values.tolist(), strict=True))
    score = 0.0
    for field, words in _fields(chunk):
        length = len(words) / field.average_length
        stems = [term.stem_hash for term in words]
        pairs = [(one * int(PAIR_SPREAD) + other) % 2**64 for one, other in pairwise(stems)]
        forms: dict[str, list[int]] = {"word": [term.word_hash for term in words], "stem": stems, "pair": pairs}
        for form, _weight in field.families:
            places = dimensions(np.array(forms[form], np.uint64), SALTS[field.name, form])
            for dimension, times in Counter(places.tolist()).items():
                weight = times * (K1 + 1) / (times + K1 * (1 - B + B * length))
                score += asked.get(dimension, 0.0) * weight
    return score
