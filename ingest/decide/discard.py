"""Discard a job with its file."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ingest.job_states import AWAITING_REVIEW, FAILED, Arrow
from ingest.jobs.transitions import move
from ingest.models import Job
from kb_project.errors import Conflict, NotFound
from sources.files import deletions, storage

DISCARDED = "discarded"


def discard(job_id: UUID, *, by: str) -> Job:
    """Take the job out: `failed` with the code `discarded`; its file is deleted after the commit.

    A worker that is classifying it loses its claim and drops what it made. Raises `WrongState` when the job is
    being embedded or done, `Conflict` when it was reopened and is a source, or when it has failed and its file is gone
    already, and `NotFound`.
    """
    job = Job.objects.filter(pk=job_id).first()
    if job is None:
        raise NotFound(_("There is no such job."))
    if job.state == FAILED and not storage.exists(job.file_key):  # checked before the row is locked
        raise nothing_left()
    with transaction.atomic():
        job = Job.objects.select_for_update().get(pk=job_id)
        if job.state == FAILED and not job.file_key:  # discarded by someone else
            raise nothing_left()
        if job.state == AWAITING_REVIEW and job.source_id:
            raise is_a_source()
        key = job.file_key
        discarded = move(
            job_id,
            Arrow.DISCARD,
            by=by,
            why=DISCARDED,
            file_key="",
            error_code=DISCARDED,
            error_message=f"Discarded by {by}; the file was deleted." if key else f"Discarded by {by}.",
        )
        deletions.request(key)
    return discarded


def is_a_source() -> Conflict:
    return Conflict(
        _("It is a source already: confirm it anew, or delete the source in the library."), code="wrong_state"
    )


def nothing_left() -> Conflict:
    return Conflict(_("The job has failed and its file is gone already."), code="wrong_state")
