"""Background work of search."""

from celery import shared_task

from search import references
from search.answers import traces
from search.index import engine


@shared_task
def maintain_index() -> int:
    """Bring what was published into the index's good shape; sent by beat every few seconds."""
    return engine().maintain()


@shared_task
def maintain_index_thoroughly() -> int:
    """Free what withdrawn documents take, and complete what is incomplete; sent by beat every few minutes."""
    return engine().maintain(thorough=True)


@shared_task
def work_on_references() -> int:
    """Read and resolve the references of what was published, renamed or deleted; sent by beat every few seconds."""
    return references.work()


@shared_task
def forget_old_traces() -> int:
    """Delete the traces of answers that have been kept for `KB_TRACE_DAYS`."""
    return traces.forget_old()
