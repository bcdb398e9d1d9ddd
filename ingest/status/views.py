"""`/status/`: the state of the installation, and retrying failed jobs."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingest.jobs.retry import retry
from ingest.review import bulk
from ingest.review.batch_views import warn_of_skipped
from ingest.status.report import failed_with, status_of_all
from kb_project.screens.access import staff_may

RETRIED_AT_ONCE = 200


class RetryForm(forms.Form):
    code = forms.CharField(max_length=40)


@staff_may(GET="kb_project.view_integrityrun")
def status(request: HttpRequest) -> HttpResponse:
    if not request.user.has_perm("ingest.view_job"):
        raise PermissionDenied(_("Your account may not do this. Ask an administrator for the right role."))
    return render(request, "kb_project/status.html", {"section": "status", "status": status_of_all()})


@staff_may(POST="ingest.change_job")
def retry_failed(request: HttpRequest) -> HttpResponse:
    """Retry the jobs that failed with one code, oldest first, at most `RETRIED_AT_ONCE`."""
    form = RetryForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("That could not be understood; nothing was changed."))
        return redirect("status")
    jobs = failed_with(form.cleaned_data["code"])
    by = request.user.get_username()
    outcome = bulk.for_each(jobs[:RETRIED_AT_ONCE], lambda job_id: retry(job_id, by=by))
    if outcome.done:
        messages.success(
            request, ngettext("%d job: to be tried again.", "%d jobs: to be tried again.", outcome.done) % outcome.done
        )
    warn_of_skipped(request, outcome)
    if not outcome.done and not outcome.skipped:
        messages.info(request, _("There was nothing left to try again."))
    return redirect("status")
