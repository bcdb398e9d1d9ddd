"""`/review/{batch}/{job}/`: one job beside its document, decided by a person."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from extraction.document import ExtractionFailed, TextOrigin
from extraction.isolation import mark_quotes
from ingest.decide.commit import REPLACE, commit
from ingest.decide.discard import discard
from ingest.decide.reopen import reopen
from ingest.decide.retry import retry
from ingest.documents.edit import EditConflict
from ingest.intake.batches import name_of
from ingest.job_states import AWAITING_REVIEW, JobStatus
from ingest.jobs.transitions import WrongState
from ingest.models import Job
from ingest.review import review_locks
from ingest.review.forms import DecisionForm
from ingest.review.job_page import JobScreen, is_decided
from ingest.review.listing import BatchFilter
from ingest.review.queue import jobs_after, still_waiting
from ingest.review.undo import tell, undoable
from ingest.review.warnings import sentence_of
from ingest.stages.extract import first_pages
from kb_project.errors import ApiError
from kb_project.isolates import safe_message
from kb_project.processes import scratch
from kb_project.screens.access import staff_may
from sources.files.cached_copies import cached_copy
from topics.scoping import limits, may

MAX_PAGES = 10
MAX_CHARACTERS = 60_000
KEPT_S = 3600


@staff_may(GET="ingest.view_job", POST="ingest.change_job")
def job(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    found = find_job(batch_id, job_id)
    by = request.user.get_username()
    if request.method != "POST":
        return _page(request, found)
    verb = request.POST.get("do", "confirm")
    wanted = BatchFilter.of(request.GET)
    here = wanted.to("review-job", batch_id, found.pk)
    following = jobs_after(batch_id, wanted, after=found.pk)  # the decision may move it in the order
    form = DecisionForm(request.POST)
    try:
        if verb == "discard":
            discard(found.pk, by=by, keeps_file=True)
            tell(request, "discard", [found.pk], name=found.filename, to=here)
        elif verb == "retry":
            retry(found.pk, by=by)
            messages.success(request, safe_message(_("To be tried again: %(name)s"), name=found.filename))
            return redirect(here)
        else:
            if not form.is_valid():
                return _page(request, found, form=form, status=400)
            decision = form.decision
            if decision.replaces and not may(request, REPLACE, topic_id=found.topic_id):
                raise PermissionDenied(_("Your account may not do this. Ask a manager for the right role."))
            commit(
                found.pk,
                decision,
                by=by,
                allow_duplicate=form.cleaned_data["allow_duplicate"],
                allow_similar=bool(form.cleaned_data["similar"]),
                if_version=form.cleaned_data["was"],
                labels_within=limits(request),
            )
            tell(request, "confirm", [found.pk], name=decision.title, to=here)
    except ApiError as refusal:
        sent = form if verb == "confirm" else None
        now = find_job(batch_id, job_id)
        if isinstance(refusal, WrongState) and is_decided(now):
            # Someone else was first: show the stored decision beside what was typed.
            return _page(request, now, form=sent, status=refusal.status, overtaken=True)
        if sent is not None:
            sent.add_refusal(refusal)
        edited = isinstance(refusal, EditConflict)
        return _page(request, now, form=sent, status=refusal.status, refused=refusal.detail, edited_meanwhile=edited)
    review_locks.force_release(found.pk)
    return onward(request, batch_id, wanted, still_waiting(following))


@staff_may(POST="ingest.change_job")
def reopening(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    """Take the decision about a job back, and show it to be decided anew."""
    found = find_job(batch_id, job_id)
    try:
        reopened = reopen(found.pk, by=request.user.get_username())
    except ApiError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, safe_message(said_of_reopened(reopened), name=found.filename))
    return redirect(BatchFilter.of(request.GET).to("review-job", batch_id, job_id))


def said_of_reopened(job: Job) -> str:
    if job.state != AWAITING_REVIEW:
        return _("To be tried again: %(name)s")
    if job.source_id:
        return _("Reopened: %(name)s. Its source stays as it is, searchable, until you confirm anew.")
    return _("Undone: %(name)s. Nothing of it was taken in.")


def find_job(batch_id: UUID, job_id: UUID) -> Job:
    """The job, if it is one of that batch. 404 otherwise."""
    found = Job.objects.select_related("topic", "source").filter(pk=job_id, batch_id=batch_id).first()
    if found is None:
        raise Http404
    return found


def open_screen(
    request: HttpRequest, job: Job, *, page: str, form: DecisionForm | None = None, over: bool = False
) -> JobScreen:
    """The job as its reader sees it. Whoever may decide it holds it from now on, unless somebody else does.

    `page` names the page that shows it. With `over` the hold is taken from whoever has it.
    """
    screen = JobScreen(job, by=request.user.get_username(), form=form, wanted=BatchFilter.of(request.GET))
    if screen.undecided and may(request, "ingest.change_job", topic_id=job.topic_id):
        screen.hold = review_locks.acquire(job.pk, by=screen.by, page=page, over=over)
    elif screen.undecided:
        screen.hold = review_locks.held_by_other(job.pk, by=screen.by)
    return screen


def _page(
    request: HttpRequest, job: Job, *, form: DecisionForm | None = None, status: int = 200, **more: Any
) -> HttpResponse:
    page_id = uuid4().hex
    screen = open_screen(request, job, page=page_id, form=form)
    context = {
        "section": "batches",
        "screen": screen,
        "job": job,
        "page_id": page_id,
        "place": screen.place,
        "addresses": screen.addresses,
        "batch_name": name_of(job.batch_id) if job.batch_id else "",
        "undoes": undoable(request, within=reverse("review-batch", args=[job.batch_id])),
        "wanted": screen.wanted,
        **more,
    }
    return render(request, "review/job.html", context, status=status)


def onward(request: HttpRequest, batch_id: UUID, wanted: BatchFilter, job_ids: list[UUID]) -> HttpResponse:
    """Redirect to the first of these jobs that nobody else has open, or else to what the filter finds of the batch."""
    by = request.user.get_username()
    found = review_locks.acquire_first_free(job_ids, batch_id=batch_id, by=by)
    if found is not None:
        return redirect(wanted.to("review-job", batch_id, found))
    others = review_locks.locks_of_others(batch_id, by=by)
    if names := sorted({others[pk].by for pk in job_ids if pk in others}):
        messages.info(
            request, safe_message(_("What still awaits review is open with: %(names)s"), names=", ".join(names))
        )
    elif Job.objects.of_batch(batch_id).filter(status=JobStatus.AWAITING_REVIEW).exists():
        messages.info(request, _("Nothing else that the filter finds awaits review. Other files of the batch do."))
    else:
        messages.info(request, _("No file of this batch awaits review."))
    return redirect(wanted.to("review-batch", batch_id))


@staff_may(GET="ingest.view_job")
def pages(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    job = find_job(batch_id, job_id)
    return render(request, "review/_pages.html", {"job": job} | read_file("document", document_view, job))


@staff_may(GET="ingest.view_job")
def text(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    job = find_job(batch_id, job_id)
    return render(request, "review/_text.html", {"job": job} | read_file("read", text_read, job))


def read_file(name: str, read: Callable[[Job], Any], job: Job) -> dict[str, Any]:
    """`{name: what is read of the job's file}`, or `{"failure": the reason}`."""
    try:
        return {name: read(job)}
    except ExtractionFailed as failure:
        return {"failure": sentence_of(failure.code, failure.message)}
    except FileNotFoundError:
        return {"failure": _("The file is not there any more.")}


@dataclass(frozen=True, slots=True)
class EvidenceRun:
    """A stretch of text, and the fields that it was quoted for."""

    text: str
    fields: str = ""


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of the document pane. `marks` are field, left, top, width, height in per cent of the picture."""

    number: int
    width: int
    height: int
    marks: tuple[tuple[str, float, float, float, float], ...]


