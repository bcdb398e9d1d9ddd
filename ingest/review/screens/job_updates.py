"""What the open page of a job asks for: how the job stands, its hold, and another proposal."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import HttpResponseClientRefresh

from ingest.decide.retry import classify_again
from ingest.models import Hold, Job
from ingest.review import review_locks
from ingest.review.job_page import UNDECIDED
from ingest.review.listing import BatchFilter
from ingest.review.phases import ReviewPhase
from ingest.review.screens.job import find_job, open_screen
from ingest.review.validity_preview import foresee
from kb_project.errors import ApiError
from kb_project.screens.access import StaffRequest, staff_may

MAX_PAGE_ID_LENGTH = Hold._meta.get_field("page").max_length
DECIDED = (ReviewPhase.EMBEDDING, ReviewPhase.DONE, ReviewPhase.DISCARDED)
"""The phases to which a person brings an undecided job."""


@staff_may(GET="ingest.view_job", POST="ingest.change_job")
def state(request: StaffRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    """How the job stands, which renews its hold."""
    return _state(request, find_job(batch_id, job_id))


@staff_may(POST="ingest.change_job")
def hold(request: StaffRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    """Take the job over from whoever has it open. With `leave`, give it back."""
    found = find_job(batch_id, job_id)
    if request.POST.get("leave"):
        review_locks.release(found.pk, by=request.user.get_username(), page=_page_id(request))
        return HttpResponse(status=204)
    if request.htmx:
        return _state(request, found, over=True)
    review_locks.acquire(found.pk, by=request.user.get_username(), over=True)
    return redirect(BatchFilter.of(request.GET).to("review-job", batch_id, job_id))


@staff_may(POST="ingest.change_job")
def classify(request: StaffRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    """Have the job classified again. What is typed in its open page stays."""
    refused = ""
    try:
        classify_again(find_job(batch_id, job_id).pk, by=request.user.get_username())
    except ApiError as refusal:
        refused = refusal.detail
    if request.htmx:
        return _state(request, find_job(batch_id, job_id), not_asked=refused)
    if refused:
        messages.error(request, refused)
    return redirect(BatchFilter.of(request.GET).to("review-job", batch_id, job_id))


@staff_may(GET="ingest.view_job")
def days(request: StaffRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    """What becomes of the other versions of a work, as the form stands that is sent along."""
    return render(request, "review/_foreseen.html", {"foreseen": foresee(find_job(batch_id, job_id), request.GET)})


def _state(request: StaffRequest, job: Job, *, over: bool = False, not_asked: str = "") -> HttpResponse:
    """The state, with the parts of the page that differ from the situation that it showed, `was`.

    The form is never replaced: what is typed in it stays, also when somebody else has decided.
    """
    was = (request.POST or request.GET).get("was", "")
    was_undecided = was.partition(" ")[0] in UNDECIDED
    page_id = _page_id(request)
    screen = open_screen(request, job, page=page_id, over=over)
    overtaken = was_undecided and screen.phase in DECIDED
    if not screen.undecided and screen.phase != was and not overtaken:
        return HttpResponseClientRefresh()
    context = {
        "screen": screen,
        "job": job,
        "page_id": page_id,
        "addresses": screen.addresses,
        "changed": screen.situation != was,
        "fill": screen.awaits and not was.startswith(ReviewPhase.AWAITING_REVIEW),
        "overtaken": overtaken,
        "not_asked": not_asked,
    }
    return render(request, "review/_job_state.html", context)


def _page_id(request: StaffRequest) -> str:
    return (request.POST or request.GET).get("page", "")[:MAX_PAGE_ID_LENGTH]
