"""The embedding stage of one job: read the file, cut it into chunks, index them, and publish the source.

A file is read as a whole before it is cut, as what a number is shows in all the others
(`law.structure.numbering.choosing`). Reading and indexing hold no transaction, publishing is one.
"""

from contextlib import closing

from extraction.document import ExtractionFailed
from ingest.jobs.claims import Heartbeat
from ingest.models import Job
from ingest.stages.extract import PageStream, read_within_limits
from ingest.stages.publish import ReadDocument, context_of, publish, source_deleted
from kb_project.processes import scratch
from search import publishing
from sources.files import storage
from sources.models import Source


def embed(job: Job, heartbeat: Heartbeat) -> None:
    """Take a claimed job in `processing/embedding` to `done`, its source indexed.

    A reindex whose source was edited meanwhile is put back instead. Raises `ExtractionFailed` when
    the file gives no text, `FileNotFoundError` when it is gone, `ClaimLost` when the job was taken away meanwhile,
    and whatever the storage or the database raise.
    """
    source = _source_of(job) if job.reindex else None
    with (
        scratch.directory("job") as directory,
        storage.local_copy(source.file_key if source else job.file_key) as path,
        closing(read_within_limits(path, directory / "pages.jsonl", filename=job.filename)) as pages,
    ):
        reading = PageStream(pages, on_page=lambda count: heartbeat.progress("reading", count))
        staged = publishing.stage(
            reading,
            context=context_of(job, source, first_page=reading.first_page),
            on_progress=lambda done: heartbeat.progress("indexing", done),
        )
    with staged:
        if not staged.count:
            raise ExtractionFailed("empty", "The file has no text to search.")
        heartbeat.check()
        publish(job, ReadDocument(staged, reading), source=source)


def _source_of(job: Job) -> Source:
    """The source to index again, as it is now. Raises `ExtractionFailed` or `FileNotFoundError` when it is gone."""
    source = Source.objects.select_related("topic").filter(pk=job.source_id or 0).first()
    if source is None:
        raise source_deleted()
    if not source.file_key:
        raise FileNotFoundError(f"Source {source.pk} has no file.")
    return source
