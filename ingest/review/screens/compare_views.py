"""`/review/{batch}/{job}/compare/{source}/`: what a job's document changes of one that is here, by provision."""

from contextlib import closing
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from ingest.intake.batches import name_of
from ingest.models import Job
from ingest.review.listing import BatchFilter
from ingest.review.screens.job import find_job, read_file
from ingest.stages.extract import read_within_limits
from kb_project.errors import TooLarge
from kb_project.processes import scratch
from kb_project.screens.access import staff_may
from reading.compare.screens import shown_changes
from sources.comparison import Change, compare_with_pages
from sources.files.cached_copies import kept_copy
from sources.models import Source

LONGEST_S = 30.0
"""Of the reading: somebody waits for the page."""


@staff_may(GET="ingest.view_job")
def compare(request: HttpRequest, batch_id: UUID, job_id: UUID, source_id: int) -> HttpResponse:
    """The changes in the order of the file, which is read for each request; `view` and `page` as for two documents."""
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


def _changes(job: Job, before: Source) -> list[Change]:
    """Raises `ExtractionFailed`, `FileNotFoundError` and `TooLarge`."""
    with (
        scratch.directory("text") as directory,
        kept_copy(job.file_key) as path,
        closing(
            read_within_limits(path, directory / "pages.jsonl", filename=job.filename, timeout_s=LONGEST_S)
        ) as pages,
    ):
        return compare_with_pages(before.pk, pages, kind=before.kind)
