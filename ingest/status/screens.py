"""`/status/`: the state of the installation, what needs a person, failed jobs. `/metrics`: the same for Prometheus."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from ingest.decide.retry import retry
from ingest.review import bulk
from ingest.review.screens.batch import warn_of_skipped
from ingest.status.failures import Cause, FailedJob, failed_jobs
from ingest.status.overview import status_of_all
from kb_project import errors
from kb_project.api.strict import forbid_query
from kb_project.observability.metrics import exposition
from kb_project.screens.access import staff_may
from topics.integrity import may_read_counts
from topics.scoping import within_topics

RETRIED_AT_ONCE = 200
JOBS_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is not well, what to do about it, and the section of the page that tells more."""

    sentence: str
    remedy: str
    section: str


def troubles(status: Mapping[str, Any], *, webhooks: bool) -> list[Trouble]:
    """What is not well in what `status_of_all` returned, the worst first. Of `webhooks` only who may see them hears."""
    return [*_of_workers(status), *(_of_webhooks(status["webhooks"]) if webhooks else ()), *_of_work(status)]


def summary(wrong: list[Trouble]) -> str:
    """The one sentence."""
    if not wrong:
        return _("Everything works.")
    said = ngettext("%(n)d thing needs you.", "%(n)d things need you.", len(wrong)) % {"n": len(wrong)}
    return f"{said} {_('Everything else works.')}"


def _of_workers(status: Mapping[str, Any]) -> Iterator[Trouble]:
    workers = status["workers"]
    if workers is None:
        yield Trouble(
            _("The broker does not answer."),
            _("Workers get no work until it does. See that its server runs."),
            "workers-title",
        )
    elif not workers:
        yield Trouble(_("No worker is alive."), _("Jobs wait until you start one."), "workers-title")
    else:
        for does in status["unserved"]:
            yield Trouble(
                _("No worker is alive for: %s.") % does, _("Such work waits until you start one."), "workers-title"
            )


def _of_webhooks(webhooks: Mapping[str, int]) -> Iterator[Trouble]:
    if webhooks["unserved"]:
        yield Trouble(
            _("Nobody sends what is due to webhooks."),
            _("See that the worker for classification and webhooks runs."),
            "webhooks-title",
        )
    if given_up := webhooks["given_up"]:
        sentence = ngettext(
            "%(n)d message to webhooks was given up.", "%(n)d messages to webhooks were given up.", given_up
        )
        yield Trouble(sentence % {"n": given_up}, _("The list of each webhook says why."), "webhooks-title")


def _of_work(status: Mapping[str, Any]) -> Iterator[Trouble]:
    if failed := status["failed_count"]:
        sentence = ngettext("%(n)d job failed.", "%(n)d jobs failed.", failed) % {"n": failed}
        yield Trouble(sentence, _("Read why, then retry or upload another copy."), "failed-title")
    if status["provider_failures"]:
        yield Trouble(
            _("A provider failed during the last day."),
            _("Read what it said. Its work goes to the next in its chain, if there is one."),
            "provider-title",
        )
    run = status["integrity"]
    if run and (run.findings or run.failed):
        yield Trouble(
            _("The integrity checks found faults or broke off."),
            _("Read which. Some are mended by `manage.py check_integrity --repair`."),
            "integrity-title",
        )


class RetryForm(forms.Form):
    code = forms.CharField(max_length=40)
    said = forms.CharField(required=False, strip=False)

    @property
    def cause(self) -> Cause:
        """As it is stored: a form sends line breaks as two characters."""
        return Cause(self.cleaned_data["code"], self.cleaned_data["said"].replace("\r\n", "\n"))


@staff_may(GET="kb_project.view_integrityrun")
def status(request: HttpRequest) -> HttpResponse:
    _require_jobs(request)
    found = status_of_all()
    wrong = troubles(found, webhooks=request.user.has_perm("webhooks.view_webhook"))
    context = {"section": "status", "status": found, "troubles": wrong, "summary": summary(wrong)}
    return render(request, "kb_project/status.html", context)


@staff_may(GET="kb_project.view_integrityrun")
def failed(request: HttpRequest) -> HttpResponse:
    """The failed jobs, the newest first: all, or those of the cause that the address names."""
    _require_jobs(request)
    code, said = (request.GET.get(name, "").replace("\0", "") for name in ("code", "said"))
    cause = Cause(code, said)
    page = Paginator(failed_jobs(cause).order_by("-finished_at", "pk").select_related("topic"), JOBS_A_PAGE)
    shown = page.get_page(request.GET.get("page"))
    rows = [FailedJob(job, Cause(job.error_code, job.error_message)) for job in shown]
    context = {"section": "status", "page": shown, "rows": rows, "cause": cause}
    return render(request, "kb_project/failed_jobs.html", context)


def _require_jobs(request: HttpRequest) -> None:
    if not request.user.has_perm("ingest.view_job"):
        raise PermissionDenied(_("Your account may not do this. Ask a manager for the right role."))


@staff_may(POST="ingest.change_job")
def retry_failed(request: HttpRequest) -> HttpResponse:
    """Retry the jobs that failed for one cause where the caller may, oldest first, at most `RETRIED_AT_ONCE`."""
    back = "status" if request.user.has_perm("kb_project.view_integrityrun") else "review-batches"
    form = RetryForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("That could not be understood; nothing was changed."))
        return redirect(back)
    theirs = within_topics(failed_jobs(form.cause), request)
    oldest = theirs.order_by("finished_at", "pk")[:RETRIED_AT_ONCE]
    outcome = bulk.for_each(oldest, lambda job_id: retry(job_id, by=request.user.get_username()))
    if outcome.done:
        messages.success(
            request, ngettext("%d job: to be tried again.", "%d jobs: to be tried again.", outcome.done) % outcome.done
        )
    warn_of_skipped(request, outcome)
    if not outcome.done and not outcome.skipped:
        messages.info(request, _("There was nothing left to try again."))
    return redirect(back)


class MayReadMetrics(BasePermission):
    """403 for everyone else: they tell of every topic, so who is limited to some may not read them."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if may_read_counts(request):
            return True
        raise errors.PermissionDenied(
            "Metrics are for admin keys, for staff who may see jobs, and for this machine itself."
        )


class Metrics(APIView):
    permission_classes = [MayReadMetrics]
    throttle_classes = []

    @extend_schema(exclude=True)  # its form is that of Prometheus
    def get(self, request: Request) -> HttpResponse:
        forbid_query(request)
        content, content_type = exposition(request.headers.get("Accept", ""))
        return HttpResponse(content, content_type=content_type, headers={"Cache-Control": "no-store"})