def evidence_of(job: Job) -> dict[str, tuple[int | None, str]]:
    evidence: dict[str, dict[str, Any]] = (job.ai_suggestions or {}).get("evidence") or {}
    return {name: (place.get("page"), place.get("quote") or "") for name, place in evidence.items()}


def document_view(job: Job) -> dict[str, Any]:
    """`{total, pages}`: the number of pages of a PDF, and a `PageView` of each of the first ones.

    Raises `ExtractionFailed` and `FileNotFoundError`.
    """
    quotes = {name: (page, quote) for name, (page, quote) in evidence_of(job).items() if page is not None}
    with scratch.directory("marks") as directory, cached_copy(job.file_key) as path:
        target = directory / "marks.json"
        mark_quotes(path, target, quotes=quotes)
        found = json.loads(target.read_text(encoding="utf-8"))
    by_page: dict[int, list[tuple[str, float, float, float, float]]] = {}
    for name, boxes in found["marks"].items():
        for left, top, right, bottom in boxes:
            mark = (name, 100 * left, 100 * top, 100 * (right - left), 100 * (bottom - top))
            by_page.setdefault(quotes[name][0], []).append(mark)
    pages = [
        PageView(number, round(width), round(height), tuple(by_page.get(number, ())))
        for number, (width, height) in enumerate(found["sizes"], 1)
    ]
    return {"total": found["pages"], "pages": pages}


