"""The embedding space that searches use, the embedder that fills it, and the vectors of queries in it."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context

import numpy as np
from django.conf import settings
from django.db import connection, transaction
from numpy.typing import NDArray

from search.embedders import Embedder, configured, embedder_for, vector_notes
from search.embedders.hashing import HashingEmbedder
from search.embedders.protocol import TermEmbedder
from search.models import EmbeddingSpace

THREADS = 500  # one for each request that waits for its query's vector
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="query-vector")


def active_space() -> EmbeddingSpace:
    """The space in use. The first call makes the one that the settings name, which may ask an outside service."""
    return EmbeddingSpace.objects.filter(active=True).first() or use_configured()


def space_in_use() -> EmbeddingSpace | None:
    """The same, and nobody is asked: None before the first vector of an outside service."""
    space = EmbeddingSpace.objects.filter(active=True).first()
    return use_configured() if space is None and isinstance(configured(), TermEmbedder) else space


def use_configured() -> EmbeddingSpace:
    """Have searches use the space of the embedder that the settings name, which is returned.

    It may be empty: what lacks vectors in it is noted. Raises ProviderError when the embedder's dimension is unknown,
    and it is away.
    """
    embedder = configured()
    key = {"provider": embedder.provider, "model": embedder.model, "dimension": embedder.dimension}
    if space := EmbeddingSpace.objects.filter(active=True, **key).first():
        return space
    EmbeddingSpace.objects.bulk_create([EmbeddingSpace(**key)], ignore_conflicts=True)
    with transaction.atomic():
        # Waits for publications under way, which hold the active space, and makes the next ones wait.
        list(EmbeddingSpace.objects.select_for_update().order_by("pk"))
        EmbeddingSpace.objects.filter(active=True).update(active=False)
        EmbeddingSpace.objects.filter(**key).update(active=True)
        vector_notes.note_all()
    return EmbeddingSpace.objects.get(**key)


def is_switched() -> bool:
    """Whether the settings name another embedder than searches use. Nobody is asked."""
    embedder = configured()
    named = EmbeddingSpace.objects.filter(active=True, provider=embedder.provider, model=embedder.model)
    if settings.KB_EMBEDDING_DIMENSION:
        named = named.filter(dimension=settings.KB_EMBEDDING_DIMENSION)
    return not named.exists()


def is_active(space: EmbeddingSpace) -> bool:
    """Whether searches still use the space."""
    return EmbeddingSpace.objects.filter(pk=space.pk, active=True).exists()


def is_named(space: EmbeddingSpace) -> bool:
    """Whether the settings name the model of the space. Nobody is asked.

    They do not in a process that is older or newer than a switch: it searches by words until it is replaced, or until
    the space is.
    """
    embedder = configured()
    return space.provider == HashingEmbedder.provider or (
        (space.provider, space.model) == (embedder.provider, embedder.model)
    )


def drop_unused() -> None:
    """Delete the spaces that are no longer used, with their vectors."""
    for space in EmbeddingSpace.objects.filter(active=False):
        with transaction.atomic(), connection.cursor() as cursor:
            # Decided again under the row's lock: another run may have switched to it meanwhile.
            cursor.execute("DELETE FROM kb_embedding_space WHERE id = %s AND NOT active", [space.pk])


def embedder_of(space: EmbeddingSpace) -> Embedder:
    """The embedder whose vectors the space holds. Raises ImproperlyConfigured when the settings lost it."""
    return embedder_for(provider=space.provider, model=space.model, dimension=space.dimension)


def lock_if_active(space_id: int | None) -> bool:
    """Whether the space is the active one. If so, it stays that until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT active FROM kb_embedding_space WHERE id = %s FOR SHARE", [space_id])
        row = cursor.fetchone()
    return bool(row and row[0])


def embed_query(query: str, *, space: EmbeddingSpace) -> NDArray[np.float32]:
    """The vector of a query. Raises ProviderError if the embedder fails."""
    return embedder_of(space).embed([query], "query")[0]


def begin_embedding(
    query: str,
    *,
    space: EmbeddingSpace,
    adjust: Callable[[NDArray[np.float32]], NDArray[np.float32]] | None = None,
) -> Future[NDArray[np.float32]]:
    """As `embed_query`, in a thread that uses no database. `adjust` makes of the vector the one to search by."""

    def embed() -> NDArray[np.float32]:
        vector = embed_query(query, space=space)
        return adjust(vector) if adjust else vector

    return _threads.submit(copy_context().run, embed)
