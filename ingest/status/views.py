"""`/status/`: the state of the installation, and retrying failed jobs."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import redis
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.storage import default_storage
from django.db import connection
from django.db.models import Count, Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingest.discard import DISCARDED
from ingest.jobs.retry import retry
from ingest.jobs.states import Status
from ingest.library.remove import SOURCE_DELETED
from ingest.models import Job, JobEvent
from ingest.review import bulk
from ingest.review.batch_views import warn_of_skipped
from ingest.review.failures import sentence_of
from ingest.status.queue_state import StateCount, queue_state
from kb_project.integrity.run import latest
from kb_project.models import IntegrityRun
from kb_project.processes.workers import live_workers
from kb_project.screens.access import staff_may
from search.metrics import traces_since, with_provider_error

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
class Sizes:
    """Bytes; `free` of the disk that the files lie on, None where they are not on this machine."""

    files: int
    files_bytes: int
    database_bytes: int
    free_bytes: int | None


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    queue: Sequence[StateCount]
    workers: Sequence[str] | None  # None when the broker does not answer
    integrity: IntegrityRun | None
    failed: Sequence[FailureCount]
    provider_failures: Sequence[ProviderFailure]
    sizes: Sizes
    at: datetime = field(default_factory=timezone.now)


def status_of_all() -> ServiceStatus:
    return ServiceStatus(
        queue=queue_state(),
        workers=_workers(),
        integrity=latest(),
        failed=_failed(),
        provider_failures=_provider_failures(),
        sizes=_sizes(),
    )


def failed_with(code: str) -> QuerySet[Job]:
    """The jobs that failed with the code and can be tried again, oldest first."""
    jobs = Job.objects.filter(status=Status.FAILED, error_code=code).exclude(error_code__in=BY_A_PERSON)
    return jobs.order_by("finished_at", "pk")


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


def _sizes() -> Sizes:
    with connection.cursor() as cursor:
        cursor.execute(STORED)
        files, files_bytes = cursor.fetchone()
        cursor.execute("SELECT pg_database_size(current_database())")
        database_bytes = cursor.fetchone()[0]
    return Sizes(files=files, files_bytes=files_bytes, database_bytes=database_bytes, free_bytes=_free_bytes())


def _free_bytes() -> int | None:
    try:
        return shutil.disk_usage(default_storage.path("")).free
    except (NotImplementedError, OSError):  # the files are on S3, or no file was stored yet
        return None


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