def text_pages(job: Job) -> list[dict[str, Any]]:
    """`{number, origin, runs}` of the first pages, the quoted words marked.

    Raises `ExtractionFailed` and `FileNotFoundError`.
    """
    pages: list[dict[str, Any]] = text_read(job)["pages"]
    return pages


def text_read(job: Job) -> dict[str, Any]:
    """`{pages, is_cut}`: the `text_pages`, and whether there is more than these. Raises as they do."""
    key = f"review-text-read:{job.content_sha256}"
    kept = cache.get(key) if job.content_sha256 else None
    if kept is None:
        kept = _read_text(job)
        cache.set(key, kept, KEPT_S)
    (pages, is_cut), evidence = kept, evidence_of(job)
    shown = [
        {"number": number, "origin": origin, "runs": text_runs(text, _quotes_on(number, evidence))}
        for number, origin, text in pages
    ]
    return {"pages": shown, "is_cut": is_cut}


def text_runs(text: str, quotes: Iterable[tuple[str, str]]) -> list[EvidenceRun]:
    """The text cut where a quote begins or ends. `quotes` are field and words."""
    stretches = [(name, at, at + len(quote)) for name, quote in quotes if quote and (at := text.find(quote)) >= 0]
    cuts = sorted({0, len(text), *(place for _name, start, end in stretches for place in (start, end))})
    return [
        EvidenceRun(
            text[start:end], " ".join(name for name, first, last in stretches if first <= start and end <= last)
        )
        for start, end in pairwise(cuts)
    ]


def _quotes_on(number: int | None, evidence: dict[str, tuple[int | None, str]]) -> list[tuple[str, str]]:
    return [(name, quote) for name, (page, quote) in evidence.items() if page == number]


def _read_text(job: Job) -> tuple[list[tuple[int | None, TextOrigin, str]], bool]:
    """The first pages, and whether that is not all."""
    with scratch.directory("text") as directory, cached_copy(job.file_key) as path:
        read = first_pages(path, directory / "pages.jsonl", filename=job.filename, most=MAX_PAGES + 1)
    pages: list[tuple[int | None, TextOrigin, str]] = []
    room = MAX_CHARACTERS
    for page in read[:MAX_PAGES]:
        if room <= 0:
            break
        pages.append((page.number, page.origin, page.text[:room]))
        room -= len(page.text)
    return pages, len(read) > len(pages) or room < 0
