"""One row of a batch's table as HTML: written here and not in a template, which takes half a second for 500 rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

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

    @property
    def html(self) -> SafeString:
        return self._html("")

    @property
    def html_out_of_band(self) -> SafeString:
        """The row to take the place of the one that is shown."""
        return self._html(' hx-swap-oob="true"')

    def _html(self, attributes: str) -> SafeString:
        job, name = self.job_id, escape(self.filename)
        return mark_safe(  # every text of a person or of a document is escaped on its way in
            f'<tr id="job-{job}"{attributes}><td class="tick"><label><input type="checkbox" name="jobs" value="{job}"'
            f' id="tick-{job}"><span class="unseen">{_select(get_language())} {name}</span></label></td>'
            f'<td class="thumb">{self._thumbnail()}</td>'
            f'<th scope="row"><a href="/review/{self.batch_id}/{job}/"><bdi>{name}</bdi></a></th>'
            f"<td>{self._title()}</td><td>{self._labels()}</td><td>{self._warnings()}</td>"
            f"<td>{_status(self.phase, get_language())}{self._error()}</td></tr>"
        )

    def _thumbnail(self) -> str:
        extension = self.filename.rpartition(".")[2].lower()[:5] if "." in self.filename else ""
        if extension == "pdf" and self.phase in READ:
            address = f"/admin/kb/jobs/{self.job_id}/pages/1.png"
            return f'<img src="{address}" alt="" loading="lazy" width="48" height="68">'
        return f'<span class="thumb-type" aria-hidden="true">{escape(extension)}</span>'

    def _title(self) -> str:
        title = f'<span class="row-title"><bdi>{escape(self.title)}</bdi></span>' if self.title else ""
        return title + (f'<span class="kind">{escape(self.kind)}</span>' if self.kind else "")

    def _labels(self) -> str:
        more = len(self.labels) - SHOWN_LABELS
        shown = "".join(f'<span class="chip" dir="auto">{escape(name)}</span>' for name in self.labels[:SHOWN_LABELS])
        return shown + (f"<bdi>+{more}</bdi>" if more > 0 else "")

    def _warnings(self) -> str:
        return "".join(
            f'<span class="warning" title="{escape(warning.sentence)}">{escape(warning.name)}</span>'
            for warning in self.warnings
        )

    def _error(self) -> str:
        return f'<span class="error" dir="auto">{escape(self.error)}</span>' if self.error else ""


@cache
def _select(language: str | None) -> str:
    return escape(_("Select"))


@cache
def _status(phase: Phase, language: str | None) -> str:
    swatch = '<span class="swatch" aria-hidden="true"></span>'
    return f'<span class="status phase-{phase.value}">{swatch}{escape(str(phase.label))}</span>'
