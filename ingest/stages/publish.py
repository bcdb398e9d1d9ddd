"""The embedding stage of one job: read the file, cut it into chunks, index them, and publish the source.

A file is read as a whole before it is cut, as what a number is shows in all the others
(`law.structure.numbering.choosing`). It is published as a decision says, or again as a reindex does.

Reading and indexing hold no transaction. The source, its chunks, its labels and the job's last move are written in one.
A worker that dies before that commit leaves only a copy of the file, which the sweeper deletes.
"""

import posixpath
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from extraction.document import ExtractionFailed, Page
from ingest.decisions import get_or_create_labels
from ingest.documents import moving, replacing, versions
from ingest.documents.reindex import source_deleted
from ingest.job_states import Transition
from ingest.jobs import claims, transitions
from ingest.jobs.claims import Heartbeat
from ingest.models import Job
from ingest.similar import finding
from ingest.stages.extract import CLAUSE_CHARACTERS, PageStream, read_within_limits
from ingest.webhook_events import source_was_published, source_was_replaced
from kb_project.processes import scratch
from labels import assign
from law.languages.documents import CASELAW
from law.metadata.aliases import find_aliases
from law.metadata.head import HeadPage
from law.metadata.kind import find_case
from law.metadata.lines import HeadLine, lines_of
from search import publishing
from search.index import IndexContext
from search.publishing import StagedDocument
from sources.fields import DocumentFields
from sources.files import deletions, storage
from sources.models import Source

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


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A file that was read to its end and cut."""

    staged: StagedDocument
    reading: PageStream

    @property
    def found(self) -> dict[str, Any]:
        """What a source and its job both keep of the reading."""
        return {
            "unread_pages": self.reading.unread_pages,
            "warnings": self.reading.kept_warnings,
            "numbering": self.staged.numbering,
            "lost": self.reading.kept_lost,
        }

    def aliases(self, fields: DocumentFields) -> tuple[str, ...]:
        """What the document says that it is cited by."""
        lines = _lines(self.reading.first_pages)
        return tuple(found.value for found in find_aliases(lines, title=fields.title, kind=fields.kind))


def context_of(job: Job, source: Source | None, *, first_page: Page | None) -> IndexContext:
    """What the document is indexed with: as its source is, else as it was decided.

    Without a title, one is taken from the first page. A judgment is called by its parties then, and has its number.
    """
    if source is not None:
        return moving.context_of(job, source)
    decided = DocumentFields.of(job.confirmed or {})
    kind, title, identifier = decided.kind or job.kind, decided.title, decided.identifier
    first = [first_page] if first_page else []
    if not title and kind == CASELAW and (case := find_case(_lines(first), is_judgment=True)):
        title = case.title.value if case.title else ""
        identifier = identifier or (case.identifier.value if case.identifier else "")
    return IndexContext(
        topic_id=job.topic_id,
        kind=kind,
        title=title or title_from(first_page, filename=job.filename),
        identifier=identifier,
    )


def _lines(pages: Iterable[Page]) -> list[HeadLine]:
    return lines_of(HeadPage(page.number, page.text[:CLAUSE_CHARACTERS]) for page in pages)


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


def publish(job: Job, document: ReadDocument, *, source: Source | None) -> None:
    """Publish the document as that of `source`, which a reindex has read again, else as the job's decision says.

    Raises `ClaimLost`, `ExtractionFailed` when the source is gone, and what `versions.create` and
    `replacing.replace_document` raise.
    """
    if source is None:
        _publish_decided(job, document)
        return
    # Its file moves if its kind has changed, or if it goes to another topic.
    topic_id = document.staged.context.topic_id
    slug = moving.slug_of(topic_id) if topic_id != source.topic_id else ""
    if not slug and storage.is_in_area(source.file_key, storage.Area.PROCESSED, kind=source.kind):
        _publish_again(job, document, source_id=source.pk, key=source.file_key)
        return
    with deletions.copied(source.file_key, storage.Area.PROCESSED, kind=source.kind, topic_slug=slug) as key:
        _publish_again(job, document, source_id=source.pk, key=key)


def _publish_decided(job: Job, document: ReadDocument) -> None:
    """As the document of the source that the decision replaces, else as a new source."""
    staged, confirmed = document.staged, job.confirmed or {}
    read, fields = staged.context, DocumentFields.of(confirmed)
    fields = replace(fields, kind=read.kind, title=read.title, identifier=read.identifier)
    if job.batch_id is None and not fields.aliases:  # no person was shown what the document says that it is cited by
        fields = replace(fields, aliases=document.aliases(fields))
    columns = fields.columns() | {
        "ai_classified_at": timezone.now() if job.ai_suggestions else None,
        "filename": job.filename,
        "content_sha256": job.content_sha256,
        "size": job.size,
        "pages": document.reading.pages,
        "consolidation": job.consolidation,
        "chunk_count": staged.count,
        **document.found,
    }
    with deletions.copied(job.file_key, storage.Area.PROCESSED, kind=read.kind) as key, transaction.atomic():
        related = replacing.lock_related(job)
        columns["file_key"] = key
        if source := related.replaced:
            replacing.replace_document(source, staged, columns, by=related.by)
            if labels := get_or_create_labels(confirmed, by=related.by):
                assign.replace(source, labels, by=related.by)
            source_was_replaced(source)
        else:
            source = versions.create(job, columns, related)
            publishing.publish(staged, source=source, new=True)
            assign.start_with(source, get_or_create_labels(confirmed, by=claims.WORKER))
            source_was_published(source)
        finding.notify_waiting_jobs(job, source)
        deletions.confirm(key)
        deletions.delete_on_commit(job.file_key)
        _finish(job, document, source=source, file_key=key)


def _publish_again(job: Job, document: ReadDocument, *, source_id: int, key: str) -> None:
    """As that of its source, or put the job back if the source was edited since it was staged."""
    staged = document.staged
    with transaction.atomic():
        source = moving.lock_as_staged(job, source_id, staged.context)
        if source is None:
            claims.requeue(job)
            return
        if source.topic_id != staged.context.topic_id:
            moving.move_to_topic(job, source)
        was_found = source.chunk_count > 0  # what was put back out of the trash has none yet
        publishing.publish(staged, source=source)
        if not was_found:
            source_was_published(source)
        left = source.file_key
        columns = {"file_key": key, "pages": document.reading.pages, **document.found}
        for name, value in columns.items():
            setattr(source, name, value)
        source.save(update_fields=[*columns])
        if left != key:
            deletions.confirm(key)
            Job.objects.filter(source=source, file_key=left).update(file_key=key)
            deletions.delete_on_commit(left)
        _finish(job, document, source=source)


def _finish(job: Job, document: ReadDocument, *, source: Source, **fields: Any) -> None:
    """The job's last move, in the transaction that publishes. Raises `ClaimLost`."""
    confirmed = job.confirmed or {}
    replaced = confirmed.get("replaces")
    became = {None: "", source.pk: f"; replaced source {replaced}"}
    transitions.transition(
        job.pk,
        Transition.FINISH,
        by=claims.WORKER,
        held_by=job.claim,
        why=f"{document.staged.count} chunks"
        + became.get(replaced, f"; a new source, as source {replaced} was deleted"),
        source=source,
        kind=source.kind,
        **document.found,
        **fields,
    )
