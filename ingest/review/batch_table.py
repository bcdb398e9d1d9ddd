"""The table of one batch: its rows in their fixed order, filtered, and what of it changed since it was last shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Count, Max, Min, QuerySet

from ingest.models import Draft, Job, JobEvent
from ingest.review.failures import why_failed
from ingest.review.phases import CONDITIONS, Phase, phase_of
from ingest.review.progress import Progress
from ingest.review.proposals import KnownLabels, Proposal, confirmed_chips, label_slugs, propose
from ingest.review.row import Row
from ingest.review.warnings import ReviewWarning, WarningCode, warnings_of
from sources.kinds import Kind

FIXED_ORDER = ("created_at", "id")
SHOWN = (
    *("id", "batch_id", "topic_id", "status", "processing_stage", "ai_suggestions", "confirmed", "warnings"),
    *("filename", "error_code", "error_message", "duplicate_of"),
)
"""The columns that the table needs: 500 rows of all of them would take their time."""


@dataclass(frozen=True, slots=True)
class Table:
    rows: list[Row]
    progress: Progress
    found_warnings: dict[str, int] = field(default_factory=dict)
    last_event: int = 0


def jobs_of(batch_id: UUID) -> QuerySet[Job]:
    return Job.objects.filter(batch_id=batch_id).order_by(*FIXED_ORDER)


def table(batch_id: UUID, *, phase: str = "", warning: str = "") -> Table:
    """The whole batch counted, and the rows that the filters leave."""
    last_event = newest_event(batch_id)  # before the jobs are read: a change meanwhile is shown twice, not never
    jobs = list(jobs_of(batch_id).only(*SHOWN))
    warnings = {job.pk: warnings_of(job) for job in jobs}
    counted = Counter(code for found in warnings.values() for code in {str(one.code) for one in found})
    wanted = [
        job
        for job in jobs
        if (not phase or phase_of(job) == phase)
        and (not warning or any(one.code == warning for one in warnings[job.pk]))
    ]
    return Table(
        rows=rows_of(wanted, warnings=warnings),
        progress=Progress.of(Counter(phase_of(job) for job in jobs)),
        found_warnings={code.value: counted[code.value] for code in WarningCode if counted[code.value]},
        last_event=last_event,
    )


def newest_event(batch_id: UUID) -> int:
    return JobEvent.objects.filter(job__batch_id=batch_id).aggregate(newest=Max("id"))["newest"] or 0


def changed_since(batch_id: UUID, event_id: int) -> tuple[Table, bool]:
    """The rows that moved since that event, and whether files arrived that have no row yet."""
    last_event = max(newest_event(batch_id), event_id)
    moved = JobEvent.objects.filter(job__batch_id=batch_id, id__gt=event_id)
    first = dict(moved.values_list("job_id").annotate(Min("from_state")))
    changed = list(jobs_of(batch_id).filter(pk__in=first)) if first else []
    rows = rows_of(changed, warnings={job.pk: warnings_of(job) for job in changed})
    counts = jobs_of(batch_id).aggregate(**{phase.value: Count("pk", filter=at) for phase, at in CONDITIONS.items()})
    progress = Progress.of({phase: counts[phase.value] for phase in Phase})
    return Table(rows=rows, progress=progress, last_event=last_event), "" in first.values()


def proposals_of(jobs: list[Job]) -> dict[UUID, Proposal]:
    """What each job's form starts with, for any number of jobs with three queries."""
    drafts = Draft.objects.in_bulk([job.pk for job in jobs])
    known = KnownLabels(slug for job in jobs for slug in label_slugs(job, drafts.get(job.pk)))
    return {job.pk: propose(job, draft=drafts.get(job.pk), known=known) for job in jobs}


def rows_of(jobs: list[Job], *, warnings: dict[UUID, list[ReviewWarning]]) -> list[Row]:
    proposals = proposals_of(jobs)
    kinds = {value: str(name) for value, name in Kind.choices}
    decided = KnownLabels(label["slug"] for job in jobs for label in (job.confirmed or {}).get("labels", []))
    rows = []
    for job in jobs:
        proposal = proposals[job.pk]
        values, chips = proposal.values, [chip for chip in proposal.chips if chip.ticked]
        if job.confirmed is not None:
            values, chips = job.confirmed, confirmed_chips(job, decided)
        rows.append(
            Row(
                job_id=str(job.pk),
                batch_id=str(job.batch_id),
                phase=phase_of(job),
                filename=job.filename,
                title=values.get("title") or "",
                kind=kinds.get(values.get("kind") or "", ""),
                labels=tuple(chip.name for chip in chips),
                warnings=tuple({one.code: one for one in warnings[job.pk]}.values()),
                error=why_failed(job),
            )
        )
    return rows
