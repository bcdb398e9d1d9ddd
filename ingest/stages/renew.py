"""The end of a reindex: publish new chunks of a source, unless it was edited while they were made."""

from __future__ import annotations

from django.db import transaction

from ingest.jobs import claims, transitions
from ingest.jobs.states import Arrow
from ingest.models import Job
from ingest.stages.reading import Reading
from search.index import IndexContext, StagedChunks, engine
from sources import deletions, storage
from sources.extraction.document import ExtractionFailed
from sources.models import Source


def source_of(job: Job) -> Source:
    """The source to index again, as it is now. Raises `ExtractionFailed` or `FileNotFoundError` when it is gone."""
    source = Source.objects.select_related("topic").filter(pk=job.source_id or 0).first()
    if source is None:
        raise _deleted()
    if not source.file_key:
        raise FileNotFoundError(f"Source {source.pk} has no file.")
    return source


def renew(job: Job, staged: StagedChunks, *, source: Source, reading: Reading) -> None:
    """Publish the staged chunks and finish the job, or put it back if the source was edited since.

    `source` is the source as it was staged. Raises `ClaimLost`, and `ExtractionFailed` when it is gone.
    """
    key = _key_in_its_folder(source)
    if key == source.file_key:
        _record(job, staged, source_id=source.pk, key=key, reading=reading)
        return
    with deletions.announced(key):
        storage.copy(source.file_key, key)
        _record(job, staged, source_id=source.pk, key=key, reading=reading)


def _record(job: Job, staged: StagedChunks, *, source_id: int, key: str, reading: Reading) -> None:
    with transaction.atomic():
        source = Source.objects.select_for_update().filter(pk=source_id).first()
        if source is None:
            raise _deleted()
        if IndexContext.of(source) != staged.context:
            claims.put_back(job)
            return
        engine().publish(staged, source=source)
        left = source.file_key
        source.pages, source.file_key = reading.pages, key
        source.save(update_fields=["pages", "file_key"])
        if left != key:
            deletions.named(key)
            Job.objects.filter(source=source, file_key=left).update(file_key=key)
            deletions.request(left)
        transitions.move(
            job.pk,
            Arrow.FINISH,
            by=claims.WORKER,
            held_by=job.claim,
            why=f"{staged.count} chunks",
            kind=source.kind,
            warnings=reading.kept_warnings,
        )


def _key_in_its_folder(source: Source) -> str:
    """The key for the source's file: a new one if its kind changed, else the present one."""
    if storage.lies_in(source.file_key, storage.Area.PROCESSED, kind=source.kind):
        return source.file_key
    return storage.fresh_key(source.file_key, storage.Area.PROCESSED, kind=source.kind)


def _deleted() -> ExtractionFailed:
    return ExtractionFailed("source_deleted", "The source was deleted.")
