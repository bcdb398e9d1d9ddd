"""Sweep: repeat lost hints, take over jobs of dead workers, and delete files that are still to be deleted."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from ingest.job_states import CLASSIFYING, EMBEDDING, QUEUED
from ingest.jobs import claims, dispatch
from ingest.models import Job
from sources.files import deletions

LOST_AFTER = timedelta(seconds=5)
AT_ONCE = 100  # most hints of one sweep: enough to keep every worker busy until the next


def sweep() -> int:
    """Hint at waiting and abandoned jobs, and repeat failed deletions. Returns the number of hints.

    A job that waits is only hinted at again. It never fails for waiting.
    """
    deletions.retry_failed()
    again = timedelta(seconds=settings.KB_HINT_AGAIN_AFTER_S)
    # A hint far in the future comes from a wrong clock.
    unheard = Q(hinted_at__isnull=True) | Q(hinted_at__lt=Now() - again) | Q(hinted_at__gt=Now() + again)
    for decided in (True, False):
        # An empty queue means that hints of waiting jobs were lost: the broker or a worker was killed.
        if dispatch.queue_is_empty(decided=decided):
            unheard |= Q(attempts=0, hinted_at__lt=Now() - LOST_AFTER, confirmed__isnull=not decided)
    under_way = Job.objects.in_state(QUEUED, CLASSIFYING, EMBEDDING).order_by("created_at")
    waiting = under_way.filter(unheard, claim="")
    if not dispatch.free_classifier_slots():  # no place is free for jobs to be classified
        waiting = waiting.exclude(confirmed__isnull=True)
    abandoned = [job for job in under_way.exclude(claim="") if claims.worker_is_dead(job)]
    jobs = [*abandoned, *waiting[:AT_ONCE]]
    Job.objects.filter(pk__in=[job.pk for job in jobs]).update(hinted_at=Now())
    return sum(dispatch.send(job) for job in jobs)
