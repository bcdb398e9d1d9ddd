"""Background work of search."""

from __future__ import annotations

from celery import shared_task

from search import reembed, spaces, statistics
from search.answers import traces


@shared_task
def fold_statistics() -> int:
    """Bring the term statistics up to date; sent by beat every few seconds."""
    return statistics.fold()


@shared_task
def index_embeddings() -> bool:
    """Build the active space's HNSW index once there are enough vectors; cheap when there is nothing to do."""
    return reembed.index_if_large(spaces.active_space())


@shared_task
def forget_old_traces() -> int:
    """Delete the traces of answers that have been kept for `KB_TRACE_DAYS`."""
    return traces.forget_old()
