"""The review of a batch, file by file: where one is, and what comes next, inside a filter."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from ingest.job_states import AWAITING_REVIEW
from ingest.models import Job
from ingest.review import review_locks
from ingest.review.listing import BatchFilter, JobRow
from ingest.review.phases import ReviewPhase


@dataclass(frozen=True, slots=True)
class BatchPosition:
    """A job's position among those of its batch that the filter finds. `number` is None if it does not find it.

    `is_next`: another of them awaits review that nobody else has open.
    """

    number: int | None
    total: int
    awaiting: int
    previous: UUID | None
    next: UUID | None
    is_next: bool


def position(batch_id: UUID, wanted: BatchFilter, job_id: UUID, *, by: str) -> BatchPosition:
    """Where a job stands for `by`."""
    rows = [(row, wanted.fits(row)) for row in wanted.read(batch_id)]
    around = [row.job.pk for row, fits in rows if fits or row.job.pk == job_id]
    here = around.index(job_id)
    found = [row for row, fits in rows if fits]
    is_found = any(row.job.pk == job_id for row in found)
    free = set(_waiting(found)) - {job_id} - review_locks.locks_of_others(batch_id, by=by).keys()
    return BatchPosition(
        number=here + 1 if is_found else None,
        total=len(found),
        awaiting=len(_waiting(found)),
        previous=around[here - 1] if here else None,
        next=around[here + 1] if here + 1 < len(around) else None,
        is_next=bool(free),
    )


def jobs_after(batch_id: UUID, wanted: BatchFilter, *, after: UUID | None = None) -> list[UUID]:
    """The jobs that the filter finds and that await review, those behind `after` first, without itself."""
    rows = wanted.read(batch_id)
    place = next((number for number, row in enumerate(rows, 1) if row.job.pk == after), 0)
    turned = rows[place:] + rows[: max(0, place - 1)]
    return _waiting(row for row in turned if wanted.fits(row))


def still_waiting(job_ids: Collection[UUID]) -> list[UUID]:
    """Those of the jobs that await review now, in the given order."""
    waiting = set(Job.objects.in_state(AWAITING_REVIEW).filter(pk__in=job_ids).values_list("pk", flat=True))
    return [pk for pk in job_ids if pk in waiting]


def _waiting(rows: Iterable[JobRow]) -> list[UUID]:
    return [row.job.pk for row in rows if row.phase is ReviewPhase.AWAITING_REVIEW]
