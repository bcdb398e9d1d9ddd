"""The embedding stage of one job: read the file, cut it into chunks, index them, and make the source.

A file is read as a whole before it is cut, as what a number is shows in all the others
(`law.structure.numbering.choosing`). Reading and indexing hold no transaction.
The source, its chunks, its labels and the job's last move are written in one. A worker that dies before that commit
leaves only a copy of the file, which the sweeper deletes.
"""

import posixpath
from contextlib import closing
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from extraction.document import ExtractionFailed, Page
from ingest.decisions import get_or_create_labels
from ingest.documents import moving, replacing, versions
from ingest.job_states import Transition
from ingest.jobs import claims, transitions
from ingest.jobs.claims import Heartbeat
from ingest.models import Job
from ingest.similar import finding
from ingest.stages.extract import CLAUSE_CHARACTERS, PageStream, read_within_limits
from ingest.webhook_events import source_was_published, source_was_replaced
from kb_project.processes import scratch
from labels import assign
from law.metadata.aliases import find_aliases
from law.metadata.head import HeadPage
from law.metadata.lines import lines_of
from search import publishing
from search.index import IndexContext
from search.publishing import StagedDocument
from sources.fields import DocumentFields
from sources.files import deletions, storage
from sources.models import Source
from sources.works import work_versions

MIN_TITLE_LENGTH, MAX_TITLE_LENGTH = 3, 120
ENDS_OF_SENTENCES = tuple(".;:,")  # a title is no sentence, and not the beginning of a list


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
        context = moving.context_of(job, source) if source else _context(job, reading)
        staged = publishing.stage(
            reading,
            context=context,
            on_progress=lambda done: heartbeat.progress("indexing", done),
        )
    with staged:
        if not staged.count:
            raise ExtractionFailed("empty", "The file has no text to search.")
        heartbeat.check()
        if source:
            _publish_again(job, staged, source=source, reading=reading)
        else:
            _publish_decided(job, staged, reading=reading)


def _context(job: Job, reading: PageStream) -> IndexContext:
    """The decision's kind, title and identifier. Without a title, one is taken from the text."""
    decided = DocumentFields.of(job.confirmed or {})
    return IndexContext(
        topic_id=job.topic_id,
        kind=decided.kind or job.kind,
        title=decided.title or title_from(reading.first_page, filename=job.filename),
        identifier=decided.identifier,
    )


def title_from(page: Page | None, *, filename: str) -> str:
    """A title for a document that was uploaded without one: its first line if usable, else its file name."""
    first = next((line.strip() for line in page.paragraphs if line.strip()), "") if page else ""
    if (
        MIN_TITLE_LENGTH <= len(first) <= MAX_TITLE_LENGTH
        and "\t" not in first
        and not first.endswith(ENDS_OF_SENTENCES)
    ):
        return first
    return posixpath.splitext(filename)[0]


def _aliases_in(reading: PageStream, fields: DocumentFields) -> tuple[str, ...]:
    lines = lines_of(HeadPage(page.number, page.text[:CLAUSE_CHARACTERS]) for page in reading.first_pages)
    return tuple(found.value for found in find_aliases(lines, title=fields.title, kind=fields.kind))


def _publish_decided(job: Job, staged: StagedDocument, *, reading: PageStream) -> None:
    """Publish the document as that of the source that the decision replaces, else as a new source."""
    confirmed = job.confirmed or {}
    fields = replace(DocumentFields.of(confirmed), kind=staged.context.kind, title=staged.context.title)
    if job.batch_id is None and not fields.aliases:  # no person was shown what the document says that it is cited by
        fields = replace(fields, aliases=_aliases_in(reading, fields))
    key = storage.fresh_key(job.file_key, storage.Area.PROCESSED, kind=staged.context.kind)
    columns = fields.columns() | {
        "ai_classified_at": timezone.now() if job.ai_suggestions else None,
        "filename": job.filename,
        "file_key": key,
        "content_sha256": job.content_sha256,
        "size": job.size,
        "pages": reading.pages,
        "unread_pages": reading.unread_pages,
        "warnings": reading.kept_warnings,
        "numbering": staged.numbering,
        "lost": reading.kept_lost,
        "consolidation": job.consolidation,
        "chunk_count": staged.count,
    }
    with deletions.reserved(key):
        storage.copy(job.file_key, key)
        with transaction.atomic():
            source = replacing.lock_replaced_source(job)
            if source is None:
                source = versions.create(job, columns)
                publishing.publish(staged, source=source, new=True)
                assign.start_with(source, get_or_create_labels(confirmed, by=claims.WORKER))
                source_was_published(source)
            else:
                by = replacing.confirmed_by(job)
                replacing.replace_document(source, columns, by=by)
                publishing.publish(staged, source=source)
                if labels := get_or_create_labels(confirmed, by=by):
                    assign.replace(source, labels, by=by)
                source_was_replaced(source)
            finding.notify_waiting_jobs(job, source)
            deletions.confirm(key)
            deletions.delete_on_commit(job.file_key)
            _finish(job, staged, source=source, reading=reading, file_key=key)


