"""Background work of webhooks."""

from django.conf import settings

from ingest.webhooks import delivering, outbox
from kb_project.celery import app


@app.task(name=settings.KB_WEBHOOK_TASK)
def deliver() -> int:
    """Send what is due. Only classifiers consume this task's queue."""
    return delivering.deliver()


@app.task(expires=60)
def look() -> bool:
    """Hint again where something is due. Sent by beat every few seconds, to any worker.

    So where nobody is told of anything, no hints gather for classifiers that need not run.
    """
    if is_due := delivering.due().exists():
        outbox.hint()
    return is_due


@app.task(expires=3600)
def tidy() -> int:
    """Forget old deliveries. Sent by beat every hour."""
    return delivering.tidy()
