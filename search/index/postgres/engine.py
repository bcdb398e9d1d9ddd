"""The index in Postgres: immutable segments of posting lists and of vector codes beside the table of chunks."""

from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Future
from typing import cast

from kb_project.database.rows import Query
from kb_project.integrity.registry import Check
from search.chunking.drafts import ChunkDraft
from search.embedders.spaces import active_space
from search.index.postgres import by_meaning, by_words, counts, matching
from search.index.postgres.segments import gathering
from search.index.postgres.vectors import coded_segments
from search.index.protocol import IndexContext, Matches, NearestSearch, Progress, StagedChunks, Vector
from search.index.stored import publication, scoring, staging
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, Word, WordQuery
from search.scope import Scope
from sources.models import Source


class PostgresIndex:
    """The verbs of `search.index.protocol.SearchIndex`, each of which has a module of its own."""

    def stage(
        self,
        drafts: Iterable[ChunkDraft],
        *,
        context: IndexContext,
        document: str = "",
        on_progress: Progress | None = None,
    ) -> staging.StagedRows:
        return staging.stage(drafts, context=context, document=document, on_progress=on_progress)

    def publish(self, staged: StagedChunks, *, source: Source, new: bool = False) -> None:
        publication.publish(cast(staging.StagedRows, staged), source=source, new=new)

    def withdraw(self, source_id: int) -> None:
        publication.withdraw(source_id)

    def count(self, stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
        return counts.count(stems, topic_ids=scope.topic_ids())

    def candidates(self, query: WordQuery, *, scope: Scope, limit: int, surely: int | None = None) -> Ranking:
        return by_words.search(query, scope=scope, limit=limit, surely=surely)

    def matches(
        self, words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]] = ()
    ) -> Matches:
        return matching.find(words, scope=scope, least=least, required=required)

    def scores(self, query: WordQuery, *, chunk_ids: Collection[int]) -> Ranking:
        return scoring.scores(query, chunk_ids=chunk_ids)

    def nearest(self, vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
        return by_meaning.search(vector, space=space, scope=scope, limit=limit)

    def maintain(self, *, thorough: bool = False) -> int:
        gathered = gathering.gather()
        if thorough:
            gathering.compact()
            coded_segments.complete(active_space())
        return gathered

    def check(self) -> Sequence[Check]:
        from search.index.postgres.checks import CHECKS  # they need models

        return CHECKS
