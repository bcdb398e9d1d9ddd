"""The index in Postgres: immutable segments of posting lists and of vector codes beside the table of chunks."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future

from kb_project.database.rows import Query
from kb_project.operations.integrity.registry import Check
from search.embedders.spaces import active_space
from search.index.postgres import by_meaning, by_words, counts, matching
from search.index.postgres.segments import gathering
from search.index.postgres.vectors import coded_segments
from search.index.protocol import Matches, NearestSearch, Vector
from search.index.stored.engine import StoredChunks
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, Word, WordQuery
from sources.scope import Scope


class PostgresIndex(StoredChunks):
    """The verbs of `search.index.protocol.SearchIndex`, each of which has a module of its own."""

    def count(self, stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
        return counts.count(stems, topic_ids=scope.topic_ids())

    def candidates(self, query: WordQuery, *, scope: Scope, limit: int, surely: int | None = None) -> Ranking:
        return by_words.search_by_words(query, scope=scope, limit=limit, surely=surely)

    def matches(
        self, words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]] = ()
    ) -> Matches:
        return matching.find(words, scope=scope, least=least, required=required)

    def nearest(self, vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
        return by_meaning.search_by_meaning(vector, space=space, scope=scope, limit=limit)

    def maintain(self, *, thorough: bool = False) -> int:
        gathered = gathering.gather()
        if thorough:
            gathering.compact()
            coded_segments.complete(active_space())
        return gathered

    def fill(self, *, on_progress: Callable[[int, int], object] | None = None) -> None:
        gathering.gather_missing(on_progress=on_progress)
        coded_segments.complete(active_space())

    def check(self) -> Sequence[Check]:
        from search.index.postgres.checks import CHECKS  # they need models

        return CHECKS
