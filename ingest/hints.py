"""Telling a worker that a job waits. A hint may be lost or doubled: the row is the truth, the sweeper repeats it."""

from __future__ import annotations

import logging
import time
from uuid import UUID

import redis
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from ingest.models import Job
from kb_project.redis_client import quick_client

log = logging.getLogger(__name__)

TASK = "ingest.tasks.work"
AWAY_S = 2.0  # how long a broker that did not answer is not asked again: a batch has hundreds of hints to send
_away_until = 0.0


def send_on_commit(job: Job) -> None:
    """Send the hint after the surrounding transaction; a broker that is away is the sweeper's affair."""
    Job.objects.filter(pk=job.pk).update(hinted_at=Now())
    transaction.on_commit(lambda: send(job.pk))


def send(job_id: UUID) -> bool:
    """Send the hint now; a job whose hint did not get out is the sweeper's next."""
    global _away_until
    if time.monotonic() < _away_until:
        return _unsent(job_id)
    try:
        current_app.send_task(TASK, args=[str(job_id)], priority=settings.KB_PRIORITY_DOCUMENTS)
    except OperationalError:
        log.warning("The broker is away; the sweeper will hint at job %s again", job_id)
        _away_until = time.monotonic() + AWAY_S
        return _unsent(job_id)
    return True


def all_taken() -> bool:
    """Whether the broker holds no hint at a document any more; False when it does not answer."""
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    queue = f"{current_app.conf.task_default_queue}{options['sep']}{settings.KB_PRIORITY_DOCUMENTS}"
    try:
        return not quick_client(settings.CELERY_BROKER_URL, timeout_s=AWAY_S).llen(queue)
    except redis.RedisError:
        return False


def _unsent(job_id: UUID) -> bool:
    Job.objects.filter(pk=job_id).update(hinted_at=None)
    return False
