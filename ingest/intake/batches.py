"""Batch uploads: each file becomes a job that is classified and then reviewed."""

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from uuid import UUID, uuid4

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from ingest.intake.upload import accept_upload, receive
from ingest.jobs.states import Status
from ingest.models import Job
from kb_project.errors import Invalid, NotFound, Refusal, Unavailable
from sources import storage
from sources.kinds import Kind
from topics.models import Topic

log = logging.getLogger(__name__)

UNCONFIRMED_KIND = Kind.CIRCULAR
"""Where a file lies until its kind is confirmed; it says nothing about the document."""


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
    topic_id: int
    created_at: datetime
    jobs: list[Job]

    @property
    def counts(self) -> dict[str, int]:
        """How many jobs are in each status, every status named."""
        found = Counter(job.status for job in self.jobs)
        return {status: found[status] for status in Status.values}


def take_in(
    files: Iterable[tuple[str, Iterable[bytes]]],
    *,
    topic: Topic,
    by: str,
    kind: str = UNCONFIRMED_KIND,
    batch_id: UUID | None = None,
) -> UploadResult:
    """Make a job of every file (name and blocks of bytes), in a new batch or in `batch_id`.

    A refused file does not stop the others. A file whose bytes are in the topic becomes a job with `duplicate_of`.
    When all files are refused, raises `Invalid` with `rejected`, or `Unavailable` if storing failed.
    """
    taken = UploadResult(batch_id or uuid4())
    for filename, blocks in files:
        try:
            with receive(blocks, filename=filename) as received:
                job = accept_upload(
                    received,
                    topic=topic,
                    kind=kind,
                    metadata=None,
                    by=by,
                    allow_duplicate=True,
                    batch_id=taken.batch_id,
                )
            taken.jobs.append(job)
        except Refusal as refusal:
            taken.rejected.append(RejectedFile(storage.display_name(filename), refusal.code, refusal.detail))
        except Exception:
            log.exception("A file of batch %s could not be taken in", taken.batch_id)
            sentence = _("The file could not be stored; send it again in a moment.")
            taken.rejected.append(RejectedFile(storage.display_name(filename), Unavailable.code, sentence))
    if not taken.jobs:
        ours = any(rejected.code == Unavailable.code for rejected in taken.rejected)
        refusal_class = Unavailable if ours else Invalid
        raise refusal_class(
            _("None of the files was taken in."), rejected=[asdict(rejected) for rejected in taken.rejected]
        )
    return taken


def read_batch(batch_id: UUID, *, jobs: QuerySet[Job] | None = None) -> Batch:
    """The batch with its jobs, restricted to `jobs` if given. Raises `NotFound`."""
    found = list((Job.objects.all() if jobs is None else jobs).filter(batch_id=batch_id).order_by("created_at", "id"))
    if not found:
        raise NotFound("There is no such batch.")
    return Batch(batch_id, found[0].topic_id, found[0].created_at, found)


def topic_of(batch_id: UUID, *, jobs: QuerySet[Job] | None = None) -> int:
    """The id of the topic that a batch lies in. Raises `NotFound`."""
    found = (Job.objects.all() if jobs is None else jobs).filter(batch_id=batch_id)
    topic_id = found.values_list("topic_id", flat=True).first()
    if topic_id is None:
        raise NotFound("There is no such batch.")
    return topic_id
