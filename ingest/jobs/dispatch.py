"""Tell workers that a job waits. A hint may be lost or doubled: the sweeper repeats it, and the row decides."""

import redis
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from ingest.models import Job
from kb_project.clients.broker import AWAY_S, send_hint
from kb_project.clients.redis_client import quick_client

TASK = "ingest.tasks.work"  # for jobs with a decision; for others it is KB_CLASSIFY_TASK


def send_on_commit(job: Job) -> None:
    """Send the hint after the surrounding transaction. If the broker is away, the sweeper sends it later."""
    Job.objects.filter(pk=job.pk).update(hinted_at=Now())
    transaction.on_commit(lambda: send(job))


def send(job: Job) -> bool:
    """Send the hint now, to classifiers or to other workers. If that fails, the sweeper sends it later."""
    task = settings.KB_CLASSIFY_TASK if job.confirmed is None else TASK
    if send_hint(task, str(job.pk), priority=settings.KB_PRIORITY_DOCUMENTS):
        return True
    Job.objects.filter(pk=job.pk).update(hinted_at=None)
    return False


def all_taken(*, decided: bool) -> bool:
    """Whether the broker's queue of such hints is empty. False when it does not answer."""
    queue = current_app.conf.task_default_queue if decided else settings.KB_CLASSIFY_QUEUE
    separator = settings.CELERY_BROKER_TRANSPORT_OPTIONS["sep"]
    key = f"{queue}{separator}{settings.KB_PRIORITY_DOCUMENTS}"
    try:
        return not quick_client(settings.CELERY_BROKER_URL, timeout_s=AWAY_S).llen(key)
    except redis.RedisError:
        return False
