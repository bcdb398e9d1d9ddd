"""`/review/{batch}/{job}/`: one job beside its document, decided by a person."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from ingest.commit import commit
from ingest.discard import discard
from ingest.forms import DecisionForm
from ingest.jobs.retry import retry
from ingest.jobs.transitions import WrongState
from ingest.models import Job
from ingest.review.job_screen import JobScreen
from kb_project.errors import Refusal
from kb_project.screens.access import staff_may
from kb_project.screens.messages import telling


@staff_may(GET="ingest.view_job", POST="ingest.change_job")
def job(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    found = find_job(batch_id, job_id)
    if request.method != "POST":
        return _page(request, JobScreen(found))
    verb = request.POST.get("do", "confirm")
    if verb == "discard" and not request.POST.get("sure"):
        return render(request, "ask.html", {"piece": "review/_discard_one.html", "job": found})
    form = DecisionForm(request.POST)
    try:
        if verb == "discard":
            discard(found.pk, by=request.user.get_username())
            messages.success(request, telling(_("Discarded: %(name)s"), name=found.filename))
        elif verb == "retry":
            retry(found.pk, by=request.user.get_username())
            messages.success(request, telling(_("To be tried again: %(name)s"), name=found.filename))
            return redirect(request.path)
        else:
            if not form.is_valid():
                return _page(request, JobScreen(found, form=form), status=400)
            decision, allow_duplicate = form.decision, form.cleaned_data["allow_duplicate"]
            commit(found.pk, decision, by=request.user.get_username(), allow_duplicate=allow_duplicate)
            messages.success(request, telling(_("Confirmed: %(name)s"), name=decision.title))
    except WrongState as refusal:
        # Someone else was first: show the stored decision beside what was typed.
        screen = JobScreen(find_job(batch_id, job_id), form=form if verb == "confirm" else None)
        return _page(request, screen, status=refusal.status, overtaken=True)
    except Refusal as refusal:
        if verb == "confirm":
            form.add_refusal(refusal)
        screen = JobScreen(find_job(batch_id, job_id), form=form if verb == "confirm" else None)
        return _page(request, screen, status=refusal.status, refused=refusal.detail)
    return redirect(JobScreen(found).addresses["skip"] or reverse("review-batch", args=[batch_id]))


@staff_may(GET="ingest.view_job")
def state(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    """The job's state for the open page, with the form's fields once it awaits review."""
    screen = JobScreen(find_job(batch_id, job_id))
    was = request.GET.get("was", "")
    context: dict[str, Any] = {"screen": screen, "job": screen.job, "fill": screen.awaits and was != screen.phase}
    if screen.phase != was and not screen.undecided:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "review/_job_state.html", context)


@staff_may(GET="ingest.view_job")
def anywhere(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Redirect to the job's screen from its id alone."""
    found = Job.objects.filter(pk=job_id).first()
    if found is None:
        raise Http404
    if found.batch_id is None:
        return redirect("admin:ingest_job_change", found.pk)
    return redirect("review-job", batch_id=found.batch_id, job_id=found.pk)


def find_job(batch_id: UUID, job_id: UUID) -> Job:
    """The job, if it is one of that batch; 404 otherwise."""
    found = Job.objects.select_related("topic", "source").filter(pk=job_id, batch_id=batch_id).first()
    if found is None:
        raise Http404
    return found


def _page(request: HttpRequest, screen: JobScreen, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "section": "batches",
        "screen": screen,
        "job": screen.job,
        "place": screen.place,
        "addresses": screen.addresses,
        **more,
    }
    return render(request, "review/job.html", context, status=status)
