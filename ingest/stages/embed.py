"""The embedding stage of one job: read the file, cut it into chunks, index them, and make the source.

The reader's process reads ahead while this one cuts, analyses and embeds. Reading and indexing hold no transaction.
The source, its chunks, its labels and the job's last move are written in one. A worker that dies before that commit
leaves only a copy of the file, which the sweeper deletes. A reindex ends in `ingest.stages.renew`.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from ingest.decisions import labels_of
from ingest.intake.titles import title_from
from ingest.jobs import transitions
from ingest.jobs.claims import WORKER, Heartbeat
from ingest.jobs.states import Arrow
from ingest.models import Job
from ingest.stages import renew
from ingest.stages.extract import read_within_limits
from ingest.stages.reading import Reading
from kb_project.processes import scratch
from labels import assign
from search.chunking import chunk
from search.index import IndexContext, StagedChunks, engine
from sources import deletions, storage
from sources.extraction.document import ExtractionFailed
from sources.fields import DocumentFields
from sources.models import Source


def embed(job: Job, heartbeat: Heartbeat) -> None:
    """Take a claimed job in `processing/embedding` to `done`, its source indexed.

    A reindex whose source was edited meanwhile is put back instead. Raises `ExtractionFailed` when
    the file gives no text, `FileNotFoundError` when it is gone, `ClaimLost` when the job was taken away meanwhile,
    and whatever the storage, the database or the embedding provider raise.
    """
    source = renew.source_of(job) if job.reindex else None
    with (
        scratch.directory("job") as directory,
        storage.local_copy(source.file_key if source else job.file_key) as path,
        closing(read_within_limits(path, directory / "pages.jsonl", filename=job.filename)) as pages,
    ):
        reading = Reading(pages, on_page=lambda count: heartbeat.progress("reading", count))
        context = IndexContext.of(source) if source else _context(job, reading)
        staged = engine().stage(
            chunk(reading, kind=context.kind),
            context=context,
            document=str(job.pk),
            on_progress=lambda done: heartbeat.progress("indexing", done),
        )
    with staged:
        if not staged.count:
            raise ExtractionFailed("empty", "The file has no text to search.")
        heartbeat.check()
        if source:
            renew.renew(job, staged, source=source, reading=reading)
        else:
            _record(job, staged, reading=reading)


def _context(job: Job, reading: Reading) -> IndexContext:
    """The decision's kind, title and identifier. Without a title, one is taken from the text."""
    decided = DocumentFields.of(job.confirmed or {})
    return IndexContext(
        topic_id=job.topic_id,
        kind=decided.kind or job.kind,
        title=decided.title or title_from(reading.first_page, filename=job.filename),
        identifier=decided.identifier,
    )


def _record(job: Job, staged: StagedChunks, *, reading: Reading) -> None:
    confirmed = job.confirmed or {}
    fields = replace(DocumentFields.of(confirmed), kind=staged.context.kind, title=staged.context.title)
    key = storage.fresh_key(job.file_key, storage.Area.PROCESSED, kind=staged.context.kind)
    with deletions.announced(key):
        storage.copy(job.file_key, key)
        with transaction.atomic():
            source = Source.objects.create(
                topic_id=job.topic_id,
                **fields.columns(),
                ai_classified_at=timezone.now() if job.ai_suggestions else None,
                filename=job.filename,
                file_key=key,
                content_sha256=job.content_sha256,
                size=job.size,
                pages=reading.pages,
                chunk_count=staged.count,
            )
            engine().publish(staged, source=source, new=True)
            assign.start_with(source, labels_of(confirmed, by=WORKER))
            deletions.named(key)
            deletions.request(job.file_key)
            transitions.move(
                job.pk,
                Arrow.FINISH,
                by=WORKER,
                held_by=job.claim,
                why=f"{staged.count} chunks",
                source=source,
                kind=source.kind,
                file_key=key,
                warnings=reading.kept_warnings,
            )
