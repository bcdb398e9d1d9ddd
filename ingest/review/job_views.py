"""`/review/{batch}/{job}/`: one job beside its document, decided by a person."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from ingest.commit import commit, discard
from ingest.forms import DecisionForm
from ingest.jobs.retry import retry
from ingest.jobs.transitions import WrongState
from ingest.models import Job
from ingest.review.job_screen import JobScreen
from ingest.review.warnings import sentence_of
from ingest.stages.extract import first_pages
from kb_project.errors import Refusal
from kb_project.processes import scratch
from kb_project.screens.access import staff_may
from kb_project.screens.messages import telling
from sources.extraction.document import ExtractionFailed, Origin
from sources.extraction.isolation import mark_quotes
from sources.kept_copies import kept_copy

MOST_PAGES = 10
MOST_CHARACTERS = 60_000
KEPT_S = 3600


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


@staff_may(GET="ingest.view_job")
def pages(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    job = find_job(batch_id, job_id)
    return render(request, "review/_pages.html", {"job": job} | _read("document", document_view, job))


@staff_may(GET="ingest.view_job")
def text(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    job = find_job(batch_id, job_id)
    return render(request, "review/_text.html", {"job": job} | _read("pages", text_pages, job))


def _read(name: str, read: Callable[[Job], Any], job: Job) -> dict[str, Any]:
    """`{name: what is read of the job's file}`, or `{"failure": the reason}`."""
    try:
        return {name: read(job)}
    except ExtractionFailed as failure:
        return {"failure": sentence_of(failure.code, failure.message)}
    except FileNotFoundError:
        return {"failure": _("The file is not there any more.")}


@dataclass(frozen=True, slots=True)
class TextRun:
    """A stretch of text, and the fields that it was quoted for."""

    text: str
    fields: str = ""


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of the document pane; `marks` are field, left, top, width, height in per cent of the picture."""

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
    with scratch.directory("marks") as directory, kept_copy(job.file_key) as path:
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
    key = f"review-text:{job.content_sha256}"
    pages = cache.get(key) if job.content_sha256 else None
    if pages is None:
        pages = _read_text(job)
        cache.set(key, pages, KEPT_S)
    evidence = evidence_of(job)
    return [
        {"number": number, "origin": origin, "runs": text_runs(text, _quotes_on(number, evidence))}
        for number, origin, text in pages
    ]


def text_runs(text: str, quotes: Iterable[tuple[str, str]]) -> list[TextRun]:
    """The text cut where a quote begins or ends; `quotes` are field and words."""
    stretches = [(name, at, at + len(quote)) for name, quote in quotes if quote and (at := text.find(quote)) >= 0]
    cuts = sorted({0, len(text), *(place for _name, start, end in stretches for place in (start, end))})
    return [
        TextRun(text[start:end], " ".join(name for name, first, last in stretches if first <= start and end <= last))
        for start, end in pairwise(cuts)
    ]


def _quotes_on(number: int | None, evidence: dict[str, tuple[int | None, str]]) -> list[tuple[str, str]]:
    return [(name, quote) for name, (page, quote) in evidence.items() if page == number]


def _read_text(job: Job) -> list[tuple[int | None, Origin, str]]:
    with scratch.directory("text") as directory, kept_copy(job.file_key) as path:
        read = first_pages(path, directory / "pages.jsonl", filename=job.filename, most=MOST_PAGES)
    pages: list[tuple[int | None, Origin, str]] = []
    room = MOST_CHARACTERS
    for page in read:
        if room <= 0:
            break
        pages.append((page.number, page.origin, page.text[:room]))
        room -= len(page.text)
    return pages
