"""Background work of webhooks."""

from django.conf import settings

from ingest.webhooks import delivering
from kb_project.celery import app
from kb_project.database.work_queue import look_for


@app.task(name=settings.KB_WEBHOOK_TASK)
def deliver() -> int:
    """Send what is due. Only classifiers consume this task's queue."""
    return delivering.Deliveries.send()


@app.task(expires=3600)
def tidy() -> int:
    """Forget old deliveries. Sent by beat every hour."""
    return delivering.tidy()


look_for(settings.KB_WEBHOOK_TASK, lambda: delivering.due().exists())
