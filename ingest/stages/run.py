"""Run the next stage of a job, and turn a failure into a code, a sentence and a next step."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from extraction.document import ExtractionFailed
from ingest.documents.versions import Overtaken
from ingest.job_states import CLASSIFYING, Stage, Transition
from ingest.jobs import claims, dispatch, transitions
from ingest.models import Job
from ingest.stages.classify.stage import classify
from ingest.stages.publish import embed
from kb_project.api.problem import is_of_storage
from kb_project.errors import NotFound, ProviderError
from kb_project.observability import tracing
from sources.files import deletions, storage
from sources.work_versions import VersionOverlap

log = logging.getLogger(__name__)

DATABASE_BACK_WITHIN_S = 45.0
SHOWN_WITHIN = timedelta(minutes=1)  # a file that a store on the network has taken


def run_job(job_id: UUID, *, only: Stage | None = None) -> Job | None:
    """Claim the job and take it to its next state of rest: to review, or with a decision, to its source.

    With `only`, no other stage is run.

    Returns None when there was nothing to do, or when another worker took the job over. A failure of the file is
    recorded on the job. A failure that may pass (provider, database) puts the job back, up to `claims.MAX_ATTEMPTS`
    times. While the storage is away the job waits, for at most `claims.MAX_WAIT`.
    """
    job = claims.claim(job_id, only=only)
    if job is None:
        return None
    name = "classify job" if job.state == CLASSIFYING else "index job"
    said: tracing.Attributes = {
        "kb.job.id": str(job.pk),
        "kb.job.attempt": job.attempts,
        "kb.topic.id": job.topic_id,
    }
    with tracing.span(name, said, kind=tracing.CONSUMER, parent=job.traceparent):
        return _run(job)


def _run(job: Job) -> Job | None:
    job_id = job.pk
    stage: Callable[[Job, claims.Heartbeat], object] = classify if job.state == CLASSIFYING else embed
    try:
        with claims.Heartbeat(job) as heartbeat:
            stage(job, heartbeat)
    except transitions.ClaimLost:
        log.info("Job %s was taken away; what was made of it is dropped", job_id)
        return None
    except ExtractionFailed as failure:
        _record(_fail, job, code=failure.code, message=failure.message)
    except (Overtaken, VersionOverlap) as refusal:
        _record(_fail, job, code=refusal.code, message=refusal.detail)
    except ProviderError as error:
        _record(requeue_or_fail, job, code="provider_error", message=error.detail, retryable=error.retryable)
    except (DatabaseError, InterfaceError):
        log.exception("The database failed under job %s", job_id)
        message = "The database failed while this file was worked on."
        _record(requeue_or_fail, job, code="database_error", message=message)
    except Exception as error:
        if isinstance(error, FileNotFoundError) and _is_gone(job):
            log.exception("The stored file of job %s is gone", job_id)
            how = _wait_or_fail if _may_still_come(job) else _fail
            _record(how, job, code="file_missing", message="The stored file is gone. Upload the document again.")
            return Job.objects.get(pk=job_id)
        log.exception("Job %s failed", job_id)
        if isinstance(error, OSError) or is_of_storage(error):
            _record(_wait_or_fail, job, code="storage_error", message="The file store failed. Retry the job.")
        else:
            message = "Something went wrong inside the service; its log says what. Retry the job."
            _record(_fail, job, code="internal_error", message=message)
    finally:
        if stage is classify:
            dispatch.dispatch_waiting()
    return Job.objects.get(pk=job_id)


def _record(how: Callable[..., None], job: Job, **what: Any) -> None:
    """Record the end, on a new connection if the old one broke, and retry while the database is away.

    Otherwise the job would look claimed until its heartbeat is missed, which counts as a death of its worker.
    """
    tracing.fail(what["code"])
    ends = time.monotonic() + DATABASE_BACK_WITHIN_S
    while True:
        connection.close_if_unusable_or_obsolete()
        try:
            return how(job, **what)
        except (OperationalError, InterfaceError):
            if time.monotonic() > ends:
                raise
            time.sleep(1.0)


def _is_gone(job: Job) -> bool:
    """Whether the missing file is the job's own, and not one that could not be written."""
    try:
        return not storage.exists(job.stored_key)
    except Exception:
        log.warning("Could not look for the file of job %s", job.pk, exc_info=True)
        return False


def _may_still_come(job: Job) -> bool:
    """Whether the file is new, in a store that shows some seconds later what it has taken."""
    return storage.local_path(job.stored_key) is None and timezone.now() - job.created_at < SHOWN_WITHIN


def requeue_or_fail(job: Job, *, code: str, message: str, retryable: bool = True) -> None:
    if not (retryable and claims.requeue_after_error(job)):
        _fail(job, code=code, message=message)


def _wait_or_fail(job: Job, *, code: str, message: str) -> None:
    if not claims.requeue_while_storage_is_away(job, why=f"{code}: The file store failed."):
        _fail(job, code=code, message=message)


def _fail(job: Job, *, code: str, message: str) -> None:
    """Record the failure and move the file to the failed area, unless a source owns it."""
    key = _in_failed_area(job) if job.file_key else ""
    try:
        with transaction.atomic():
            transitions.transition(
                job.pk,
                Transition.FAIL,
                by=claims.WORKER,
                held_by=job.claim,
                why=f"{code}: {message}",
                file_key=key,
                error_code=code,
                error_message=message,
            )
            if key != job.file_key:
                deletions.confirm(key)
                deletions.delete_on_commit(job.file_key)
    except (transitions.ClaimLost, transitions.WrongState, NotFound):
        log.info("Job %s was decided by someone else meanwhile", job.pk)
        if key != job.file_key:
            deletions.release(key)


def _in_failed_area(job: Job) -> str:
    """The key of a copy of the job's file in the failed area, or its own key if it cannot be copied."""
    kind = (job.confirmed or {}).get("kind") or job.kind
    if storage.is_in_area(job.file_key, storage.Area.FAILED, kind=kind):
        return job.file_key
    key = storage.fresh_key(job.file_key, storage.Area.FAILED, kind=kind)
    deletions.reserve(key)
    try:
        storage.copy(job.file_key, key)
    except Exception:  # the failure is recorded anyway
        log.warning("Could not move the file of job %s to the failed area", job.pk, exc_info=True)
        deletions.release(key)
        return job.file_key
    return key
