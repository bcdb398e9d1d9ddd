"""The table of one batch: its rows in a fixed order, filtered, and the rows that changed since an event."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Count, Max, Min, QuerySet
from django.utils.safestring import SafeString

from ingest.models import Draft, Job, JobEvent
from ingest.review.failures import why_failed
from ingest.review.phases import CONDITIONS, Phase, phase_of
from ingest.review.progress import Progress
from ingest.review.proposals import (
    KnownLabels,
    Proposal,
    confirmed_chips,
    label_slugs,
    propose,
    shown_slugs,
    ticked_names,
)
from ingest.review.row import Row, rows_html
from ingest.review.warnings import ReviewWarning, WarningCode, warnings_of
from sources.kinds import Kind

FIXED_ORDER = ("created_at", "id")
SHOWN = (
    *("id", "batch_id", "topic_id", "status", "processing_stage", "ai_suggestions", "confirmed", "warnings"),
    *("filename", "error_code", "error_message", "duplicate_of"),
)
"""The columns that the table needs. All columns of 500 rows are slow to read."""


@dataclass(frozen=True, slots=True)
class BatchTable:
    rows: list[Row]
    progress: Progress
    found_warnings: dict[str, int] = field(default_factory=dict)
    last_event: int = 0

    @property
    def html(self) -> SafeString:
        return rows_html(self.rows)

    @property
    def html_out_of_band(self) -> SafeString:
        return rows_html(self.rows, out_of_band=True)


def jobs_of(batch_id: UUID) -> QuerySet[Job]:
    return Job.objects.filter(batch_id=batch_id).order_by(*FIXED_ORDER)


def table(batch_id: UUID, *, phase: str = "", warning: str = "") -> BatchTable:
    """The counts of the whole batch, and its filtered rows."""
    last_event = newest_event(batch_id)  # read before the jobs: a change in between is shown twice, not missed
    jobs = list(jobs_of(batch_id).only(*SHOWN))
    phases = {job.pk: phase_of(job) for job in jobs}
    warnings = {job.pk: warnings_of(job) for job in jobs}
    counted = Counter(code for found in warnings.values() for code in {one.code for one in found})
    wanted = [
        job
        for job in jobs
        if (not phase or phases[job.pk] == phase)
        and (not warning or any(one.code == warning for one in warnings[job.pk]))
    ]
    return BatchTable(
        rows=rows_of(wanted, warnings=warnings),
        progress=Progress.of(Counter(phases.values())),
        found_warnings={code.value: counted[code] for code in WarningCode if counted[code]},
        last_event=last_event,
    )


def newest_event(batch_id: UUID) -> int:
    return JobEvent.objects.filter(job__batch_id=batch_id).aggregate(newest=Max("id"))["newest"] or 0


def changed_since(batch_id: UUID, event_id: int) -> tuple[BatchTable, bool]:
    """The rows that moved since that event, and whether files arrived that have no row yet."""
    last_event = max(newest_event(batch_id), event_id)
    moved = JobEvent.objects.filter(job__batch_id=batch_id, id__gt=event_id)
    first = dict(moved.values_list("job_id").annotate(Min("from_state")))
    changed = list(jobs_of(batch_id).filter(pk__in=first)) if first else []
    rows = rows_of(changed, warnings={job.pk: warnings_of(job) for job in changed})
    counts = jobs_of(batch_id).aggregate(**{phase.value: Count("pk", filter=at) for phase, at in CONDITIONS.items()})
    progress = Progress.of({phase: counts[phase.value] for phase in Phase})
    return BatchTable(rows=rows, progress=progress, last_event=last_event), "" in first.values()


def proposals_of(jobs: list[Job]) -> dict[UUID, Proposal]:
    """The initial form values of each job, in three queries."""
    drafts = drafts_of(jobs)
    known = KnownLabels(slug for job in jobs for slug in label_slugs(job, drafts.get(job.pk)))
    return {job.pk: propose(job, draft=drafts.get(job.pk), known=known) for job in jobs}


def drafts_of(jobs: list[Job]) -> dict[UUID, Draft]:
    """Drafts by job id. They are read by batch, because a query with 500 ids is slower."""
    batches = {job.batch_id for job in jobs}
    return {draft.pk: draft for draft in Draft.objects.filter(job__batch_id__in=batches)} if batches else {}


def rows_of(jobs: list[Job], *, warnings: dict[UUID, list[ReviewWarning]]) -> list[Row]:
    drafts = drafts_of(jobs)
    kinds = {value: str(name) for value, name in Kind.choices}
    known = KnownLabels(slug for job in jobs for slug in shown_slugs(job, drafts.get(job.pk)))
    rows = []
    for job in jobs:
        draft = drafts.get(job.pk)
        if job.confirmed is None:
            values, names = job.ai_suggestions or {}, ticked_names(job, draft, known)
        else:
            values, names = job.confirmed, [chip.name for chip in confirmed_chips(job, known)]
        kind = draft.kind if draft and draft.kind and job.confirmed is None else values.get("kind")
        rows.append(
            Row(
                job_id=str(job.pk),
                batch_id=str(job.batch_id),
                phase=phase_of(job),
                filename=job.filename,
                title=values.get("title") or "",
                kind=kinds.get(kind or "", ""),
                labels=tuple(names),
                warnings=tuple({one.code: one for one in warnings[job.pk]}.values()),
                error=why_failed(job),
            )
        )
    return rows
