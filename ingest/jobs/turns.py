"""Limit how many jobs are classified at a time, so that waiting jobs keep no thread busy.

The limit holds over all machines. `ingest.stages.classify.provider_slots` limits the calls to the provider.
"""

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from ingest.job_states import CLASSIFYING, QUEUED
from ingest.jobs import dispatch
from ingest.models import Job


def places() -> int:
    """How many more jobs may be classified now. Two callers at the same instant may both see the last place."""
    held = Job.objects.in_state(CLASSIFYING).exclude(claim="").count()
    return max(0, settings.KB_CLASSIFY_CONCURRENCY - held)


def turn_away(job: Job) -> None:
    """Let the job wait for a free place, and hint at waiting jobs in case one has become free."""
    Job.objects.filter(pk=job.pk).update(hinted_at=None)
    transaction.on_commit(call_next)


def call_next() -> int:
    """Hint at the jobs that have waited longest, one for each free place. Returns their number."""
    with transaction.atomic():
        waiting = Job.objects.in_state(QUEUED, CLASSIFYING).filter(
            confirmed__isnull=True, claim="", hinted_at__isnull=True
        )
        called = list(waiting.select_for_update(skip_locked=True).order_by("created_at")[: places()])
        Job.objects.filter(pk__in=[job.pk for job in called]).update(hinted_at=Now())
    for job in called:
        dispatch.send(job)
    return len(called)
