"""The index in Qdrant: it chooses among the chunks that Postgres keeps. Imported only with `KB_INDEX=qdrant`."""

import logging
import time
from collections.abc import Callable, Sequence

from kb_project.errors import Unavailable
from kb_project.operations.integrity.registry import IntegrityCheck
from search.index.chunk_store.engine import StoredChunks
from search.index.qdrant import collections, counting, outbox, searching
from search.models import CollectionWork

TURN_S = 20.0  # of bringing in, then other work of the worker comes first
logger = logging.getLogger(__name__)


class QdrantIndex(StoredChunks):
    """The verbs of `search.index.protocol.SearchIndex`. A search raises Unavailable while Qdrant is away."""

    count = staticmethod(counting.count)
    candidates = staticmethod(searching.search_by_words)
    matches = staticmethod(searching.find_matches)
    nearest = staticmethod(searching.search_by_meaning)

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
        report = on_progress or (lambda done, total: None)
        made = collections.wanted(anew=True)
        collections.ensure_there(made)
        total = CollectionWork.objects.filter(collection=made).values("source_id").distinct().count()
        report(0, total)
        while not collections.take_into_use(made):
            for sources, _ in outbox.sync(made):
                report(sources, total)
        collections.delete_dropped()

    def check(self) -> Sequence[IntegrityCheck]:
        from search.index.chunk_store import checks as stored
        from search.index.qdrant import checks  # they need models

        return [*stored.CHECKS, *checks.CHECKS]
