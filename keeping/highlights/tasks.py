"""Background work of highlights."""

from kb_project.celery import app
from keeping.highlights import editing


@app.task
def forget_lost_highlights() -> int:
    """Delete what was marked in works that are gone for good. Returns how many."""
    return editing.forget_lost()
