"""Tell workers that a job waits. A hint may be lost or doubled: the sweeper repeats it, and the row decides."""

import redis
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from ingest.job_states import CLASSIFYING, QUEUED
from ingest.models import Job
from kb_project.clients.redis_client import quick_client
from kb_project.hints import AWAY_S, send_hint

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


def queue_is_empty(*, decided: bool) -> bool:
    """Whether the broker's queue of such hints is empty. False when it does not answer."""
    queue = current_app.conf.task_default_queue if decided else settings.KB_CLASSIFY_QUEUE
    separator = settings.CELERY_BROKER_TRANSPORT_OPTIONS["sep"]
    key = f"{queue}{separator}{settings.KB_PRIORITY_DOCUMENTS}"
    try:
        return not quick_client(settings.CELERY_BROKER_URL, timeout_s=AWAY_S).llen(key)
    except redis.RedisError:
        return False


def free_classifier_slots() -> int:
    """How many more jobs may be classified now. Two callers at the same instant may both see the last place."""
    held = Job.objects.in_state(CLASSIFYING).exclude(claim="").count()
    return max(0, settings.KB_CLASSIFY_CONCURRENCY - held)


def postpone(job: Job) -> None:
    """Let the job wait for a free place, and hint at waiting jobs in case one has become free."""
    Job.objects.filter(pk=job.pk).update(hinted_at=None)
    transaction.on_commit(dispatch_waiting)


def dispatch_waiting() -> int:
    """Hint at the jobs that have waited longest, one for each free place. Returns their number."""
    with transaction.atomic():
        waiting = Job.objects.in_state(QUEUED, CLASSIFYING).filter(
            confirmed__isnull=True, claim="", hinted_at__isnull=True
        )
        called = list(waiting.select_for_update(skip_locked=True).order_by("created_at")[: free_classifier_slots()])
        Job.objects.filter(pk__in=[job.pk for job in called]).update(hinted_at=Now())
    for job in called:
        send(job)
    return len(called)
