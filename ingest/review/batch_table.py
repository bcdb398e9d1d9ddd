"""The table of one batch: its rows in a fixed order, filtered, and the rows that changed since an event.

The rows are joined as HTML here: a template would take half a second for 500 of them.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from uuid import UUID

from django.db.models import Max, Min, QuerySet
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ingest.models import Draft, Job, JobEvent
from ingest.review.phases import COUNTS, Phase, Progress, phase_of
from ingest.review.proposals import (
    Chip,
    KnownLabels,
    Proposal,
    confirmed_chips,
    label_slugs,
    propose,
    shown_slugs,
)
from ingest.review.warnings import ReviewWarning, WarningCode, warnings_of, why_failed
from sources.kinds import Kind
from sources.page_pictures import THUMBNAIL

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
class BatchTable:
    """The rows as HTML, and the counts of the whole batch."""

    html: SafeString
    progress: Progress
    found_warnings: dict[str, int] = field(default_factory=dict)
    last_event: int = 0


def _thumbnail(job: Job) -> str:
    extension = job.filename.rpartition(".")[2].lower()[:5] if "." in job.filename else ""
    if extension == "pdf" and phase_of(job) in READ:
        address = f"/admin/kb/jobs/{job.pk}/pages/1.png?width={THUMBNAIL}"
        return f'<img src="{address}" alt="" loading="lazy" width="48" height="68">'
    return f'<span class="thumb-type" aria-hidden="true">{escape(extension)}</span>'


def _title(title: str) -> str:
    return f'<span class="row-title"><bdi>{escape(title)}</bdi></span>' if title else ""


def _labels(chips: list[Chip]) -> str:
    more = len(chips) - SHOWN_LABELS
    shown = "".join([_chip(chip.name) for chip in chips[:SHOWN_LABELS]])
    return shown + (f"<bdi>+{more}</bdi>" if more > 0 else "")


def _error(sentence: str) -> str:
    return f'<span class="error" dir="auto">{escape(sentence)}</span>' if sentence else ""


# Parts that many rows share are rendered once.


@lru_cache(maxsize=64)
def _kind(kind: str, language: str | None) -> str:
    return f'<span class="kind">{escape(str(Kind(kind).label))}</span>' if kind in Kind.values else ""


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
        html=_rows(wanted, warnings),
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
    html = _rows(changed, {job.pk: warnings_of(job) for job in changed}, attributes=' hx-swap-oob="true"')
    progress = Progress.of(jobs_of(batch_id).aggregate(**COUNTS))
    return BatchTable(html=html, progress=progress, last_event=last_event), "" in first.values()


def proposals_of(jobs: list[Job]) -> dict[UUID, Proposal]:
    """The initial form values of each job, in three queries."""
    drafts = drafts_of(jobs)
    known = KnownLabels(slug for job in jobs for slug in label_slugs(job, drafts.get(job.pk)))
    return {job.pk: propose(job, draft=drafts.get(job.pk), known=known) for job in jobs}


def drafts_of(jobs: list[Job]) -> dict[UUID, Draft]:
    """Drafts by job id. They are read by batch, because a query with 500 ids is slower."""
    batches = {job.batch_id for job in jobs}
    return {draft.pk: draft for draft in Draft.objects.filter(job__batch_id__in=batches)} if batches else {}


def _rows(jobs: list[Job], warnings: dict[UUID, list[ReviewWarning]], *, attributes: str = "") -> SafeString:
    """The rows as HTML. Every text of a person or of a document is escaped on its way in."""
    drafts, language = drafts_of(jobs), get_language()
    known = KnownLabels(slug for job in jobs for slug in shown_slugs(job, drafts.get(job.pk)))
    rows = []
    for job in jobs:
        if job.confirmed is None:
            proposal = propose(job, draft=drafts.get(job.pk), known=known)
            values, chips = proposal.values, [chip for chip in proposal.chips if chip.ticked]
        else:
            values, chips = job.confirmed, confirmed_chips(job, known)
        name, noted = escape(job.filename), {one.code: one for one in warnings[job.pk]}.values()
        rows.append(
            f'<tr id="job-{job.pk}"{attributes}><td class="tick"><label><input type="checkbox" name="jobs"'
            f' value="{job.pk}" id="tick-{job.pk}"><span class="unseen">{_select(language)} {name}</span></label></td>'
            f'<td class="thumb">{_thumbnail(job)}</td>'
            f'<th scope="row"><a href="/review/{job.batch_id}/{job.pk}/"><bdi>{name}</bdi></a></th>'
            f"<td>{_title(values.get('title') or '')}{_kind(values.get('kind') or '', language)}</td>"
            f"<td>{_labels(chips)}</td>"
            f"<td>{''.join([_warning(warning, language) for warning in noted])}</td>"
            f"<td>{_status(phase_of(job), language)}{_error(why_failed(job))}</td></tr>"
        )
    return mark_safe("".join(rows))
