"""Background work of search."""

from celery import shared_task

from search.index import engine


@shared_task
def maintain_index() -> int:
    """Bring what was published into the index's good shape. Sent by beat every few seconds."""
    return engine().maintain()


@shared_task
def maintain_index_thoroughly() -> int:
    """Free what withdrawn documents take, and complete what is incomplete. Sent by beat every few minutes."""
    return engine().maintain(thorough=True)
