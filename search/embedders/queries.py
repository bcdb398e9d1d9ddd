"""Embedding queries in threads, so that a search goes on with other work meanwhile."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context

import numpy as np
from numpy.typing import NDArray

from search.embedders.spaces import embedder_of
from search.models import EmbeddingSpace

THREADS = 500  # one for each request that waits for its query's vector

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="query-vector")


def embed_query(query: str, *, space: EmbeddingSpace) -> NDArray[np.float32]:
    """The vector of a query. Raises ProviderError if the embedder fails."""
    return embedder_of(space).embed([query], "query")[0]


def begin_embedding(query: str, *, space: EmbeddingSpace) -> Future[NDArray[np.float32]]:
    """As `embed_query`, in a thread that uses no database."""
    return _threads.submit(copy_context().run, embed_query, query, space=space)
