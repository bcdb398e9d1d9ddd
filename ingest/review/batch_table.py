"""The table of one batch: its rows in a fixed order, filtered, and the rows that changed since an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from uuid import UUID

from django.db.models import Count, Max, Min, QuerySet
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ingest.models import Draft, Job, JobEvent
from ingest.page_pictures import THUMBNAIL
from ingest.review.failures import why_failed
from ingest.review.phases import CONDITIONS, Phase, Progress, phase_of
from ingest.review.proposals import (
    KnownLabels,
    Proposal,
    confirmed_chips,
    label_slugs,
    propose,
    shown_slugs,
    ticked_names,
)
from ingest.review.warnings import ReviewWarning, WarningCode, warnings_of
from sources.kinds import Kind

SHOWN_LABELS = 4
READ = (Phase.AWAITING_REVIEW, Phase.EMBEDDING, Phase.DONE)
"""The phases in which a first page can be shown."""
FIXED_ORDER = ("created_at", "id")
SHOWN = (
    *("id", "batch_id", "topic_id", "status", "processing_stage", "ai_suggestions", "confirmed", "warnings"),
    *("filename", "error_code", "error_message", "duplicate_of"),
)
"""The columns that the table needs. All columns of 500 rows are slow to read."""


@dataclass(frozen=True, slots=True)
class Row:
    """One job as the table shows it."""

    job_id: str
    batch_id: str
    phase: Phase
    filename: str
    title: str
    kind: str
    labels: tuple[str, ...]
    warnings: tuple[ReviewWarning, ...]
    error: str


def rows_html(rows: Iterable[Row], *, out_of_band: bool = False) -> SafeString:
    """The rows as HTML. `out_of_band` rows replace those on the page.

    Every text of a person or of a document is escaped on its way in.
    """
    attributes = ' hx-swap-oob="true"' if out_of_band else ""
    language = get_language()
    return mark_safe("".join(_row_html(row, attributes, language) for row in rows))


def _row_html(row: Row, attributes: str, language: str | None) -> str:
    job, name = row.job_id, escape(row.filename)
    return (
        f'<tr id="job-{job}"{attributes}><td class="tick"><label><input type="checkbox" name="jobs" value="{job}"'
        f' id="tick-{job}"><span class="unseen">{_select(language)} {name}</span></label></td>'
        f'<td class="thumb">{_thumbnail(row)}</td>'
        f'<th scope="row"><a href="/review/{row.batch_id}/{job}/"><bdi>{name}</bdi></a></th>'
        f"<td>{_title(row)}</td><td>{_labels(row.labels)}</td>"
        f"<td>{''.join([_warning(warning, language) for warning in row.warnings])}</td>"
        f"<td>{_status(row.phase, language)}{_error(row.error)}</td></tr>"
    )


def _thumbnail(row: Row) -> str:
    extension = row.filename.rpartition(".")[2].lower()[:5] if "." in row.filename else ""
    if extension == "pdf" and row.phase in READ:
        address = f"/admin/kb/jobs/{row.job_id}/pages/1.png?width={THUMBNAIL}"
        return f'<img src="{address}" alt="" loading="lazy" width="48" height="68">'
    return f'<span class="thumb-type" aria-hidden="true">{escape(extension)}</span>'


def _title(row: Row) -> str:
    title = f'<span class="row-title"><bdi>{escape(row.title)}</bdi></span>' if row.title else ""
    return title + (f'<span class="kind">{escape(row.kind)}</span>' if row.kind else "")


def _labels(names: tuple[str, ...]) -> str:
    more = len(names) - SHOWN_LABELS
    shown = "".join([_chip(name) for name in names[:SHOWN_LABELS]])
    return shown + (f"<bdi>+{more}</bdi>" if more > 0 else "")


def _error(sentence: str) -> str:
    return f'<span class="error" dir="auto">{escape(sentence)}</span>' if sentence else ""


# Parts that many rows share are rendered once.


@lru_cache(maxsize=1024)
def _chip(name: str) -> str:
    return f'<span class="chip" dir="auto">{escape(name)}</span>'


@lru_cache(maxsize=1024)
def _warning(warning: ReviewWarning, language: str | None) -> str:
    return f'<span class="warning" title="{escape(warning.sentence)}">{escape(warning.name)}</span>'


@lru_cache(maxsize=8)
def _select(language: str | None) -> str:
    return escape(_("Select"))


@lru_cache(maxsize=64)
def _status(phase: Phase, language: str | None) -> str:
    swatch = '<span class="swatch" aria-hidden="true"></span>'
    return f'<span class="status phase-{phase.value}">{swatch}{escape(str(phase.label))}</span>'


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
