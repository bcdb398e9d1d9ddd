"""The embedding space that searches use, the embedder that fills it, and the vectors of queries in it."""

from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from search.embedders import Embedder, configured, embedder_for
from search.models import EmbeddingSpace

THREADS = 500  # one for each request that waits for its query's vector
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="query-vector")


def active_space() -> EmbeddingSpace:
    """The space in use; the first call makes the one that the settings name."""
    space = EmbeddingSpace.objects.filter(active=True).first()
    if space is not None:
        return space
    embedder = configured()
    with transaction.atomic():
        EmbeddingSpace.objects.bulk_create(
            [
                EmbeddingSpace(
                    provider=embedder.provider, model=embedder.model, dimension=embedder.dimension, active=True
                )
            ],
            ignore_conflicts=True,  # another process was first
        )
    return EmbeddingSpace.objects.get(active=True)


def embedder_of(space: EmbeddingSpace) -> Embedder:
    """The embedder whose vectors the space holds. Raises ImproperlyConfigured when the settings lost it."""
    return embedder_for(provider=space.provider, model=space.model, dimension=space.dimension)


def lock_if_active(space_id: int) -> bool:
    """Whether the space is the active one; if so, it stays that until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT active FROM kb_embedding_space WHERE id = %s FOR SHARE", [space_id])
        row = cursor.fetchone()
    return bool(row and row[0])


def embed_query(query: str, *, space: EmbeddingSpace) -> NDArray[np.float32]:
    """The vector of a query. Raises ProviderError if the embedder fails."""
    return embedder_of(space).embed([query], "query")[0]


def begin_embedding(query: str, *, space: EmbeddingSpace) -> Future[NDArray[np.float32]]:
    """As `embed_query`, in a thread that uses no database."""
    return _threads.submit(copy_context().run, embed_query, query, space=space)
