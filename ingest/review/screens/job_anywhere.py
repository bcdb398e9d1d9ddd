"""`/review/jobs/{job}/`: a job by its id alone, on its batch's screen or on one of its own."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest.decide.discard import discard, is_discarded
from ingest.decide.retry import retry
from ingest.job_states import FAILED
from ingest.jobs.claims import WORKER
from ingest.models import Job, JobEvent
from ingest.review.phases import ReviewPhase, phase_of
from ingest.review.undo import tell, undoable
from ingest.review.warnings import OF_THE_FILE, SENTENCES, details_of, sentence_of, why_failed
from kb_project.errors import ApiError
from kb_project.isolates import safe_message
from kb_project.screens.access import staff_may


@staff_may(GET="ingest.view_job", POST="ingest.change_job")
def anywhere(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """The job's screen. One without a batch, as a single upload or a reindex makes it, is not reviewed: it is shown
    with its moves, and a failed one can be tried again or discarded.
    """
    job = Job.objects.select_related("topic", "source").filter(pk=job_id).first()
    if job is None:
        raise Http404
    if job.batch_id:
        return redirect("review-job", batch_id=job.batch_id, job_id=job.pk)
    if request.method == "POST":
        _act(request, job)
        return redirect("review-job-anywhere", job_id=job.pk)
    context = {
        "section": "batches",
        "job": job,
        "phase": phase_of(job),
        "why_failed": why_failed(job),
        "moves": [_move(event) for event in job.events.order_by("id")],
        "may_be_retried": job.state == FAILED and bool(job.stored_key),
        "may_be_discarded": job.state == FAILED and bool(job.file_key) and not is_discarded(job),
        "fails_again": job.error_code in OF_THE_FILE,
        "undoes": undoable(request, within=request.path),
    }
    return render(request, "review/job_alone.html", context)


def _act(request: HttpRequest, job: Job) -> None:
    by = request.user.get_username()
    try:
        if request.POST.get("do") == "discard":
            discard(job.pk, by=by, keeps_file=True)
            tell(request, "discard", [job.pk], name=job.filename, to=request.path)
        else:
            retry(job.pk, by=by)
            messages.success(request, safe_message(_("To be tried again: %(name)s"), name=job.filename))
    except ApiError as refusal:
        messages.error(request, refusal.detail)


MOVES = {
    "accepted": gettext_lazy("came in"),
    "retry": gettext_lazy("to be tried again"),
    "classify again": gettext_lazy("to be classified again"),
    "confirmed anew": gettext_lazy("confirmed again"),
    "reopened": gettext_lazy("opened again"),
    "undone": gettext_lazy("the confirmation was undone"),
    "discarded": gettext_lazy("discarded"),
    "taken back": gettext_lazy("the discarding was undone"),
    "put back": gettext_lazy("put back from the trash"),
}
"""What the moves say that the service notes in English, whoever reads it."""


@dataclass(frozen=True, slots=True)
class _Move:
    """`why` is in the reader's language. `said` is what was stored, in English, where that says more or all of it."""

    at: datetime
    state: str
    by: str
    why: str
    said: str


def _move(event: JobEvent) -> _Move:
    state = ReviewPhase(event.to_state.rpartition("/")[2]).label
    by = _("the service") if event.by == WORKER else event.by
    if event.why in MOVES:
        return _Move(event.at, str(state), by, str(MOVES[event.why]), "")
    code, _colon, said = event.why.partition(": ")
    if code not in SENTENCES:
        return _Move(event.at, str(state), by, "", event.why)
    return _Move(event.at, str(state), by, sentence_of(code, said), details_of(code, said))
