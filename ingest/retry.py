"""Retrying a failed job whose file is still there."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction

from ingest import hints
from ingest.models import Job
from ingest.states import FAILED, Arrow
from ingest.transitions import WrongState, move
from ingest.upload import CONTENT_ONCE, refuse_duplicate
from kb_project.errors import Conflict, NotFound
from sources import storage


def retry(job_id: UUID, *, by: str) -> Job:
    """Put a failed job to work again: with its decision where a person made one, else from the start.

    Raises `WrongState` when it has not failed, `Conflict` when its file is gone, and `DuplicateDocument` when the
    same bytes came in another way meanwhile.
    """
    job = Job.objects.select_related("topic").filter(pk=job_id).first()
    if job is None:
        raise NotFound("There is no such job.")
    arrow = Arrow.RETRY if job.confirmed is None else Arrow.RETRY_CONFIRMED
    if job.state != FAILED:
        raise WrongState(job, arrow)
    if not storage.exists(job.file_key):
        raise Conflict("The file of this job is gone; upload the document again.", code="wrong_state")
    if not job.allow_duplicate:
        refuse_duplicate(topic=job.topic, sha256=job.content_sha256, besides=job.pk)
    try:
        with transaction.atomic():
            if not Job.objects.select_for_update().get(pk=job.pk).file_key:  # discarded at this instant
                raise Conflict("The file of this job is gone; upload the document again.", code="wrong_state")
            moved = move(job.pk, arrow, by=by, why="retry", attempts=0, started_at=None)
            hints.send_on_commit(moved)
    except IntegrityError as error:
        if CONTENT_ONCE in str(error):
            refuse_duplicate(topic=job.topic, sha256=job.content_sha256, besides=job.pk)
        raise
    return moved
