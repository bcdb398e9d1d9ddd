"""Discard a job with its file."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from ingest.job_states import AWAITING_REVIEW, FAILED, Transition
from ingest.jobs.transitions import transition
from ingest.models import Job
from kb_project.errors import Conflict, NotFound
from sources.files import deletions, storage

DISCARDED = "discarded"
TAKEN_BACK_WITHIN = timedelta(minutes=10)
LET_GO_AT_ONCE = 1_000


def discard(job_id: UUID, *, by: str, keeps_file: bool = False) -> Job:
    """Take the job out: `failed` with the code `discarded`. Its file is deleted after the commit.

    With `keeps_file` the job keeps its file for `TAKEN_BACK_WITHIN`, so that it can be taken back (`retry.take_back`).
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
        if job.state == FAILED and (not job.file_key or (keeps_file and is_discarded(job))):  # by someone else
            raise nothing_left()
        if job.state == AWAITING_REVIEW and job.source_id:
            raise is_a_source()
        discarded = transition(
            job_id, Transition.DISCARD, by=by, why=DISCARDED, error_code=DISCARDED, error_message=f"Discarded by {by}."
        )
        if not keeps_file:
            _let_go(discarded)
    return discarded


def is_discarded(job: Job) -> bool:
    return job.state == FAILED and job.error_code == DISCARDED


def let_go() -> int:
    """Delete the files of what can no longer be taken back. Returns of how many jobs."""
    old = Job.objects.in_state(FAILED).filter(error_code=DISCARDED, finished_at__lt=Now() - TAKEN_BACK_WITHIN)
    keeping = old.exclude(file_key="")
    let_go = 0
    for pk in list(keeping.order_by("finished_at").values_list("pk", flat=True)[:LET_GO_AT_ONCE]):
        with transaction.atomic():
            job = keeping.select_for_update().filter(pk=pk).first()  # it may have been taken back
            if job is not None:
                _let_go(job)
                let_go += 1
    return let_go


def _let_go(job: Job) -> None:
    """Have the file of a discarded job deleted, whose row is locked."""
    if not job.file_key:
        return
    deletions.delete_on_commit(job.file_key)
    job.file_key, job.error_message = "", job.error_message.removesuffix(".") + "; the file was deleted."
    job.save(update_fields=["file_key", "error_message"])


def is_a_source() -> Conflict:
    return Conflict(
        _("It is a source already: confirm it anew, or delete the source in the library."), code="wrong_state"
    )


def nothing_left() -> Conflict:
    return Conflict(_("The job has failed and its file is gone already."), code="wrong_state")
