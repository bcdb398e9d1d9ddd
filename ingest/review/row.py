"""One row of a batch's table as HTML. A template would take half a second for 500 rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ingest.page_pictures import THUMBNAIL
from ingest.review.phases import Phase
from ingest.review.warnings import ReviewWarning

SHOWN_LABELS = 4
READ = (Phase.AWAITING_REVIEW, Phase.EMBEDDING, Phase.DONE)
"""The phases in which a first page can be shown."""


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
    return mark_safe("".join(_row(row, attributes, language) for row in rows))


def _row(row: Row, attributes: str, language: str | None) -> str:
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
