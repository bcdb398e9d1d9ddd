"""The index in Qdrant: it chooses among the chunks that Postgres keeps. Imported only with `KB_INDEX=qdrant`."""

import logging
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future

from kb_project.database.rows import Query
from kb_project.errors import Unavailable
from kb_project.operations.integrity.registry import Check
from search.embedders.spaces import active_space
from search.index.protocol import Matches, NearestSearch, Vector
from search.index.qdrant import collections, matching, outbox, queries
from search.index.stored.engine import StoredChunks
from search.models import Collection as PointCollection
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, Word, WordQuery
from sources.scope import Scope

logger = logging.getLogger(__name__)

TURN_S = 20.0  # of bringing in, then other work of the worker comes first


class QdrantIndex(StoredChunks):
    """The verbs of `search.index.protocol.SearchIndex`. A search raises Unavailable while Qdrant is away."""

    def count(self, stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
        return queries.count(stems, scope=scope)

    def candidates(self, query: WordQuery, *, scope: Scope, limit: int, surely: int | None = None) -> Ranking:
        return queries.search_by_words(query, scope=scope, limit=limit, surely=surely)

    def matches(
        self, words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]] = ()
    ) -> Matches:
        return matching.find(words, scope=scope, least=least, required=required)

    def nearest(self, vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
        return queries.search_by_meaning(vector, space=space, scope=scope, limit=limit)

    def maintain(self, *, thorough: bool = False) -> int:
        """As the protocol has it, for a short while. A model that was switched gets a collection of its own."""
        try:
            wanted = collections.current(active_space())
            brought = sum(_bring_in(one, for_s=TURN_S) for one in collections.living())
            collections.take_into_use(wanted)
            collections.delete_dropped()
        except Unavailable:
            logger.warning("Qdrant cannot be reached; what has changed waits for it", exc_info=True)
            return 0
        return brought

    def fill(self, *, on_progress: Callable[[int, int], object] | None = None) -> None:
        made = collections.make()
        collections.ensure_there(made)
        total = outbox.sources_noted(made)

        def report(sources: int) -> None:
            if on_progress:
                on_progress(sources, total)

        report(0)
        while True:
            _bring_in(made, on_progress=report)
            if collections.take_into_use(made):
                break
        collections.delete_dropped()

    def check(self) -> Sequence[Check]:
        from search.index.qdrant import checks  # they need models
        from search.index.stored import checks as stored

        return [*stored.CHECKS, *checks.CHECKS]


def _bring_in(
    collection: PointCollection, *, for_s: float | None = None, on_progress: Callable[[int], object] | None = None
) -> int:
    collections.ensure_there(collection)
    return outbox.bring_in(collection, for_s=for_s, on_progress=on_progress)
