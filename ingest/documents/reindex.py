"""Reindex a source from its stored file, by a job that makes no new source."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from extraction.document import ExtractionFailed
from ingest.decisions import Decision, LabelChoice
from ingest.job_states import UNFINISHED
from ingest.jobs import dispatch, transitions
from ingest.models import Job
from kb_project import audit
from kb_project.errors import Conflict
from kb_project.observability import tracing
from labels import locks
from sources.files import storage
from sources.models import Source


def reindex(source_id: int, *, by: str, why: str = "") -> Job:
    """Queue a job that reads, cuts and indexes the source's file again. Search finds the old chunks until it is done.

    Gives the job that does it. While one is under way, that one. Raises `NotFound`, and `Conflict` with `file_missing`
    when there is no file to read.
    """
    require_file(source_id)
    with transaction.atomic():
        source = locks.source(source_id)
        job, made = queue(source, by=by, why=why or "to be indexed again")
        if made:
            audit.record(
                by=by, action="source.reindex", thing=source, after={"job_id": job.pk}, topic_id=source.topic_id
            )
    return job


def require_file(source_id: int) -> None:
    """Raise `Conflict` with `file_missing` when a source has no file to read. Call it before any row is locked."""
    file_key = Source.objects.filter(pk=source_id).values_list("file_key", flat=True).first()
    if file_key is not None and not storage.exists(file_key):
        sentence = _("Its stored file is not there: put it back, or delete the source and upload it again.")
        raise Conflict(sentence, code="file_missing", source_id=source_id)


def queue(source: Source, *, by: str, why: str) -> tuple[Job, bool]:
    """The live reindex of a source, made if there is none. `True` when it was made.

    The caller holds the source's row: a reindex ends under the same lock, so the one that is given back has not
    published yet, and sees what the caller changed.
    """
    live = live_reindexes(source).first()
    if live is not None:
        return live, False
    # For the record: the worker reads the source itself.
    labels = tuple(LabelChoice(label.slug, label.name) for label in source.labels.all())
    job = Job.objects.create(
        reindex=True,
        source=source,
        topic_id=source.topic_id,
        kind=source.kind,
        confirmed=Decision.of_source(source, labels=labels).as_confirmed(),
        filename=source.filename,
        size=source.size,
        traceparent=tracing.traceparent(),
    )
    transitions.record_accepted(job, by=by, why=why)
    dispatch.send_on_commit(job)
    return job, True


def source_deleted() -> ExtractionFailed:
    """What a reindex of a source that is gone ends with."""
    return ExtractionFailed("source_deleted", "The source was deleted.")


def live_reindexes(source: Source) -> QuerySet[Job]:
    """The jobs under way that index the source again: one at most."""
    return Job.objects.filter(source=source, reindex=True, status__in=UNFINISHED)
