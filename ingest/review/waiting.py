"""How many files wait for review, for the menu of those who review."""

from functools import cache, partial
from typing import Any

from django.http import HttpRequest

from ingest.models import Job
from ingest.review.phases import CONDITIONS, ReviewPhase
from topics.scoping import limits

MAX_COUNTED = 99


def waiting_for_review(request: HttpRequest) -> dict[str, Any]:
    """A context processor. The template asks the database where it shows the number: to whoever may review."""
    return {"waiting_for_review": cache(partial(_counted, request))}


def _counted(request: HttpRequest) -> str:
    """`99+` where it is more, empty where it is none. However many wait, no more rows are read than that."""
    jobs, within = Job.objects.filter(batch_id__isnull=False), limits(request, right="ingest.view_job")
    seen = jobs if within is None else jobs.filter(topic_id__in=within)
    waiting = seen.filter(CONDITIONS[ReviewPhase.AWAITING_REVIEW])[: MAX_COUNTED + 1].count()
    return f"{MAX_COUNTED}+" if waiting > MAX_COUNTED else str(waiting or "")
