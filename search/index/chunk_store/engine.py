"""What every engine does in the same way: chunks are kept in Postgres, and their scores are reckoned there."""

from collections.abc import Collection, Iterable
from typing import cast

from law.chunking.drafts import ChunkDraft
from search.index.chunk_store import publication, scoring, staging
from search.index.protocol import IndexContext, IndexProgress, StagedChunks
from search.ranking.fusion import Ranking
from search.ranking.word_query import WordQuery
from sources.models import Source


class StoredChunks:
    """These verbs of `search.index.protocol.SearchIndex`."""

    def stage(
        self,
        drafts: Iterable[ChunkDraft],
        *,
        context: IndexContext,
        on_progress: IndexProgress | None = None,
    ) -> staging.StagedRows:
        return staging.stage(drafts, context=context, on_progress=on_progress)

    def publish(self, staged: StagedChunks, *, source: Source, new: bool = False) -> None:
        publication.publish(cast(staging.StagedRows, staged), source=source, new=new)

    def withdraw(self, source_id: int) -> None:
        publication.withdraw(source_id)

    def scores(self, query: WordQuery, *, chunk_ids: Collection[int]) -> Ranking:
        return scoring.scores(query, chunk_ids=chunk_ids)
