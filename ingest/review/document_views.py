"""The document beside the form: its pages with the evidence marked, and its text as it was read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ingest.models import Job
from ingest.review.failures import sentence_of
from ingest.review.job_views import find_job
from ingest.stages.extract import first_pages
from kb_project.processes import scratch
from kb_project.screens.access import staff_may
from sources.extraction.document import ExtractionFailed, Origin
from sources.extraction.isolation import mark_quotes
from sources.kept_copies import kept_copy

MOST_PAGES = 10
MOST_CHARACTERS = 60_000
KEPT_S = 3600


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
class TextPage:
    number: int | None
    origin: str
    runs: tuple[TextRun, ...]


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of the document pane; `marks` are field, left, top, width, height in per cent of the picture."""

    number: int
    width: int
    height: int
    marks: tuple[tuple[str, float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class DocumentView:
    total: int
    pages: tuple[PageView, ...]


def evidence_of(job: Job) -> dict[str, tuple[int | None, str]]:
    evidence: dict[str, dict[str, Any]] = (job.ai_suggestions or {}).get("evidence") or {}
    return {name: (place.get("page"), place.get("quote") or "") for name, place in evidence.items()}


def document_view(job: Job) -> DocumentView:
    """The pages of a PDF with the marks on them. Raises `ExtractionFailed` and `FileNotFoundError`."""
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
    return DocumentView(
        total=found["pages"],
        pages=tuple(
            PageView(number, round(width), round(height), tuple(by_page.get(number, ())))
            for number, (width, height) in enumerate(found["sizes"], 1)
        ),
    )


def text_pages(job: Job) -> list[TextPage]:
    """The text of the first pages, the quoted words marked. Raises `ExtractionFailed` and `FileNotFoundError`."""
    key = f"review-text:{job.content_sha256}"
    pages = cache.get(key) if job.content_sha256 else None
    if pages is None:
        pages = _read_text(job)
        cache.set(key, pages, KEPT_S)
    evidence = evidence_of(job)
    return [
        TextPage(number, origin, tuple(text_runs(text, _quotes_on(number, evidence)))) for number, origin, text in pages
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
