"""Telling a worker that a job waits. A hint may be lost or doubled: the row is the truth, the sweeper repeats it."""

from __future__ import annotations

import logging
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from ingest.models import Job

log = logging.getLogger(__name__)

TASK = "ingest.tasks.work"


def send_on_commit(job: Job) -> None:
    """Send the hint after the surrounding transaction; a broker that is away is the sweeper's affair."""
    Job.objects.filter(pk=job.pk).update(hinted_at=timezone.now())
    transaction.on_commit(lambda: send(job.pk))


def send(job_id: UUID) -> bool:
    try:
        current_app.send_task(TASK, args=[str(job_id)])
    except OperationalError:
        log.warning("The broker is away; the sweeper will hint at job %s again", job_id)
        return False
    return True
