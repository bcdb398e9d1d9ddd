"""Batch uploads: each file becomes a job that is classified and then reviewed."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import partial
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from ingest.intake.unpack import UploadedDocument, unpack_upload
from ingest.intake.upload import accept_upload, receive
from ingest.job_states import JobStatus
from ingest.models import BatchName, Job
from kb_project import audit
from kb_project.errors import ApiError, Invalid, NotFound, Unavailable
from sources.files import storage
from sources.kinds import SourceKind
from topics.models import Topic

log = logging.getLogger(__name__)

UNCONFIRMED_KIND = SourceKind.CIRCULAR
"""Where a file lies until its kind is confirmed; it says nothing about the document."""
MAX_BATCH_NAME_LENGTH = 120


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """A refused file, with a stable code and a sentence."""

    filename: str
    code: str
    detail: str


@dataclass(slots=True)
class UploadResult:
    batch_id: UUID
    jobs: list[Job] = field(default_factory=list)
    rejected: list[RejectedFile] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Batch:
    """The jobs of one batch in the order of their arrival."""

    batch_id: UUID
    name: str
    topic_id: int
    created_at: datetime
    jobs: list[Job]

    @property
    def counts(self) -> dict[str, int]:
        """How many jobs are in each status, every status named."""
        found = Counter(job.status for job in self.jobs)
        return {status: found[status] for status in JobStatus.values}


def create_batch(
    files: Iterable[tuple[str, Iterable[bytes]]],
    *,
    topic: Topic,
    by: str,
    kind: str = UNCONFIRMED_KIND,
    batch_id: UUID | None = None,
    name: str = "",
) -> UploadResult:
    """Make a job of every file (name and blocks of bytes), in a new batch or in `batch_id`, which gets the `name`.

    So is one made of every file in an archive, and of what is attached to a message or a PDF. A refused file does not
    stop the others. A file whose bytes are in the topic becomes a job with `duplicate_of`. When all files are refused,
    raises `Invalid` with `rejected`, or `Unavailable` if storing failed.
    """
    taken = UploadResult(batch_id or uuid4())
    for filename, blocks in files:
        try:
            with receive(blocks, filename=filename) as received, unpack_upload(received) as documents:
                accept = partial(
                    accept_upload,
                    topic=topic,
                    kind=kind,
                    metadata=None,
                    by=by,
                    allow_duplicate=True,
                    batch_id=taken.batch_id,
                )
                _take_in_each(documents, taken, accept=accept)
        except Exception as error:
            taken.rejected.append(_rejected(storage.display_name(filename), error, batch_id=taken.batch_id))
    if not taken.jobs:
        ours = any(rejected.code == Unavailable.code for rejected in taken.rejected)
        refusal_class = Unavailable if ours else Invalid
        raise refusal_class(
            _("None of the files was taken in."), rejected=[asdict(rejected) for rejected in taken.rejected]
        )
    if name:
        name_batch(taken.batch_id, name, topic_id=topic.pk, by=by)
    return taken


def _take_in_each(documents: Sequence[UploadedDocument], taken: UploadResult, *, accept: Callable[..., Job]) -> None:
    jobs: dict[int, Job] = {}
    for place, document in enumerate(documents):
        try:
            received = document.accepted()
            jobs[place] = accept(received, part_of=document.part_of(jobs))
        except Exception as error:
            taken.rejected.append(_rejected(document.name, error, batch_id=taken.batch_id))
    taken.jobs += jobs.values()


def _rejected(name: str, error: Exception, *, batch_id: UUID) -> RejectedFile:
    """Why a file was not taken in. What is no refusal is our fault, and may pass."""
    if isinstance(error, ApiError):
        return RejectedFile(name, error.code, error.detail)
    log.error("A file of batch %s could not be taken in", batch_id, exc_info=error)
    return RejectedFile(name, Unavailable.code, _("The file could not be stored; send it again in a moment."))


def read_batch(batch_id: UUID, *, jobs: QuerySet[Job] | None = None) -> Batch:
    """The batch with its jobs, restricted to `jobs` if given. Raises `NotFound`."""
    found = list((Job.objects.all() if jobs is None else jobs).filter(batch_id=batch_id).order_by("created_at", "id"))
    if not found:
        raise NotFound("There is no such batch.")
    return Batch(batch_id, name_of(batch_id), found[0].topic_id, found[0].created_at, found)


def name_of(batch_id: UUID) -> str:
    """What people call the batch, empty when nobody has named it."""
    return BatchName.objects.filter(pk=batch_id).values_list("name", flat=True).first() or ""


def name_batch(batch_id: UUID, name: str, *, topic_id: int, by: str) -> None:
    """Give the batch a name, in one line. An empty one takes its name away. Raises `Invalid` for one too long."""
    name = " ".join(name.split())
    if len(name) > MAX_BATCH_NAME_LENGTH:
        sentence = _("Must have at most %d characters.") % MAX_BATCH_NAME_LENGTH
        raise Invalid(sentence, errors={"name": [sentence]})
    with transaction.atomic():
        before, named = {"name": name_of(batch_id)}, BatchName(batch_id=batch_id, name=name)
        if name:
            BatchName.objects.bulk_create(
                [named], update_conflicts=True, unique_fields=["batch_id"], update_fields=["name"]
            )
        else:
            BatchName.objects.filter(pk=batch_id).delete()
        audit.record(by=by, action="batch.name", thing=named, before=before, after={"name": name}, topic_id=topic_id)


def topic_of(batch_id: UUID, *, jobs: QuerySet[Job] | None = None) -> int:
    """The id of the topic that a batch lies in. Raises `NotFound`."""
    found = (Job.objects.all() if jobs is None else jobs).filter(batch_id=batch_id)
    topic_id = found.values_list("topic_id", flat=True).first()
    if topic_id is None:
        raise NotFound("There is no such batch.")
    return topic_id
