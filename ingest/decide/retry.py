"""Go on with a job whose file still exists: a failed or discarded one, or one that is to be classified again."""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from ingest.decide.discard import is_discarded
from ingest.documents.reindex import live_reindexes
from ingest.job_states import AWAITING_REVIEW, FAILED, Transition
from ingest.jobs import dispatch
from ingest.jobs.transitions import WrongState, transition
from ingest.models import Job
from ingest.similar.duplicates import CONTENT_ONCE, raise_if_duplicate
from kb_project.errors import Conflict, NotFound
from labels import locks
from sources.files import storage


def retry(job_id: UUID, *, by: str) -> Job:
    """Queue a failed job again, with its decision if it has one.

    Raises `WrongState` when it has not failed, `Conflict` when its file is gone or its source is being indexed again
    already, and `DuplicateDocument` when another job or source holds the same bytes by now.
    """
    job = _found(job_id)
    return _go_on(job, _again(job), by=by, why="retry")


def take_back(job_id: UUID, *, by: str) -> Job:
    """Take the discarding of a job back: one with a proposal awaits review again, any other is tried again.

    Raises `WrongState` when it is not discarded, and as `retry` does.
    """
    job = _found(job_id)
    if not is_discarded(job):
        raise WrongState(job, Transition.TAKE_BACK)
    was = job.events.order_by("-id").values_list("from_state", flat=True).first()
    awaited = was == str(AWAITING_REVIEW) and job.ai_suggestions
    return _go_on(job, Transition.TAKE_BACK if awaited else _again(job), by=by, why="taken back")


def _again(job: Job) -> Transition:
    return Transition.RETRY if job.confirmed is None else Transition.RETRY_CONFIRMED


def _found(job_id: UUID) -> Job:
    job = Job.objects.select_related("topic", "source").filter(pk=job_id).first()
    if job is None:
        raise NotFound(_("There is no such job."))
    return job


def _go_on(job: Job, arrow: Transition, *, by: str, why: str) -> Job:
    """Move a failed job along the arrow, unless its file is gone or its bytes came anew."""
    if job.state != FAILED:
        raise WrongState(job, arrow)
    if not storage.exists(job.stored_key):
        raise file_gone()
    if job.reindex:
        return _retry_reindex(job, by=by)
    if not job.allow_duplicate:
        raise_if_duplicate(topic=job.topic, sha256=job.content_sha256, besides=job.pk)
    try:
        with transaction.atomic():
            now = Job.objects.select_for_update().get(pk=job.pk)
            if not now.file_key:  # discarded since
                raise file_gone()
            if is_discarded(now) is not is_discarded(job):
                raise WrongState(now, arrow)
            return _move(job, arrow, by=by, why=why)
    except IntegrityError as error:
        if CONTENT_ONCE in str(error):
            raise_if_duplicate(topic=job.topic, sha256=job.content_sha256, besides=job.pk)
        raise


def classify_again(job_id: UUID, *, by: str) -> Job:
    """Queue a job that awaits review for another proposal. Until one is made, the job keeps the one it has.

    What reviewers set for it stays. Raises `WrongState` unless it awaits review, `Conflict` when its file is gone
    or it is a reopened source.
    """
    job = _found(job_id)
    if job.state not in Transition.CLASSIFY_AGAIN.sources:
        raise WrongState(job, Transition.CLASSIFY_AGAIN)
    if job.source_id:  # another proposal would say less than the person did
        raise Conflict(_("It is a source already: confirm it anew, or edit it in the library."), code="wrong_state")
    if not storage.exists(job.file_key):
        raise file_gone()
    with transaction.atomic():
        return _move(job, Transition.CLASSIFY_AGAIN, by=by, why="classify again")


def _retry_reindex(job: Job, *, by: str) -> Job:
    with transaction.atomic():
        source = locks.source(job.source_id or 0)
        if live_reindexes(source).exists():
            raise Conflict(_("The source is being read again already."), code="wrong_state")
        return _move(job, Transition.RETRY_CONFIRMED, by=by)


def _move(job: Job, arrow: Transition, *, by: str, why: str = "retry") -> Job:
    moved = transition(job.pk, arrow, by=by, why=why, attempts=0, started_at=None)
    if moved.state != AWAITING_REVIEW:
        dispatch.send_on_commit(moved)
    return moved


def file_gone() -> Conflict:
    return Conflict(_("The file of this job is gone; upload the document again."), code="wrong_state")
