"""`/review/{batch}/`: the files of one batch, and what is done to many of them."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_htmx.http import trigger_client_event

from extraction import isolation
from ingest.intake.batches import MAX_BATCH_NAME_LENGTH, name_batch, name_of
from ingest.models import Job
from ingest.review import bulk
from ingest.review import undo as undoing
from ingest.review.batch_table import changed_since, table
from ingest.review.forms import ActionForm, BatchNameForm
from ingest.review.listing import BatchFilter, SortColumn, rows_of
from ingest.review.phases import NOT_CLASSIFIED
from ingest.review.queue import jobs_after
from ingest.review.screens.job import onward
from ingest.review.undo import VERBS, tell, undoable
from ingest.review.warnings import WarningCode
from kb_project.isolates import prefixed
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import next_url, redirect_from_dialog, render_dialog
from sources.kinds import SourceKind
from topics.scoping import limits

SKIPPED_SHOWN = 5
MAX_AT_ONCE = 1000  # files that one action changes: a request must end
ASKED_ABOVE = 25  # files that are discarded without a question, as that can be taken back
ALONE = ("confirm", "discard", "classify")
"""Actions that change a job under the hands of whoever has it open."""


@staff_may(GET="ingest.view_job")
def batch(request: StaffRequest, batch_id: UUID) -> HttpResponse:
    """The jobs of one batch. With `since`, only the rows that moved after that event."""
    job = Job.objects.of_batch(batch_id).select_related("topic").first()
    if job is None:
        raise Http404
    since, by, wanted = request.GET.get("since", ""), request.user.get_username(), BatchFilter.of(request.GET)
    if request.htmx and since.isdecimal():
        changes, arrived = changed_since(batch_id, min(int(since), 2**62), by=by, wanted=wanted)
        response = render(
            request, "review/_batch_changes.html", {"batch_id": batch_id, "table": changes, "wanted": wanted}
        )
        return trigger_client_event(response, "kb:arrived") if arrived else response
    isolation.warm_up()  # the first pages of its files are asked for next
    shown = table(batch_id, by=by, wanted=wanted, page=request.GET.get("page"))
    context = {
        "section": "batches",
        "batch_id": batch_id,
        "name": name_of(batch_id),
        "longest_name": MAX_BATCH_NAME_LENGTH,
        "topic": job.topic,
        "created_at": job.created_at,
        "table": shown,
        "page": shown.page,
        "wanted": wanted,
        "columns": [sorting(column, wanted) for column in SortColumn],
        "statuses": [(part.phase.value, part.phase.label, part.count) for part in shown.progress.parts],
        "warnings": [(code, WarningCode(code).label, count) for code, count in shown.warnings.items()],
        "found_kinds": [(kind, SourceKind(kind).label, count) for kind, count in shown.kinds.items()],
        "kinds": SourceKind.choices,
        "start": wanted.to("review-start", batch_id),
        "undoes": undoable(request, within=reverse("review-batch", args=[batch_id])),
    }
    return render(request, "review/batch.html", context)


@dataclass(frozen=True, slots=True)
class Sorting:
    """How a column's head orders the table: `query` is the end of the address, `now` the order, for `aria-sort`."""

    column: SortColumn
    query: str
    now: str


def sorting(column: SortColumn, wanted: BatchFilter) -> Sorting:
    now = {column.value: "ascending", f"-{column}": "descending"}.get(wanted.sort, "")
    following = {"": column.value, "ascending": f"-{column}", "descending": ""}[now]
    return Sorting(column, replace(wanted, sort=following).query or "?", now)


@staff_may(POST="ingest.change_job")
def name(request: StaffRequest, batch_id: UUID) -> HttpResponse:
    """Name the batch."""
    topic_id = Job.objects.of_batch(batch_id).values_list("topic_id", flat=True).first()
    if topic_id is None:
        raise Http404
    form = BatchNameForm(request.POST)
    if form.is_valid():
        name_batch(batch_id, form.cleaned_data["name"], topic_id=topic_id, by=request.user.get_username())
    else:
        messages.error(request, " ".join(map(str, form.errors["name"])))
    return redirect(BatchFilter.of(request.GET).to("review-batch", batch_id))


