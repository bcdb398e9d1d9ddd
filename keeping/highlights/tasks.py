"""Background work of highlights."""

from celery import shared_task

from keeping.highlights import editing


@shared_task
def forget_lost_highlights() -> int:
    """Delete what was marked in works that are gone for good. Returns how many."""
    return editing.forget_lost()
