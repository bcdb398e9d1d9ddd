"""Search by meaning: the nearest vectors of a space, inside the scope."""

from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor

from kb_project.database.connections import release
from search.index.postgres.vectors import coded_candidates
from search.index.postgres.vectors.coded_candidates import choose
from search.index.protocol import Nearest, NearestSearch, Vector
from search.index.stored.similarities import DenseQuery, compare_all, compare_chosen
from search.models import EmbeddingSpace
from search.scope import Scope

THREADS = 500  # one for each request that searches by meaning

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="nearest")


def search(vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
    """As `SearchIndex.nearest`. Never fewer than `limit` where the scope has as many.

    A thread chooses what is to be compared as soon as the vector is there; it uses no database. The embedder is waited
    for without a connection. A chunk without a vector has no similarity.
    """
    field = coded_candidates.field(space, scope=scope)
    # It waits for the thread that embeds, which was submitted before it and so never waits for this one.
    chosen = _threads.submit(lambda: None if field is None else choose(vector.result(), field, limit=limit))

    def end(chunk_ids: Collection[int]) -> Nearest:
        if not vector.done():
            release()
        query = DenseQuery(space, vector.result())
        candidates = chosen.result()
        if candidates is None:
            return compare_all(query, scope=scope, limit=limit, chunk_ids=chunk_ids)
        return compare_chosen(query, candidates, scope=scope, limit=limit, chunk_ids=chunk_ids)

    return end
