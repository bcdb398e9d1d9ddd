"""The table of one batch as HTML: a page of its rows, and the rows that changed since an event.

The rows are joined as HTML here: a template would take half a second for 500 of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Max, Min
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ingest.models import Hold, Job, JobEvent
from ingest.review import review_locks
from ingest.review.listing import BatchFilter, JobRow, drafts_of, read_reopened, rows_for, rows_of
from ingest.review.phases import COUNTS, BatchProgress, ReviewPhase
from ingest.review.proposals import (
    Chip,
    LabelSet,
    Proposal,
    confirmed_chips,
    label_slugs,
    propose,
    shown_slugs,
)
from ingest.review.warnings import ReviewWarning, WarningCode, why_failed
from kb_project.isolates import safe_message
from sources.files.page_pictures import THUMBNAIL
from sources.kinds import SourceKind

SHOWN_LABELS = 4
READ = (ReviewPhase.AWAITING_REVIEW, ReviewPhase.EMBEDDING, ReviewPhase.DONE)
"""The phases in which a first page can be shown."""
ROWS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class BatchTable:
    """The rows as HTML, and counts of the whole batch: by phase, and how many have a warning or a kind.

    `unclassified` are those whose classifier failed. `page` is of the rows that the filter finds.
    """

    html: SafeString
    progress: BatchProgress
    unclassified: int = 0
    last_event: int = 0
    warnings: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    page: Page[JobRow] | None = None


def _thumbnail(row: JobRow) -> str:
    job = row.job
    extension = job.filename.rpartition(".")[2].lower()[:5] if "." in job.filename else ""
    if extension == "pdf" and row.phase in READ and job.file_key:  # that of a replaced document is gone
        address = f"/admin/kb/jobs/{job.pk}/pages/1.png?width={THUMBNAIL}"
        return f'<img src="{address}" alt="" loading="lazy" width="48" height="68">'
    return f'<span class="thumb-type" aria-hidden="true">{escape(extension)}</span>'


def _title(title: str) -> str:
    return f'<span class="row-title"><bdi>{escape(title)}</bdi></span>' if title else ""


def _date(date: str) -> str:
    day = parse_date(date)
    return f"<bdi>{escape(date_format(day) if day else date)}</bdi>" if date else ""


def _part_of(job: Job) -> str:
    """What the file was in, whose own row says more."""
    if not job.part_of:
        return ""
    words = _("Attached to") if job.part_of["job_id"] else _("Out of")
    return f'<span class="by">{escape(words)} <bdi>{escape(job.part_of["filename"])}</bdi></span>'


def _labels(chips: list[Chip]) -> str:
    more = len(chips) - SHOWN_LABELS
    shown = "".join([_chip(chip.name) for chip in chips[:SHOWN_LABELS]])
    return shown + (f"<bdi>+{more}</bdi>" if more > 0 else "")


def _error(sentence: str) -> str:
    return f'<span class="error" dir="auto">{escape(sentence)}</span>' if sentence else ""


def _held(hold: Hold | None) -> str:
    sentence = safe_message(_("%(name)s has it open."), name=hold.by) if hold else ""
    return f'<span class="by">{sentence}</span>' if sentence else ""


# Parts that many rows share are rendered once.


@lru_cache(maxsize=64)
def _kind(kind: str, language: str | None) -> str:
    return f'<span class="kind">{escape(str(SourceKind(kind).label))}</span>' if kind in SourceKind.values else ""


@lru_cache(maxsize=1024)
def _chip(name: str) -> str:
    return f'<span class="chip" dir="auto">{escape(name)}</span>'


@lru_cache(maxsize=1024)
def _warning(warning: ReviewWarning, language: str | None) -> str:
    tag, href = ("a", f' href="{escape(warning.address)}"') if warning.address else ("span", "")
    css = "warning mild" if warning.is_mild else "warning"
    return f'<{tag} class="{css}"{href} title="{escape(warning.sentence)}">{escape(warning.name)}</{tag}>'


@lru_cache(maxsize=8)
def _select(language: str | None) -> str:
    return escape(_("Select"))


@lru_cache(maxsize=64)
def _status(phase: ReviewPhase, language: str | None) -> str:
    swatch = '<span class="swatch" aria-hidden="true"></span>'
    return f'<span class="status phase-{phase.value}">{swatch}{escape(str(phase.label))}</span>'


def table(batch_id: UUID, *, by: str, wanted: BatchFilter, page: str | None = None) -> BatchTable:
    """The counts of the whole batch, and a page of the rows that the filter finds, as `by` sees them."""
    last_event = newest_event(batch_id)  # read before the jobs: a change in between is shown twice, not missed
    rows = rows_of(batch_id)
    warned = Counter(code for row in rows for code in {one.code for one in row.warnings})
    kinds = Counter(row.value("kind") for row in rows)
    found = Paginator(wanted.found(rows), ROWS_A_PAGE).get_page(page)
    return BatchTable(
        html=_rows(found.object_list, held=review_locks.locks_of_others(batch_id, by=by), query=wanted.query),
        progress=BatchProgress.of(Counter(row.phase for row in rows)),
        unclassified=warned[WarningCode.NOT_CLASSIFIED],
        last_event=last_event,
        warnings={code.value: warned[code] for code in WarningCode if warned[code]},
        kinds={kind: kinds[kind] for kind in SourceKind.values if kinds[kind]},
        page=found,
    )


def newest_event(batch_id: UUID) -> int:
    return JobEvent.objects.filter(job__batch_id=batch_id).aggregate(newest=Max("id"))["newest"] or 0


def changed_since(batch_id: UUID, event_id: int, *, by: str, wanted: BatchFilter) -> tuple[BatchTable, bool]:
    """The rows that moved since that event, and whether files arrived that have no row yet."""
    last_event = max(newest_event(batch_id), event_id)
    moved = JobEvent.objects.filter(job__batch_id=batch_id, id__gt=event_id)
    first = dict(moved.values_list("job_id").annotate(Min("from_state")))
    changed = rows_for(list(Job.objects.of_batch(batch_id).filter(pk__in=first).with_similar())) if first else []
    held = review_locks.locks_of_others(batch_id, by=by)
    html = _rows(changed, held=held, query=wanted.query, attributes=' hx-swap-oob="true"')
    counts = Job.objects.of_batch(batch_id).aggregate(**COUNTS)
    found = BatchTable(
        html=html, progress=BatchProgress.of(counts), unclassified=counts["unclassified"], last_event=last_event
    )
    return found, "" in first.values()


def proposals_of(jobs: list[Job]) -> dict[UUID, Proposal]:
    """The initial form values of each job, in five queries at most."""
    drafts = drafts_of(jobs)
    read_reopened(jobs)
    known = LabelSet(slug for job in jobs for slug in label_slugs(job, drafts.get(job.pk)))
    return {job.pk: propose(job, draft=drafts.get(job.pk), known=known) for job in jobs}


def _rows(rows: Iterable[JobRow], *, held: Mapping[UUID, Hold], query: str, attributes: str = "") -> SafeString:
    """The rows as HTML. Every text of a person or of a document is escaped on its way in."""
    rows, language, query = list(rows), get_language(), escape(query)
    known = LabelSet(slug for row in rows for slug in shown_slugs(row.job, row.draft))
    made = []
    for row in rows:
        job = row.job
        if job.confirmed is None:
            chips = [chip for chip in propose(job, draft=row.draft, known=known).chips if chip.ticked]
        else:
            chips = confirmed_chips(job.confirmed, known)
        name, noted = escape(job.filename), {one.code: one for one in row.warnings}.values()
        made.append(
            f'<tr id="job-{job.pk}"{attributes}><td class="tick"><label><input type="checkbox" name="jobs"'
            f' value="{job.pk}" id="tick-{job.pk}"><span class="unseen">{_select(language)} {name}</span></label></td>'
            f'<td class="thumb">{_thumbnail(row)}</td>'
            f'<th scope="row"><a href="/review/{job.batch_id}/{job.pk}/{query}"><bdi>{name}</bdi></a>'
            f"{_part_of(job)}</th>"
            f"<td>{_title(row.value('title'))}</td>"
            f"<td>{_kind(row.value('kind'), language)}</td>"
            f'<td class="date">{_date(row.value("published_at"))}</td>'
            f"<td>{_labels(chips)}</td>"
            f"<td>{''.join([_warning(warning, language) for warning in noted])}</td>"
            f"<td>{_status(row.phase, language)}{_error(why_failed(job))}{_held(held.get(job.pk))}</td></tr>"
        )
    return mark_safe("".join(made))
