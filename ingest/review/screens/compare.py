"""`/review/{batch}/{job}/similar/{row}/`: a job's document beside one that is nearly the same."""

from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from operator import attrgetter
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from ingest.intake.batches import name_of
from ingest.models import Job
from ingest.review.listing import BatchFilter
from ingest.review.screens.job import MAX_PAGES, find_job, read_file, text_pages
from ingest.similar.naming import fields_of, similar_to
from ingest.stages.extract import read_within_limits
from kb_project.errors import TooLarge
from kb_project.processes import scratch
from kb_project.screens.access import staff_may
from law.comparison.side_by_side import AlignedParagraph, side_by_side
from reading.compare.screens import shown_changes
from search.similar import beginnings
from sources.comparison import ProvisionChange, compare_with_pages
from sources.fields import FIELDS
from sources.files.cached_copies import cached_copy
from sources.models import Source

CHARACTERS = 30_000  # of each text that are compared


@staff_may(GET="ingest.view_job")
def similar(request: HttpRequest, batch_id: UUID, job_id: UUID, row: int) -> HttpResponse:
    job, wanted = find_job(batch_id, job_id), BatchFilter.of(request.GET)
    found = next((one for one in similar_to(job) if one.row.pk == row), None)
    if found is None:
        messages.info(request, _("The document that this one was nearly the same as is not here any more."))
        return redirect(wanted.to("review-job", batch_id, job_id))
    context = {
        "section": "batches",
        "job": job,
        "batch_name": name_of(batch_id),
        "similar": found,
        "fields": _fields(job, found.document),
        "wanted": wanted,
    }
    context |= read_file("groups", lambda job: list(_compare(found.document, job)), job)
    return render(request, "review/similar.html", context)


def _fields(job: Job, other: Source | Job) -> list[tuple[str, str, str]]:
    """The name of each short field, and its values there and here."""
    short = [field for field in FIELDS if not field.multiline]
    values = [(field, getattr(fields_of(other), field.name), getattr(fields_of(job), field.name)) for field in short]
    return [(str(field.label), field.display(there), field.display(here)) for field, there, here in values]


def _compare(document: Source | Job, job: Job) -> Iterator[tuple[bool, list[AlignedParagraph]]]:
    """The passages of the two: whether they are the same, and those in a row of which that is so.

    Raises as `text_pages` does.
    """
    there, is_more_there = _text(document)
    here, is_more_here = _text(job)
    for same, group in groupby(side_by_side(there, here, cut=is_more_there or is_more_here), key=attrgetter("same")):
        yield same, list(group)


def _text(document: Source | Job) -> tuple[str, bool]:
    """What the document begins with, and whether there may be more."""
    if isinstance(document, Source):
        text = beginnings([document.pk], characters=CHARACTERS).get(document.pk, "")
        return text, len(text) == CHARACTERS
    pages = text_pages(document)
    text = "\n".join(run.text for page in pages for run in page["runs"])
    return text[:CHARACTERS], len(pages) == MAX_PAGES or len(text) >= CHARACTERS


MAX_SECONDS = 30.0
"""Of the reading: somebody waits for the page."""


@staff_may(GET="ingest.view_job")
def compare(request: HttpRequest, batch_id: UUID, job_id: UUID, source_id: int) -> HttpResponse:
    """The changes in the order of the file, which is read for each request. `view` and `page` as for two documents."""
    job, wanted = find_job(batch_id, job_id), BatchFilter.of(request.GET)
    source = Source.objects.filter(pk=source_id, topic_id=job.topic_id).first()
    if source is None:
        raise Http404
    context = {
        "section": "batches",
        "job": job,
        "batch_name": name_of(batch_id),
        "before": source,
        "wanted": wanted,
    }
    try:
        read = read_file("changes", lambda job: _changes(job, source), job)
    except TooLarge as refusal:
        read = {"failure": refusal.detail}
    if "changes" in read:
        # In the words in which one speaks of the document that it is compared with.
        after = Source(topic_id=job.topic_id, kind=source.kind, title=source.title, identifier=source.identifier)
        read = shown_changes(request, read["changes"], before=source, after=after)
    return render(request, "review/compare.html", context | read)


def _changes(job: Job, before: Source) -> list[ProvisionChange]:
    """Raises `ExtractionFailed`, `FileNotFoundError` and `TooLarge`."""
    with (
        scratch.directory("text") as directory,
        cached_copy(job.file_key) as path,
        closing(
            read_within_limits(path, directory / "pages.jsonl", filename=job.filename, timeout_s=MAX_SECONDS)
        ) as pages,
    ):
        return compare_with_pages(before.pk, pages, kind=before.kind)