@staff_may(POST="ingest.change_job")
def act(request: StaffRequest, batch_id: UUID) -> HttpResponse:
    """Act on the selected jobs. Confirming asks first, and so does discarding many.

    A job that somebody else has open is left out of what would change it under their hands.
    """
    wanted = BatchFilter.of(request.GET)
    to_batch = wanted.to("review-batch", batch_id)
    form = ActionForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("That could not be understood; nothing was changed."))
        return redirect_from_dialog(request, to_batch)
    given = form.cleaned_data
    jobs = _chosen(batch_id, given, wanted)
    if not jobs:
        messages.warning(request, _("No files were selected."))
        return redirect_from_dialog(request, to_batch)
    if len(jobs) > MAX_AT_ONCE:
        messages.warning(request, _("At most %d files at once: filter them first.") % MAX_AT_ONCE)
        return redirect_from_dialog(request, to_batch)
    by, action = request.user.get_username(), given["action"]
    jobs, held = bulk.without_held(jobs, batch_id=batch_id, by=by) if action in ALONE else (jobs, [])
    asks = action == "confirm" or (action == "discard" and len(jobs) > ASKED_ABOVE)
    if asks and not given["sure"]:
        return _ask(request, batch_id, action, jobs, held, wanted)
    outcome = _outcome(jobs, given, by=by)
    if outcome is None:
        messages.warning(request, _("Choose a kind or a label first."))
        return redirect_from_dialog(request, to_batch)
    outcome.skipped[:0] = held
    if action in VERBS:
        tell(request, action, outcome.ids, name=outcome.name, to=to_batch)
    elif outcome.done:
        messages.success(request, ngettext("%d file: done.", "%d files: done.", outcome.done) % outcome.done)
    warn_of_skipped(request, outcome)
    return redirect_from_dialog(request, to_batch)


def _outcome(jobs: list[Job], given: dict[str, Any], *, by: str) -> bulk.BulkResult | None:
    """What came of the action. None if it wants a kind or a label, and there is none."""
    action, label = given["action"], given["label"].strip()
    if action == "confirm":
        return bulk.confirm_unchanged(jobs, also_labels=given["new_labels"], by=by)
    if action in bulk.VERBS:
        return bulk.for_each(jobs, lambda job_id: bulk.VERBS[action](job_id, by=by))
    if action == "kind" and given["kind"]:
        return bulk.set_kind(jobs, given["kind"], by=by)
    if action == "label" and label:
        return bulk.add_label(jobs, label, by=by)
    return None


def _chosen(batch_id: UUID, given: dict[str, Any], wanted: BatchFilter) -> list[Job]:
    """The jobs to act on: those that are ticked, all that the filter finds, or all whose classifier failed."""
    jobs = Job.objects.of_batch(batch_id)
    if given["unclassified"]:
        return list(jobs.filter(NOT_CLASSIFIED))
    ids = [row.job.pk for row in wanted.found(rows_of(batch_id))] if given["found"] else given["jobs"]
    return list(jobs.filter(pk__in=ids).with_similar())


def _ask(
    request: StaffRequest,
    batch_id: UUID,
    action: str,
    jobs: list[Job],
    held: list[bulk.SkippedJob],
    wanted: BatchFilter,
) -> HttpResponse:
    context = {"batch_id": batch_id, "action": action, "jobs": jobs, "skipped": held, "wanted": wanted}
    if action == "confirm":
        summary = bulk.summarise(jobs)
        context |= {"summary": summary, "skipped": [*held, *summary.skipped]}
        return render_dialog(request, "review/_confirm_many.html", context)
    return render_dialog(request, "review/_discard_many.html", context)


def warn_of_skipped(request: HttpRequest, outcome: bulk.BulkResult) -> None:
    """A message for each of the first skipped jobs, and one with the number of the others."""
    for job in outcome.skipped[:SKIPPED_SHOWN]:
        messages.warning(request, prefixed(job.filename, job.why))
    more = len(outcome.skipped) - SKIPPED_SHOWN
    if more > 0:
        messages.warning(request, ngettext("… and %d more was left out.", "… and %d more were left out.", more) % more)


@staff_may(GET="ingest.change_job")
def start(request: StaffRequest, batch_id: UUID) -> HttpResponse:
    """Redirect to the first job that awaits review and that nobody else has open. With `after`, behind that job."""
    wanted = BatchFilter.of(request.GET)
    return onward(request, batch_id, wanted, jobs_after(batch_id, wanted, after=uuid_of(request.GET.get("after", ""))))


def uuid_of(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


@staff_may(POST="ingest.view_job")
def undo(request: StaffRequest) -> HttpResponse:
    """Take an act back, which the form names, and go to where that can be seen."""
    act = undoing.take_out(request.session, request.POST.get("act", ""))
    if act is None:
        messages.warning(request, _("That was undone already, or cannot be undone any more."))
        return redirect(next_url(request, default=reverse("review-batches")))
    if not request.user.has_perm(act.how.needs):
        raise PermissionDenied(_("Your account may not do this. Ask a manager for the right role."))
    within = limits(request, right=act.how.needs)
    outcome = undoing.undo(act, by=request.user.get_username(), within=within)
    if outcome.done:
        messages.success(request, act.how.undone % outcome.done)
    warn_of_skipped(request, outcome)
    return redirect(act.to)
