"""The document beside the form: its pages with the evidence marked, and its text as it was read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ingest.models import Job
from ingest.review.failures import sentence_of
from ingest.review.job_views import find_job
from ingest.review.reading import document_view, text_pages
from kb_project.screens.access import staff_may
from sources.extraction.document import ExtractionFailed


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
