"""`/status/`: the state of the installation, and retrying failed jobs. `/metrics`: the same for Prometheus."""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Any

import redis
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.storage import default_storage
from django.db import connection
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from ingest.commit import DISCARDED
from ingest.jobs.retry import retry
from ingest.jobs.states import Status
from ingest.library.edit import SOURCE_DELETED
from ingest.models import Job, JobEvent
from ingest.review import bulk
from ingest.review.batch_views import warn_of_skipped
from ingest.review.warnings import sentence_of
from ingest.status.metrics import queue_state
from kb_project import errors
from kb_project.api.strict import refuse_query
from kb_project.celery import live_workers
from kb_project.integrity.run import latest
from kb_project.llm.options import known_refusals
from kb_project.llm.roles import ROLES, Role, is_paid
from kb_project.observability.metrics import exposition
from kb_project.screens.access import staff_may
from search.metrics import traces_since, with_provider_error
from topics.scoping import pinned_topic_id

DAY = timedelta(days=1)
MOST_ERRORS = 20
BY_A_PERSON = (DISCARDED, SOURCE_DELETED)  # decisions of a person, which are not retried
STORED = """
SELECT count(*), coalesce(sum(size), 0)::bigint FROM (
    SELECT file_key, max(size) AS size FROM (
        SELECT file_key, size FROM kb_source UNION ALL SELECT file_key, size FROM kb_ingest_job
    ) AS named WHERE file_key <> '' GROUP BY file_key
) AS files
"""
RETRIED_AT_ONCE = 200
FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


@dataclass(frozen=True, slots=True)
class FailureCount:
    """The failed jobs of one error code; the sentence is in the reader's language."""

    code: str
    sentence: str
    count: int
    latest_at: datetime | None
    retryable: bool


@dataclass(frozen=True, slots=True)
class ProviderFailure:
    at: datetime
    what: str
    reason: str
    url: str


@dataclass(frozen=True, slots=True)
class ModelInUse:
    """`left_out` are the options that the model does not take; what works offline has no model."""

    provider: str
    model: str
    left_out: list[str]


@dataclass(frozen=True, slots=True)
class RoleInUse:
    """Who does a role's work, in the order in which they are tried."""

    name: str
    chain: list[ModelInUse]


def status_of_all() -> dict[str, Any]:
    """What the page shows. `workers` is None when the broker does not answer."""
    return {
        "queue": queue_state(),
        "workers": _workers(),
        "integrity": latest(),
        "failed": _failed(),
        "provider_failures": _provider_failures(),
        "models": _models(),
        "sizes": _sizes(),
        "at": timezone.now(),
    }


def _workers() -> list[str] | None:
    try:
        return sorted(live_workers())
    except redis.RedisError:
        return None


def _failed() -> list[FailureCount]:
    rows = (
        Job.objects.filter(status=Status.FAILED)
        .order_by()
        .values_list("error_code")
        .annotate(Count("pk"), Max("finished_at"), Max("error_message"))
    )
    found = [
        FailureCount(code, sentence_of(code, sentence), count, at, retryable=code not in BY_A_PERSON)
        for code, count, at, sentence in rows
    ]
    return sorted(found, key=lambda row: (not row.retryable, -row.count, row.code))


def _provider_failures() -> list[ProviderFailure]:
    """Of the last day, newest first: answers that failed, jobs that nobody could classify, jobs that failed for it."""
    found = [
        ProviderFailure(trace.at, "answer", trace.error, reverse("admin:search_answertrace_change", args=[trace.pk]))
        for trace in with_provider_error(traces_since(DAY)).order_by("-id")[:MOST_ERRORS]
    ]
    since = timezone.now() - DAY
    events = JobEvent.objects.filter(at__gte=since).order_by("-id")
    unproposed = events.filter(to_state=Status.AWAITING_REVIEW, job__ai_suggestions={})
    for what, moves in (
        ("classification", unproposed),
        ("job", events.filter(to_state=Status.FAILED, why__startswith="provider_error:")),
    ):
        found += [
            ProviderFailure(event.at, what, event.why, reverse("review-job-anywhere", args=[event.job_id]))
            for event in moves[:MOST_ERRORS]
        ]
    return sorted(found, key=lambda failure: failure.at, reverse=True)[:MOST_ERRORS]


def _models() -> list[RoleInUse]:
    refusals = known_refusals()

    def shown(role: Role, name: str) -> ModelInUse:
        if not is_paid(name):
            return ModelInUse(name, "", [])
        model = role.model(name).name
        return ModelInUse(name, model, refusals.get((name, model), []))

    return [RoleInUse(role.name, [shown(role, name) for name in role.chain]) for role in ROLES]


def _sizes() -> dict[str, int | None]:
    """Bytes; those that are free are of the disk that the files lie on, None where they are not on this machine."""
    with connection.cursor() as cursor:
        cursor.execute(STORED)
        files, files_bytes = cursor.fetchone()
        cursor.execute("SELECT pg_database_size(current_database())")
        database_bytes = cursor.fetchone()[0]
    try:
        free_bytes = shutil.disk_usage(default_storage.path("")).free
    except (NotImplementedError, OSError):  # the files are on S3, or no file was stored yet
        free_bytes = None
    return {
        "files": files,
        "files_bytes": files_bytes,
        "database_bytes": database_bytes,
        "free_bytes": free_bytes,
    }


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
    jobs = Job.objects.filter(status=Status.FAILED, error_code=form.cleaned_data["code"])
    oldest = jobs.exclude(error_code__in=BY_A_PERSON).order_by("finished_at", "pk")[:RETRIED_AT_ONCE]
    outcome = bulk.for_each(oldest, lambda job_id: retry(job_id, by=request.user.get_username()))
    if outcome.done:
        messages.success(
            request, ngettext("%d job: to be tried again.", "%d jobs: to be tried again.", outcome.done) % outcome.done
        )
    warn_of_skipped(request, outcome)
    if not outcome.done and not outcome.skipped:
        messages.info(request, _("There was nothing left to try again."))
    return redirect("status")


class MayReadMetrics(BasePermission):
    """403 for everyone else: they tell of every topic, so a key that is pinned to one may not read them."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        user = request.user
        staff = user and user.is_authenticated and user.is_active and user.is_staff
        if staff and user.has_perm("ingest.view_job") and pinned_topic_id(request) is None:
            return True
        if not (user and user.is_authenticated) and _from_this_machine(request):
            return True
        raise errors.PermissionDenied(
            "Metrics are for admin keys, for staff who may see jobs, and for this machine itself."
        )


class Metrics(APIView):
    permission_classes = [MayReadMetrics]
    throttle_classes = []

    @extend_schema(exclude=True)  # its form is that of Prometheus
    def get(self, request: Request) -> HttpResponse:
        refuse_query(request)
        content, content_type = exposition(request.headers.get("Accept", ""))
        return HttpResponse(content, content_type=content_type, headers={"Cache-Control": "no-store"})


def _from_this_machine(request: Request) -> bool:
    """Whether a process of this machine asks for itself; a reverse proxy here would pass on what others ask."""
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
