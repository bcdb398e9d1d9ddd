"""The index in Qdrant: it chooses among the chunks that Postgres keeps. Imported only with `KB_INDEX=qdrant`."""

import logging
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future

from kb_project.database.rows import Query
from kb_project.errors import Unavailable
from kb_project.operations.integrity.registry import IntegrityCheck
from search.index.chunk_store.engine import StoredChunks
from search.index.protocol import Matches, NearestSearch, Vector
from search.index.qdrant import collections, counting, matching, outbox, searching
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, Word, WordQuery
from sources.scope import Scope

TURN_S = 20.0  # of bringing in, then other work of the worker comes first
logger = logging.getLogger(__name__)


class QdrantIndex(StoredChunks):
    """The verbs of `search.index.protocol.SearchIndex`. A search raises Unavailable while Qdrant is away."""

    def count(self, stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
        return counting.count(stems, scope=scope)

    def candidates(
        self,
        query: WordQuery,
        *,
        scope: Scope,
        limit: int,
        guaranteed: int | None = None,
        beside: NearestSearch | None = None,
    ) -> Ranking:
        return searching.search_by_words(query, scope=scope, limit=limit, guaranteed=guaranteed, beside=beside)

    def matches(
        self, words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]] = ()
    ) -> Matches:
        return matching.find(words, scope=scope, least=least, required=required)

    def nearest(self, vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
        return searching.search_by_meaning(vector, space=space, scope=scope, limit=limit)

    def maintain(self, *, thorough: bool = False) -> int:
        """As the protocol has it, for a short while. A model that was switched gets a collection of its own."""
        ends, brought = time.monotonic() + TURN_S, 0
        try:
            wanted = collections.wanted()
            for collection in collections.living():
                for _, chunks in outbox.sync(collection):
                    brought += chunks
                    if time.monotonic() > ends:
                        break
            collections.take_into_use(wanted)
            collections.delete_dropped()
        except Unavailable:
            logger.warning("Qdrant cannot be reached; what has changed waits for it", exc_info=True)
        return brought

    def fill(self, *, on_progress: Callable[[int, int], object] | None = None) -> None:
        made = collections.wanted(anew=True)
        collections.ensure_there(made)
        total = outbox.sources_noted(made)
        report = on_progress or (lambda done, total: None)
        report(0, total)
        while not collections.take_into_use(made):
            for sources, _ in outbox.sync(made):
                report(sources, total)
        collections.delete_dropped()

    def check(self) -> Sequence[IntegrityCheck]:
        from search.index.chunk_store import checks as stored
        from search.index.qdrant import checks  # they need models

        return [*stored.CHECKS, *checks.CHECKS]
