"""The document beside the form: its pages with the evidence marked, and its text as it was read."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ingest.review.failures import sentence_of
from ingest.review.job_views import find_job
from ingest.review.reading import shown_document, text_pages
from kb_project.screens.access import staff_may
from sources.extraction.document import ExtractionFailed


@staff_may(GET="ingest.view_job")
def pages(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    job = find_job(batch_id, job_id)
    try:
        context = {"job": job, "document": shown_document(job)}
    except ExtractionFailed as failure:
        context = {"job": job, "failure": sentence_of(failure.code, failure.message)}
    except FileNotFoundError:
        context = {"job": job, "failure": _("The file is not there any more.")}
    return render(request, "review/_pages.html", context)


@staff_may(GET="ingest.view_job")
def text(request: HttpRequest, batch_id: UUID, job_id: UUID) -> HttpResponse:
    job = find_job(batch_id, job_id)
    try:
        context = {"job": job, "pages": text_pages(job)}
    except ExtractionFailed as failure:
        context = {"job": job, "failure": sentence_of(failure.code, failure.message)}
    except FileNotFoundError:
        context = {"job": job, "failure": _("The file is not there any more.")}
    return render(request, "review/_text.html", context)
