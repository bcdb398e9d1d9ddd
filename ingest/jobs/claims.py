"""Claim a job, keep its heartbeat, tell a dead worker from a busy one, and sweep up what lost hints and the dead left.

All times are the database's, because the clocks of machines differ.
"""

import logging
import os
import socket
import threading
import uuid
from contextlib import suppress
from contextvars import copy_context
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from ingest.job_states import CLASSIFYING, EMBEDDING, QUEUED, Stage, Transition
from ingest.jobs import dispatch, transitions
from ingest.models import Job
from kb_project.database.rows import fetch
from kb_project.observability import tracing
from kb_project.processes import ending
from sources.files import deletions

LOST_AFTER = timedelta(seconds=5)
AT_ONCE = 100  # most hints of one sweep: enough to keep every worker busy until the next
MAX_ATTEMPTS = 3
FIRST_PAUSE_S = 10.0
MAX_WAIT = timedelta(hours=1)
WORKER = "worker"
log = logging.getLogger(__name__)


def database_time() -> datetime:
    """Now by the database's clock, also where the transaction began earlier."""
    [(now,)] = fetch("SELECT clock_timestamp()", ())
    return now


def here() -> str:
    """This machine and PID namespace: two containers may have one name, and see other processes under one number."""
    try:
        return f"{socket.gethostname()}/{os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:  # a system without namespaces
        return socket.gethostname()


def new_claim() -> str:
    """A new claim: machine with PID namespace, process, and a random part."""
    return f"{here()}:{os.getpid()}:{uuid.uuid4().hex[:12]}"


def worker_is_dead(job: Job) -> bool:
    """Whether the job's worker is dead: its process has ended, or its heartbeat has stopped."""
    if not job.claim:
        return False
    place, pid, _ = job.claim.rsplit(":", 2)
    if place == here() and int(pid) != os.getpid():
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass  # alive, and owned by another user
    # A heartbeat far in the future comes from a wrong clock. A live worker would have written another since.
    silence = database_time() - job.heartbeat_at if job.heartbeat_at else timedelta.max
    return abs(silence) > timedelta(seconds=settings.KB_STALLED_AFTER_S)


def claim(job_id: UUID, *, only: Stage | None = None) -> Job | None:
    """Claim the job for this process. None when it is at rest, claimed, or must wait for its turn.

    With `only`, jobs of the other stage are not claimed.

    A job with a decision is embedded, one without is classified. `ingest.jobs.dispatch` limits how many are classified
    at a time. A job of a dead worker is taken over. After `MAX_ATTEMPTS` deaths it becomes `failed` with
    `worker_lost`.
    """
    with transaction.atomic():
        job = Job.objects.select_for_update().filter(pk=job_id).first()
        if job is None or job.state not in (QUEUED, CLASSIFYING, EMBEDDING):
            return None
        if only not in (None, Stage.CLASSIFYING if job.confirmed is None else Stage.EMBEDDING):
            return None
        if job.claim and not worker_is_dead(job):
            return None
        if job.claim and job.attempts >= MAX_ATTEMPTS:
            transitions.transition_locked(
                job,
                Transition.FAIL,
                by=WORKER,
                why=f"its worker died {job.attempts} times",
                error_code="worker_lost",
                error_message=(
                    f"Processing was cut off {job.attempts} times. The file may be damaged or too demanding; "
                    "retry it, or save it in another format and upload it again."
                ),
            )
            return None
        if job.confirmed is None and not job.claim and not dispatch.free_classifier_slots():
            dispatch.postpone(job)
            return None
        now = database_time()
        fields: dict[str, Any] = {
            "claim": new_claim(),
            "heartbeat_at": now,
            "attempts": job.attempts + 1,
            "started_at": job.started_at or now,
        }
        if job.state == QUEUED:
            arrow = Transition.START_CLASSIFYING if job.confirmed is None else Transition.START_EMBEDDING
            return transitions.transition_locked(job, arrow, by=WORKER, **fields)
        for name, value in fields.items():
            setattr(job, name, value)
        job.save(update_fields=list(fields))
        return job


def requeue_after_error(job: Job) -> bool:
    """Put a job back after a failure that may pass. False when its attempts are used up.

    The sweeper hints at it again: soon after the first failure, in its usual time after the second.
    """
    if job.attempts >= MAX_ATTEMPTS:
        return False
    early = max(0.0, settings.KB_HINT_AGAIN_AFTER_S - FIRST_PAUSE_S) if job.attempts == 1 else 0.0
    hinted_at = Now() - timedelta(seconds=early)
    Job.objects.filter(pk=job.pk, claim=job.claim).update(
        claim="", heartbeat_at=None, hinted_at=hinted_at, progress_stage=""
    )
    return True


