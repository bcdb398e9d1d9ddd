"""How many files wait for review, for the menu of the staff's screens."""

from typing import Any

from django.http import HttpRequest

from ingest.models import Job
from ingest.review.phases import CONDITIONS, ReviewPhase

MOST_COUNTED = 99


def waiting_for_review(request: HttpRequest) -> dict[str, Any]:
    """A context processor: nothing on public pages. The template asks the database, where it shows the number."""
    return {"waiting_for_review": _counted} if getattr(request, "is_staff_screen", False) else {}


def _counted() -> str:
    """`99+` where it is more, empty where it is none. However many wait, no more rows are read than that."""
    waiting = Job.objects.filter(CONDITIONS[ReviewPhase.AWAITING_REVIEW], batch_id__isnull=False)[
        : MOST_COUNTED + 1
    ].count()
    return f"{MOST_COUNTED}+" if waiting > MOST_COUNTED else str(waiting or "")
