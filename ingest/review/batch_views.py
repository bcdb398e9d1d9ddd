"""`/review/`, `/review/upload/` and `/review/{batch}/`: the batches, a new one, and the jobs of one."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Min, Q, QuerySet
from django.db.models.functions import Sign
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_htmx.http import trigger_client_event

from ingest.commit import discard
from ingest.forms import ActionForm
from ingest.intake.batches import UNCONFIRMED_KIND, take_in
from ingest.jobs.retry import retry
from ingest.models import Job, JobEvent
from ingest.review import bulk
from ingest.review.batch_table import changed_since, jobs_of, table
from ingest.review.phases import COUNTS, Phase, Progress
from ingest.review.warnings import WarningCode, sentence_of, translated_codes
from kb_project.errors import Refusal
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import ask, leave
from kb_project.screens.messages import about
from kb_project.web.request_body import takes_files
from sources.extraction import isolation
from sources.kinds import Kind
from topics.models import INITIAL_TOPIC_ID, Topic

BATCHES_A_PAGE = 50
SKIPPED_SHOWN = 5


@staff_may(GET="ingest.view_job")
def batches(request: StaffRequest) -> HttpResponse:
    """All batches, those that need a person first."""
    page = Paginator(ordered_batches(), BATCHES_A_PAGE).get_page(request.GET.get("page"))
    rows = batch_rows(page.object_list)
    context = {"section": "batches", "page": page, "rows": rows, "moving": any(row.progress.moving for row in rows)}
    return render(request, "review/_batches.html" if request.htmx else "review/batches.html", context)


@staff_may(GET="ingest.view_job")
def batch(request: StaffRequest, batch_id: UUID) -> HttpResponse:
    """The jobs of one batch. With `since`, only the rows that moved after that event."""
    job = jobs_of(batch_id).select_related("topic").first()
    if job is None:
        raise Http404
    since = request.GET.get("since", "")
    if request.htmx and since.isdecimal():
        changes, arrived = changed_since(batch_id, min(int(since), 2**62))
        response = render(request, "review/_batch_changes.html", {"batch_id": batch_id, "table": changes})
        return trigger_client_event(response, "kb:arrived") if arrived else response
    isolation.warm_up()  # the first pages of its files are asked for next
    phase, warning = request.GET.get("status", ""), request.GET.get("warning", "")
    shown = table(batch_id, phase=phase, warning=warning)
    context = {
        "section": "batches",
        "batch_id": batch_id,
        "topic": job.topic,
        "created_at": job.created_at,
        "table": shown,
        "statuses": [(part.phase.value, part.phase.label, part.count) for part in shown.progress.parts],
        "warnings": [(code, WarningCode(code).label, count) for code, count in shown.found_warnings.items()],
        "status": phase,
        "warning": warning,
        "kinds": Kind.choices,
    }
    return render(request, "review/batch.html", context)


@staff_may(POST="ingest.change_job")
def act(request: StaffRequest, batch_id: UUID) -> HttpResponse:
    """Act on the selected jobs. Confirming and discarding ask first."""
    back = redirect("review-batch", batch_id=batch_id)
    form = ActionForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("That could not be understood; nothing was changed."))
        return back
    given = form.cleaned_data
    jobs = list(jobs_of(batch_id).filter(pk__in=given["jobs"]))
    if not jobs:
        messages.warning(request, _("No files were selected."))
        return leave(request, reverse("review-batch", args=[batch_id]))
    by, action = request.user.get_username(), given["action"]
    if action in ("confirm", "discard") and not given["sure"]:
        return _ask(request, batch_id, action, jobs)
    if action == "confirm":
        outcome = bulk.confirm_unchanged(jobs, also_labels=given["new_labels"], by=by)
    elif action == "discard":
        outcome = bulk.for_each(jobs, lambda job_id: discard(job_id, by=by))
    elif action == "retry":
        outcome = bulk.for_each(jobs, lambda job_id: retry(job_id, by=by))
    elif action == "kind" and given["kind"]:
        outcome = bulk.set_kind(jobs, given["kind"], by=by)
    elif action == "label" and given["label"].strip():
        outcome = bulk.add_label(jobs, given["label"].strip(), by=by)
    else:
        messages.warning(request, _("Choose a kind or a label first."))
        return back
    _tell(request, outcome)
    return back


def _ask(request: StaffRequest, batch_id: UUID, action: str, jobs: list[Job]) -> HttpResponse:
    context = {"batch_id": batch_id, "action": action, "jobs": jobs}
    if action == "confirm":
        return ask(request, "review/_confirm_many.html", context | {"summary": bulk.summarise(jobs)})
    return ask(request, "review/_discard_many.html", context)


def _tell(request: StaffRequest, outcome: bulk.BulkResult) -> None:
    if outcome.done:
        messages.success(request, ngettext("%d file: done.", "%d files: done.", outcome.done) % outcome.done)
    warn_of_skipped(request, outcome)


def warn_of_skipped(request: HttpRequest, outcome: bulk.BulkResult) -> None:
    """A message for each of the first skipped jobs, and one with the number of the others."""
    for job in outcome.skipped[:SKIPPED_SHOWN]:
        messages.warning(request, about(job.filename, job.why))
    more = len(outcome.skipped) - SKIPPED_SHOWN
    if more > 0:
        messages.warning(request, ngettext("… and %d more was left out.", "… and %d more were left out.", more) % more)


@staff_may(GET="ingest.view_job")
def start(request: StaffRequest, batch_id: UUID) -> HttpResponse:
    """Redirect to the first job that awaits review."""
    first = jobs_of(batch_id).filter(status=Phase.AWAITING_REVIEW).values_list("pk", flat=True).first()
    if first is None:
        messages.info(request, _("No file of this batch awaits review."))
        return redirect("review-batch", batch_id=batch_id)
    return redirect("review-job", batch_id=batch_id, job_id=first)


@dataclass(frozen=True, slots=True)
class BatchRow:
    batch_id: UUID
    topic: str
    created_at: dt.datetime
    by: str
    progress: Progress


def ordered_batches() -> QuerySet[Job, Any]:
    """One row of values for each batch: those with jobs to review, then those with failures, the newest first."""
    return (
        Job.objects.filter(batch_id__isnull=False)
        .order_by()
        .values("batch_id")
        .annotate(first_at=Min("created_at"), topic_of_all=Min("topic_id"), **COUNTS)
        .order_by(Sign("awaiting_review").desc(), Sign("failed").desc(), "-first_at", "batch_id")
    )


def batch_rows(values: Iterable[dict[str, Any]]) -> list[BatchRow]:
    """The rows of one page of `ordered_batches`, with topics and uploaders."""
    found = list(values)
    topics = dict(Topic.objects.values_list("pk", "name"))
    uploaders = _uploaders([row["batch_id"] for row in found])
    return [
        BatchRow(
            batch_id=row["batch_id"],
            topic=topics.get(row["topic_of_all"], ""),
            created_at=row["first_at"],
            by=", ".join(uploaders[row["batch_id"]]),
            progress=Progress.of(row),
        )
        for row in found
    ]


def _uploaders(batch_ids: list[UUID]) -> dict[UUID, list[str]]:
    """Who put files into each batch."""
    names: dict[UUID, list[str]] = defaultdict(list)
    arrivals = JobEvent.objects.filter(Q(job__batch_id__in=batch_ids), from_state="").order_by("by")
    for batch_id, by in arrivals.values_list("job__batch_id", "by").distinct():
        if batch_id:
            names[batch_id].append(by)
    return names


class UploadForm(forms.Form):
    topic_id = forms.ModelChoiceField(queryset=Topic.objects.all())
    kind = forms.ChoiceField(choices=Kind.choices, initial=UNCONFIRMED_KIND)


@takes_files("KB_MAX_BATCH_MB")
@staff_may(GET="ingest.add_job", POST="ingest.add_job")
def upload(request: HttpRequest) -> HttpResponse:
    """The page; without JavaScript its form comes back here with all files in one request."""
    if request.method == "POST":
        form = UploadForm(request.POST)
        if form.is_valid() and (batch_id := _take_in(request, form)):
            return redirect("review-batch", batch_id=batch_id)
    topic = request.GET.get("topic", "")
    context: dict[str, Any] = {
        "section": "upload",
        "refusals": translated_codes(),
        "topics": Topic.objects.all(),
        "topic_id": (int(topic) if topic.isdecimal() else 0) or INITIAL_TOPIC_ID,
        "batch": _batch(request.GET.get("batch", "")),
        "kinds": Kind.choices,
        "kind": UNCONFIRMED_KIND,
    }
    return render(request, "review/upload.html", context)


def _batch(text: str) -> UUID | None:
    """The batch to add to, if there is one of that id."""
    try:
        batch_id = UUID(text)
    except ValueError:
        return None
    return batch_id if Job.objects.filter(batch_id=batch_id).exists() else None


def _take_in(request: HttpRequest, form: UploadForm) -> UUID | None:
    files = [(file.name or "", file.chunks()) for file in request.FILES.getlist("files")]
    if not files:
        messages.warning(request, _("Choose some files first."))
        return None
    topic, kind = form.cleaned_data["topic_id"], form.cleaned_data["kind"]
    try:
        taken = take_in(files, topic=topic, by=request.user.get_username(), kind=kind)
    except Refusal as refusal:
        for rejected in refusal.extra.get("rejected", ()):
            messages.error(request, about(rejected["filename"], sentence_of(rejected["code"], rejected["detail"])))
        return None
    for refused in taken.rejected:
        messages.error(request, about(refused.filename, sentence_of(refused.code, refused.detail)))
    count = len(taken.jobs)
    messages.success(request, ngettext("%d file was taken in.", "%d files were taken in.", count) % count)
    return taken.batch_id
