"""The index in Qdrant: it chooses among the chunks that Postgres keeps. Imported only with `KB_INDEX=qdrant`."""

import logging
import time
from collections.abc import Callable, Sequence

from kb_project.errors import Unavailable
from kb_project.operations.integrity.registry import IntegrityCheck
from search.index.chunk_store.engine import StoredChunks
from search.index.qdrant import collections, outbox, searching
from search.models import CollectionWork

TURN_S = 20.0  # of bringing in, then other work of the worker comes first
WAIT_S = 0.5  # while another process brings in
logger = logging.getLogger(__name__)


class QdrantIndex(StoredChunks):
    """The verbs of `search.index.protocol.SearchIndex`. A search raises Unavailable while Qdrant is away."""

    count = staticmethod(searching.count)
    candidates = staticmethod(searching.search_by_words)
    matches = staticmethod(searching.find_matches)
    nearest = staticmethod(searching.search_by_meaning)

    def maintain(self, *, thorough: bool = False) -> int:
        """As the protocol has it, for a short while. A model that was switched gets a collection of its own."""
        brought = 0
        try:
            wanted = collections.wanted()
            for collection in collections.living():
                brought += outbox.sync(collection, seconds=TURN_S)
            collections.take_into_use(wanted)
            collections.delete_dropped()
        except Unavailable:
            logger.warning("Qdrant cannot be reached; what has changed waits for it", exc_info=True)
        return brought

    def is_behind(self) -> bool:
        return True  # whether the service has its collections, it alone can tell

    def fill(self, *, on_progress: Callable[[int, int], object] | None = None) -> None:
        report = on_progress or (lambda done, total: None)
        made = collections.wanted(anew=True)
        collections.ensure_there(made)
        total = CollectionWork.objects.filter(collection=made).values("source_id").distinct().count()
        report(0, total)
        while not collections.take_into_use(made):
            if not outbox.sync(made, seconds=TURN_S, on_source=lambda: report(1, total)):
                time.sleep(WAIT_S)
        collections.delete_dropped()

    def check(self) -> Sequence[IntegrityCheck]:
        from search.index.chunk_store import checks as stored
        from search.index.qdrant import checks  # they need models

        return [*stored.CHECKS, *checks.CHECKS]