def _source_of(job: Job) -> Source:
    """The source to index again, as it is now. Raises `ExtractionFailed` or `FileNotFoundError` when it is gone."""
    source = Source.objects.select_related("topic").filter(pk=job.source_id or 0).first()
    if source is None:
        raise _deleted()
    if not source.file_key:
        raise FileNotFoundError(f"Source {source.pk} has no file.")
    return source


def _publish_again(job: Job, staged: StagedDocument, *, source: Source, reading: PageStream) -> None:
    """Publish the staged chunks of a reindex, or put the job back if the source was edited since.

    `source` is the source as it was staged. Its file moves if its kind has changed, or if it goes to another topic.
    """
    slug = moving.slug_of(staged.context.topic_id) if staged.context.topic_id != source.topic_id else ""
    if not slug and storage.is_in_area(source.file_key, storage.Area.PROCESSED, kind=source.kind):
        _renew(job, staged, source_id=source.pk, key=source.file_key, reading=reading)
        return
    key = storage.fresh_key(source.file_key, storage.Area.PROCESSED, kind=source.kind, topic_slug=slug)
    with deletions.reserved(key):
        storage.copy(source.file_key, key)
        _renew(job, staged, source_id=source.pk, key=key, reading=reading)


def _renew(job: Job, staged: StagedDocument, *, source_id: int, key: str, reading: PageStream) -> None:
    with transaction.atomic():
        job.refresh_from_db(fields=["confirmed"])
        locked = moving.locked_with(job, source_id)
        work_versions.lock_works_of(*locked)  # which the source may leave
        source = Source.objects.select_for_update().filter(pk=source_id).first()
        if source is None:
            raise _deleted()
        job.refresh_from_db(fields=["confirmed"])  # it may have been told since to move the source
        if moving.context_of(job, source) != staged.context or moving.locked_with(job, source_id) != locked:
            claims.requeue(job)
            return
        if source.topic_id != staged.context.topic_id:
            moving.move_to_topic(job, source)
        was_found = source.chunk_count > 0  # what was put back out of the trash has none yet
        publishing.publish(staged, source=source)
        if not was_found:
            source_was_published(source)
        left = source.file_key
        source.pages, source.file_key = reading.pages, key
        source.unread_pages, source.warnings = reading.unread_pages, reading.kept_warnings
        source.numbering, source.lost = staged.numbering, reading.kept_lost
        source.save(update_fields=["pages", "file_key", "unread_pages", "warnings", "numbering", "lost"])
        if left != key:
            deletions.confirm(key)
            Job.objects.filter(source=source, file_key=left).update(file_key=key)
            deletions.delete_on_commit(left)
        _finish(job, staged, source=source, reading=reading)


def _finish(job: Job, staged: StagedDocument, *, source: Source, reading: PageStream, **fields: Any) -> None:
    """The job's last move, in the transaction that publishes. Raises `ClaimLost`."""
    confirmed = job.confirmed or {}
    replaced = confirmed.get("replaces")
    became = {None: "", source.pk: f"; replaced source {replaced}"}
    transitions.transition(
        job.pk,
        Transition.FINISH,
        by=claims.WORKER,
        held_by=job.claim,
        why=f"{staged.count} chunks" + became.get(replaced, f"; a new source, as source {replaced} was deleted"),
        source=source,
        kind=source.kind,
        warnings=reading.kept_warnings,
        unread_pages=reading.unread_pages,
        numbering=staged.numbering,
        lost=reading.kept_lost,
        **fields,
    )


def _deleted() -> ExtractionFailed:
    return ExtractionFailed("source_deleted", "The source was deleted.")
