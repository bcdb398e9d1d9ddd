"""`/review/` and `/review/upload/`: the batches, and a new one."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Case, F, Min, Q, QuerySet, When
from django.db.models.functions import Sign
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from extraction.formats import NAMES
from ingest.intake.batches import MAX_BATCH_NAME_LENGTH, UNCONFIRMED_KIND, create_batch
from ingest.models import BatchName, Job, JobEvent
from ingest.review.forms import BatchNameForm
from ingest.review.phases import CONDITIONS, COUNTS, BatchProgress, ReviewPhase
from ingest.review.screens.batch import uuid_of
from ingest.review.warnings import sentence_of, translated_codes, why_failed
from kb_project.errors import ApiError
from kb_project.isolates import prefixed
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.web.request_body import takes_files
from sources.kinds import SourceKind
from topics.models import INITIAL_TOPIC_ID, Topic
from topics.scoping import topics_to_choose, visible_topics, within_topics

BATCHES_A_PAGE = 50
FAILURES_SHOWN = 5
ASKED_FOR = (ReviewPhase.AWAITING_REVIEW, ReviewPhase.FAILED, ReviewPhase.EMBEDDING, ReviewPhase.DONE)
"""Batches with jobs in one of these phases can be looked for."""


@staff_may(GET="ingest.view_job")
def batches(request: StaffRequest) -> HttpResponse:
    """The batches, those that need a person first. As the filter says, which has `q`, part of their name."""
    q = request.GET.get("q", "").replace("\0", "").strip()[:MAX_BATCH_NAME_LENGTH]
    topics = topics_to_choose(request)
    topic = next((one for one in topics if str(one.pk) == request.GET.get("topic")), None)
    state = next((phase for phase in ASKED_FOR if phase == request.GET.get("state")), None)
    every = within_topics(Job.objects.filter(batch_id__isnull=False), request)
    wanted = ordered_batches(q, topic=topic, state=state, jobs=every)
    page = Paginator(wanted, BATCHES_A_PAGE).get_page(request.GET.get("page"))
    rows = batch_rows(page.object_list)
    moving = any(row.progress.moving for row in rows)
    needed = every.aggregate(**COUNTS)
    failures = every.filter(CONDITIONS[ReviewPhase.FAILED]).order_by("-finished_at", "pk")
    context = {
        "section": "batches",
        "page": page,
        "rows": rows,
        "moving": moving,
        "q": q,
        "topics": [(one, one == topic) for one in topics],
        "states": [(phase.value, phase.label, phase == state) for phase in ASKED_FOR],
        "is_filtered": bool(q or topic or state),
        "awaiting": needed[ReviewPhase.AWAITING_REVIEW.value],
        "failed": needed[ReviewPhase.FAILED.value],
        "oldest": next((row for row in rows if row.progress.awaiting), None),
        "failures": [(job, why_failed(job)) for job in failures[:FAILURES_SHOWN]],
    }
    return render(request, "review/_batches.html" if request.htmx else "review/batches.html", context)


@dataclass(frozen=True, slots=True)
class BatchRow:
    batch_id: UUID
    name: str
    topic: str
    created_at: dt.datetime
    by: str
    progress: BatchProgress
    unclassified: int


def ordered_batches(
    q: str = "", *, topic: Topic | None = None, state: ReviewPhase | None = None, jobs: QuerySet[Job] | None = None
) -> QuerySet[Job, Any]:
    """One row of values for each batch: those with jobs to review, then those with failures, the oldest first. Then the
    others, the newest first.

    With `q`, only of those whose name has it. With `topic`, of those in it. With `state`, of those with jobs in it.
    With `jobs`, of those alone.
    """
    named = Q(batch_id__in=BatchName.objects.filter(name__icontains=q).values("batch_id"))
    jobs = (Job.objects.all() if jobs is None else jobs).filter(named if q else Q(batch_id__isnull=False))
    return (
        (jobs.filter(topic=topic) if topic else jobs)
        .order_by()
        .values("batch_id")
        .annotate(first_at=Min("created_at"), topic_of_all=Min("topic_id"), **COUNTS)
        .filter(**({f"{state.value}__gt": 0} if state else {}))
        .annotate(waits_since=Case(When(Q(awaiting_review__gt=0) | Q(failed__gt=0), then=F("first_at"))))
        .order_by(Sign("awaiting_review").desc(), Sign("failed").desc(), "waits_since", "-first_at", "batch_id")
    )


def batch_rows(values: Iterable[dict[str, Any]]) -> list[BatchRow]:
    """The rows of one page of `ordered_batches`, with topics and uploaders."""
    found = list(values)
    topics = dict(Topic.objects.values_list("pk", "name"))
    batch_ids = [row["batch_id"] for row in found]
    uploaders, names = _uploaders(batch_ids), BatchName.objects.in_bulk(batch_ids)
    return [
        BatchRow(
            batch_id=row["batch_id"],
            name=str(names.get(row["batch_id"], "")),
            topic=topics.get(row["topic_of_all"], ""),
            created_at=row["first_at"],
            by=", ".join(uploaders[row["batch_id"]]),
            progress=BatchProgress.of(row),
            unclassified=row["unclassified"],
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


class UploadForm(BatchNameForm):
    topic_id = forms.ModelChoiceField(queryset=Topic.objects.none())
    kind = forms.ChoiceField(choices=SourceKind.choices, required=False)

    def clean_kind(self) -> str:
        return self.cleaned_data["kind"] or UNCONFIRMED_KIND


@takes_files("KB_MAX_BATCH_MB")
@staff_may(GET="ingest.add_job", POST="ingest.add_job")
def upload(request: HttpRequest) -> HttpResponse:
    """The page. Without JavaScript its form comes back here with all files in one request."""
    if request.method == "POST":
        form = UploadForm(request.POST)
        form.fields["topic_id"].queryset = visible_topics(request)  # type: ignore[attr-defined]
        if form.is_valid() and (batch_id := _take_in(request, form)):
            return redirect("review-batch", batch_id=batch_id)
    topic = request.GET.get("topic", "")
    context: dict[str, Any] = {
        "section": "upload",
        "refusals": translated_codes(),
        "formats": NAMES,
        "topics": topics_to_choose(request),
        "topic_id": (int(topic) if topic.isdecimal() else 0) or INITIAL_TOPIC_ID,
        "batch": _batch(request),
        "kinds": SourceKind.choices,
        "longest_name": MAX_BATCH_NAME_LENGTH,
    }
    return render(request, "review/upload.html", context)


def _batch(request: HttpRequest) -> UUID | None:
    """The batch to add to, if there is one of that id."""
    batch_id = uuid_of(request.GET.get("batch", ""))
    seen = within_topics(Job.objects.filter(batch_id=batch_id), request)
    return batch_id if batch_id and seen.exists() else None


def _take_in(request: HttpRequest, form: UploadForm) -> UUID | None:
    files = [(file.name or "", file.chunks()) for file in request.FILES.getlist("files")]
    if not files:
        messages.warning(request, _("Choose some files first."))
        return None
    topic, kind, name = (form.cleaned_data[field] for field in ("topic_id", "kind", "name"))
    try:
        taken = create_batch(files, topic=topic, by=request.user.get_username(), kind=kind, name=name)
    except ApiError as refusal:
        for rejected in refusal.extra.get("rejected", ()):
            messages.error(request, prefixed(rejected["filename"], sentence_of(rejected["code"], rejected["detail"])))
        return None
    for refused in taken.rejected:
        messages.error(request, prefixed(refused.filename, sentence_of(refused.code, refused.detail)))
    count = len(taken.jobs)
    messages.success(request, ngettext("%d file was taken in.", "%d files were taken in.", count) % count)
    return taken.batch_id
