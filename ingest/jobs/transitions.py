"""Move a job. No other code writes `status` or `processing_stage`.

A move locks the row, refuses with `WrongState` unless the arrow starts where the job is, and writes the new state
and its event row in the same transaction.
"""

from itertools import takewhile
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ingest.job_states import AWAITING_REVIEW, DONE, FAILED, JobStatus, Stage, Transition
from ingest.models import Job, JobEvent
from ingest.webhook_events import job_awaits_review
from kb_project.errors import Conflict, NotFound
from kb_project.observability import tracing

MAX_WAITS = 50  # that are read; growing pauses keep a job far below it


class WrongState(Conflict):
    """The job is in another state than the move starts from. `extra` says in which."""

    code = "wrong_state"
    title = "Wrong state"

    def __init__(self, job: Job, arrow: Transition) -> None:
        verb = arrow.name.lower().replace("_", " ")
        stage = job.processing_stage
        state_name = Stage(stage).label if stage else JobStatus(job.status).label  # for languages other than English
        super().__init__(
            _("The job is %(state)s and cannot %(verb)s from there.")
            % {"state": job.state, "verb": verb, "state_name": state_name},
            job_id=str(job.pk),
            status_now=job.status,
            processing_stage=job.processing_stage,
        )
        self.job = job


class ClaimLost(Exception):
    """Another worker or a person took the job over. This worker must drop its result."""


def record_accepted(job: Job, *, by: str, why: str = "accepted") -> None:
    """Record the first event of a new job."""
    JobEvent.objects.create(job=job, to_state=str(job.state), by=by, why=why)


def wait_events(job: Job) -> list[JobEvent]:
    """The events since the job's last move that say it waits, oldest first."""
    events = list(job.events.order_by("-id")[:MAX_WAITS])
    return list(takewhile(lambda event: event.from_state == event.to_state, events))[::-1]


def record_wait(job: Job, *, by: str, why: str) -> None:
    """Record that the job waits, without a move."""
    JobEvent.objects.create(job=job, from_state=str(job.state), to_state=str(job.state), by=by, why=why)


def transition(
    job_id: UUID, arrow: Transition, *, by: str, why: str = "", held_by: str | None = None, **fields: Any
) -> Job:
    """Move the job along the arrow and write `fields` with it. Returns the job.

    With `held_by`, raises `ClaimLost` unless the job still has that claim. Raises `NotFound`, and `WrongState`
    (409) when the job is in another state than the arrow starts from.
    """
    with transaction.atomic():
        job = Job.objects.select_for_update().filter(pk=job_id).first()
        if job is None:
            raise NotFound(_("There is no such job."))
        if held_by is not None and job.claim != held_by:
            raise ClaimLost(f"Job {job_id} is no longer held by {held_by!r}.")
        return transition_locked(job, arrow, by=by, why=why, **fields)


def transition_locked(job: Job, arrow: Transition, *, by: str, why: str = "", **fields: Any) -> Job:
    """As `transition`, of a job whose row the caller's transaction has locked and read. Raises `WrongState`."""
    if job.state not in arrow.sources:
        raise WrongState(job, arrow)
    tracing.link(job.traceparent)
    before = job.state
    job.status, job.processing_stage = arrow.target.status, arrow.target.stage
    now = timezone.now()
    if arrow.target in (DONE, FAILED):
        fields = {"claim": "", "heartbeat_at": None, "progress_stage": "", "finished_at": now} | fields
    else:
        fields = {"finished_at": None, "error_code": "", "error_message": ""} | fields
    for name, value in fields.items():
        setattr(job, name, value)
    job.save(update_fields=["status", "processing_stage", *fields])
    JobEvent.objects.create(job=job, at=now, from_state=str(before), to_state=str(job.state), by=by, why=why)
    if arrow.target == AWAITING_REVIEW:
        job_awaits_review(job)
    return job
