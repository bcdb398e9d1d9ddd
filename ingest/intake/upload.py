"""Accept an uploaded file: detect its format, refuse duplicates, store it and queue a job."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from extraction.document import ExtractionFailed
from extraction.formats import Format, detect
from extraction.pdf_end import raise_if_torn
from ingest.decisions import Decision, LabelChoice
from ingest.documents import versions
from ingest.jobs import dispatch, transitions
from ingest.models import Job
from ingest.similar.duplicates import (
    CONTENT_ONCE,
    DuplicateDocument,
    duplicate_reference,
    find_duplicate,
    raise_if_duplicate,
)
from kb_project.database import connections
from kb_project.errors import Invalid, TooLarge, UnsupportedType
from kb_project.observability import tracing
from kb_project.processes import scratch
from law.words.slugs import slugify
from sources.fields import DocumentFields
from sources.files import deletions, storage
from topics.models import Topic

BLOCK = 1024 * 1024
MAX_TWINS = 5  # how often a simultaneous upload of the same bytes may win


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """A file on local disk with its size in bytes and its SHA-256."""

    path: Path
    filename: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Metadata(DocumentFields):
    """The metadata of an uploaded document. `labels` are slugs of existing labels or names of new ones.

    `version_of` is the id of a source of whose work it is another version, `undated` that none of its days is known.
    """

    labels: tuple[str, ...] = ()
    version_of: int | None = None
    undated: bool = False

    def decided(self, kind: str) -> Decision:
        """It as a decision."""
        choices = tuple(LabelChoice(slug=slugify(text), name=text) for text in self.labels)
        related = {"version_of": self.version_of, "undated": self.undated}
        return Decision.of({**self.as_json(), "kind": kind}, labels=choices, **related)

    def as_confirmed(self, kind: str) -> dict[str, Any]:
        """The value of `Job.confirmed`."""
        return self.decided(kind).as_confirmed()


@contextmanager
def receive(blocks: Iterable[bytes], *, filename: str) -> Iterator[ReceivedFile]:
    """Write an upload's blocks to a temporary file, hashing on the way. Raises `TooLarge`."""
    limit = settings.KB_MAX_UPLOAD_MB * BLOCK
    digest, size = hashlib.sha256(), 0
    with scratch.file("upload") as temporary:
        for block in blocks:
            size += len(block)
            if size > limit:
                raise too_large()
            digest.update(block)
            temporary.write(block)
        temporary.flush()
        yield ReceivedFile(Path(temporary.name), storage.display_name(filename), size, digest.hexdigest())


def receive_path(path: Path, *, filename: str = "") -> ReceivedFile:
    """A file on this machine. `filename` if it came with another name. Raises `TooLarge`, `OSError`."""
    size = path.stat().st_size
    if size > settings.KB_MAX_UPLOAD_MB * BLOCK:
        raise too_large()
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return ReceivedFile(path, storage.display_name(filename or path.name), size, sha256)


def too_large() -> TooLarge:
    return TooLarge(_("A file may have at most %d MB.") % settings.KB_MAX_UPLOAD_MB)


def accept_upload(
    received: ReceivedFile,
    *,
    topic: Topic,
    kind: str,
    metadata: Metadata | None,
    by: str,
    allow_duplicate: bool = False,
    batch_id: UUID | None = None,
    part_of: dict[str, Any] | None = None,
    taken_from: str = "",
    consolidation: dict[str, Any] | None = None,
) -> Job:
    """Store the file and queue a job for it.

    `metadata` is the person's decision. With None the file is classified and reviewed. Raises `DuplicateDocument` when
    the topic has the same bytes, also when another upload of them wins at the same instant. With `allow_duplicate` the
    job says `duplicate_of` instead, and does not hold the content. `part_of` tells what the file was in
    (`Job.part_of`), `consolidation` how it was made (`sources.consolidation`). `taken_from` is the key of a stored file
    to delete once the job exists. Raises what `raise_if_unreadable` and `versions.check` raise. A file of which only
    its reader can tell that it cannot be read is accepted, and its job fails with the reason.
    """
    raise_if_unreadable(received)
    if metadata:
        versions.check(metadata.decided(kind), topic_id=topic.pk)
    if not allow_duplicate:
        raise_if_duplicate(topic=topic, sha256=received.sha256)
    job_id = uuid4()
    key = storage.key_for(
        area=storage.Area.INBOX,
        topic_slug=topic.slug,
        kind=kind,
        job_id=job_id,
        filename=received.filename,
    )
    # The file is stored before its job. The sweeper deletes a file that got no job.
    span = tracing.span(
        "accept file", {"kb.job.id": str(job_id), "kb.topic.id": topic.pk, "kb.file.bytes": received.size}
    )
    with span, deletions.reserved(key):
        if not taken_from:  # a scan holds its lock on the connection
            connections.release()  # the storage may take its time
        storage.save(key, received.path)
        return _create_job(
            id=job_id,
            batch_id=batch_id,
            part_of=part_of,
            consolidation=consolidation,
            topic=topic,
            kind=kind,
            confirmed=metadata.as_confirmed(kind) if metadata else None,
            filename=received.filename,
            file_key=key,
            size=received.size,
            content_sha256=received.sha256,
            allow_duplicate=allow_duplicate,
            taken_from=taken_from,
            by=by,
        )


def raise_if_unreadable(received: ReceivedFile) -> None:
    """Raise `UnsupportedType` for a format without a reader, which an archive is too.

    Raise `Invalid` with the code `empty`, `corrupt` or `encrypted` where telling the format tells that,
    and for a PDF without an end.
    """
    try:
        format = detect(received.path, filename=received.filename)
        if format is Format.PDF:
            raise_if_torn(received.path)
        if format is Format.ZIP:
            raise UnsupportedType(_("An archive is not a document. Its files are taken in one by one."))
    except ExtractionFailed as failure:
        if failure.code == UnsupportedType.code:
            raise UnsupportedType(failure.message) from failure
        raise Invalid(failure.message, code=failure.code) from failure


def _create_job(
    *, topic: Topic, content_sha256: str, allow_duplicate: bool, taken_from: str, by: str, **fields: Any
) -> Job:
    """Create the job and its first event. A duplicate says `duplicate_of` and does not hold the content."""
    for attempt in count(1):
        holder = find_duplicate(topic=topic, sha256=content_sha256)
        if holder is not None and not allow_duplicate:
            raise DuplicateDocument(holder)
        try:
            with transaction.atomic():
                job = Job.objects.create(
                    topic=topic,
                    content_sha256=content_sha256,
                    allow_duplicate=holder is not None,
                    duplicate_of=duplicate_reference(holder) if holder is not None else None,
                    traceparent=tracing.traceparent(),
                    **fields,
                )
                transitions.record_accepted(job, by=by)
                deletions.confirm(job.file_key)
                deletions.delete_on_commit(taken_from)
                dispatch.send_on_commit(job)
            return job
        except IntegrityError as error:
            if CONTENT_ONCE not in str(error) or attempt == MAX_TWINS:
                raise
    raise AssertionError("unreachable")