def requeue_while_storage_is_away(job: Job, *, why: str) -> bool:
    """Put a job back while the storage is away. It does not count as an attempt, and the pauses grow.

    The pause doubles from `FIRST_PAUSE_S` to the sweeper's usual time. Each longer pause gets an event. False when
    the job has waited for longer than `MAX_WAIT`.
    """
    with transaction.atomic():
        held = Job.objects.select_for_update().filter(pk=job.pk, claim=job.claim).first()
        if held is None:
            return True  # another worker has the job now
        waited = transitions.wait_events(held)
        if waited and database_time() - waited[0].at > MAX_WAIT:
            return False
        longest = settings.KB_HINT_AGAIN_AFTER_S
        pause = min(FIRST_PAUSE_S * 2 ** len(waited), longest)
        if pause < longest or not waited or FIRST_PAUSE_S * 2 ** (len(waited) - 1) < longest:
            transitions.record_wait(held, by=WORKER, why=f"{why} Trying again in {pause:.0f} s.")
        held.claim, held.heartbeat_at, held.progress_stage = "", None, ""
        # Not 0: that means that no worker has begun yet, and the sweeper would hint without a pause.
        held.attempts = max(held.attempts - 1, 1)
        held.hinted_at = database_time() - timedelta(seconds=longest - pause)
        held.save(update_fields=["claim", "heartbeat_at", "progress_stage", "attempts", "hinted_at"])
    return True


def requeue(job: Job) -> None:
    """Put back a job whose source was changed meanwhile, or whose worker is to end. It does not count as an attempt.

    Needs a transaction. The hint is sent after it. Raises `ClaimLost`.
    """
    held = Job.objects.filter(pk=job.pk, claim=job.claim)
    if not held.update(claim="", heartbeat_at=None, progress_stage="", attempts=F("attempts") - 1):
        raise transitions.ClaimLost(f"Job {job.pk} is no longer held by {job.claim!r}.")
    dispatch.send_on_commit(job)


class Heartbeat:
    """Writes every few seconds that the worker lives, with its progress, on a connection of its own.

    `check()` raises `ClaimLost` once the job was taken away, or given back because the worker is to end: call it
    between pages and batches.
    """

    def __init__(self, job: Job) -> None:
        self._job, self._job_id, self._claim = job, job.pk, job.claim
        self._progress = ("", 0)
        self._stop, self._lost = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=copy_context().run, args=[self._run], name="job-heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=settings.KB_HEARTBEAT_S)

    def progress(self, stage: str, done: int) -> None:
        self._progress = (stage, done)
        self.check()

    @property
    def is_lost(self) -> bool:
        """Whether another worker has the job, or may have it, as of the last beat."""
        return self._lost.is_set()

    def check(self) -> None:
        if self.is_lost:
            raise transitions.ClaimLost(f"Job {self._job_id} was taken away from {self._claim}.")

    def _run(self) -> None:
        try:
            with tracing.suppressed():
                while not self._lost.is_set() and not self._stop.wait(settings.KB_HEARTBEAT_S):
                    self._beat()
        finally:
            connection.close()

    def _beat(self) -> None:
        stage, done = self._progress
        try:
            if ending.shutdown_deadline_passed():
                self._give_back()
                return
            held = Job.objects.filter(pk=self._job_id, claim=self._claim).update(
                heartbeat_at=Now(), progress_stage=stage, progress_done=done
            )
        except (DatabaseError, InterfaceError):
            log.warning("Could not write the heartbeat of job %s", self._job_id, exc_info=True)
            connection.close()  # a broken connection is not used again
            return
        if not held:
            self._lost.set()

    def _give_back(self) -> None:
        """Here and not where the work is done: that may wait for a provider, or read a page, for longer than it has."""
        with suppress(transitions.ClaimLost), transaction.atomic():
            requeue(self._job)
            log.info("Job %s is given back: its worker is to end", self._job_id)
        self._lost.set()


def sweep() -> int:
    """Hint at waiting and abandoned jobs, and repeat failed deletions. Returns the number of hints.

    A job that waits is only hinted at again. It never fails for waiting.
    """
    deletions.retry_failed()
    again = timedelta(seconds=settings.KB_HINT_AGAIN_AFTER_S)
    # A hint far in the future comes from a wrong clock.
    unheard = Q(hinted_at__isnull=True) | Q(hinted_at__lt=Now() - again) | Q(hinted_at__gt=Now() + again)
    for decided in (True, False):
        # An empty queue means that hints of waiting jobs were lost: the broker or a worker was killed.
        if dispatch.queue_is_empty(decided=decided):
            unheard |= Q(attempts=0, hinted_at__lt=Now() - LOST_AFTER, confirmed__isnull=not decided)
    under_way = Job.objects.in_state(QUEUED, CLASSIFYING, EMBEDDING).order_by("created_at")
    waiting = under_way.filter(unheard, claim="")
    if not dispatch.free_classifier_slots():  # no place is free for jobs to be classified
        waiting = waiting.exclude(confirmed__isnull=True)
    abandoned = [job for job in under_way.exclude(claim="") if worker_is_dead(job)]
    jobs = [*abandoned, *waiting[:AT_ONCE]]
    Job.objects.filter(pk__in=[job.pk for job in jobs]).update(hinted_at=Now())
    return sum(dispatch.send(job) for job in jobs)
