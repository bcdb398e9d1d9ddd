"""The files of a batch as a reviewer looks at them: filtered and ordered, as the address of the page says."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import TextChoices, prefetch_related_objects
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ingest.models import Draft, Job
from ingest.review.phases import ReviewPhase, phase_of
from ingest.review.proposals import values_of
from ingest.review.warnings import ReviewWarning, WarningCode, warnings_of
from sources.kinds import SourceKind

MAX_LENGTH = 200  # characters of a value in the address that count
STATE = ("id", "batch_id", "status", "processing_stage", "error_code")
SHOWN = (
    *(*STATE, "topic_id", "ai_suggestions", "confirmed", "warnings", "reindex", "kind", "file_key"),
    *("filename", "error_message", "duplicate_of", "part_of", "source_id", "unread_pages", "numbering", "lost"),
)
"""The columns that a row needs. All columns of 500 rows are slow to read."""
_QUOTES = str.maketrans({"״": '"', "”": '"', "“": '"', "׳": "'", "’": "'"})


class SortColumn(TextChoices):
    """What the files of a batch can be ordered by."""

    FILE = "file", _("File")
    TITLE = "title", _("Title")
    KIND = "kind", _("Kind")
    DATE = "date", _("Date")
    WARNINGS = "warnings", _("Warnings")
    STATUS = "status", _("Status")


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job with what is shown of it. `values` are its fields as decided, else as proposed."""

    job: Job
    phase: ReviewPhase
    draft: Draft | None = None
    warnings: tuple[ReviewWarning, ...] = ()
    values: Mapping[str, Any] | None = None

    def value(self, name: str) -> str:
        return str((self.values or {}).get(name) or "")

    @property
    def searched(self) -> str:
        return plain(" ".join([self.job.filename, self.value("title"), self.value("identifier")]))


def plain(text: str) -> str:
    """A text for comparing: without case, and with one kind of quotation marks."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES)


_KEYS: dict[str, Callable[[JobRow], Any]] = {
    SortColumn.FILE: lambda row: plain(row.job.filename),
    SortColumn.TITLE: lambda row: plain(row.value("title")),
    SortColumn.KIND: lambda row: (
        str(SourceKind(row.value("kind")).label) if row.value("kind") in SourceKind.values else ""
    ),
    SortColumn.DATE: lambda row: row.value("published_at"),
    SortColumn.WARNINGS: lambda row: sum(not warning.is_mild for warning in row.warnings) or "",
    SortColumn.STATUS: lambda row: list(ReviewPhase).index(row.phase) + 1,
}
"""What a column is ordered by; nothing comes last in either direction."""


@dataclass(frozen=True, slots=True)
class BatchFilter:
    """Which files of a batch, and in which order. `sort` is a column, with `-` before it for the reverse.

    Empty values leave all files in the order in which they came. No file has a value that does not exist.
    """

    q: str = ""
    kind: str = ""
    warning: str = ""
    status: str = ""
    sort: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> BatchFilter:
        """From the address. A column that does not exist is left out."""
        given = {field.name: query.get(field.name, "").strip()[:MAX_LENGTH] for field in fields(cls)}
        return cls(**given | {"sort": given["sort"] if given["sort"].removeprefix("-") in SortColumn.values else ""})

    @property
    def query(self) -> str:
        """The end of an address, with its `?`, empty where nothing is set."""
        given = {field.name: value for field in fields(self) if (value := getattr(self, field.name))}
        return f"?{urlencode(given)}" if given else ""

    def to(self, page: str, *ids: UUID) -> str:
        """The address of a page of the review that keeps this filter."""
        return reverse(page, args=ids) + self.query

    @property
    def leaves_out(self) -> bool:
        return any([self.q, self.kind, self.warning, self.status])

    @property
    def names(self) -> list[str]:
        """What it leaves, in words."""
        choices = ((self.warning, WarningCode), (self.kind, SourceKind), (self.status, ReviewPhase))
        named = [str(known(value).label) for value, known in choices if value in known.values]
        return [*named, *([f"“{self.q}”"] if self.q else [])]

    def fits(self, row: JobRow) -> bool:
        return (
            (not self.status or row.phase == self.status)
            and (not self.kind or row.value("kind") == self.kind)
            and (not self.warning or any(one.code == self.warning for one in row.warnings))
            and (not self.q or plain(self.q) in row.searched)
        )

    def ordered(self, rows: Iterable[JobRow]) -> list[JobRow]:
        """The rows in its order. Those that are alike stay in theirs."""
        if not self.sort:
            return list(rows)
        key = _KEYS[self.sort.removeprefix("-")]
        keyed = [(key(row), row) for row in rows]
        full = [pair for pair in keyed if pair[0]]
        full.sort(key=lambda pair: pair[0], reverse=self.sort.startswith("-"))
        return [row for _, row in full] + [row for value, row in keyed if not value]

    def found(self, rows: Iterable[JobRow]) -> list[JobRow]:
        return self.ordered(row for row in rows if self.fits(row))

    def read(self, batch_id: UUID) -> list[JobRow]:
        """All rows of the batch in its order, with what it looks at."""
        return self.ordered(rows_of(batch_id) if self != EVERYTHING else states_of(batch_id))


EVERYTHING = BatchFilter()


def rows_of(batch_id: UUID) -> list[JobRow]:
    """The rows of a batch in the order in which its files came."""
    jobs = list(Job.objects.of_batch(batch_id).only(*SHOWN).with_similar())
    return rows_for(jobs)


def rows_for(jobs: list[Job]) -> list[JobRow]:
    """A row for each job. Three queries at most."""
    drafts = drafts_of(jobs)
    read_reopened(jobs)
    return [
        JobRow(
            job=job,
            phase=phase_of(job),
            draft=drafts.get(job.pk),
            warnings=tuple(warnings_of(job)),
            values=values_of(job, drafts.get(job.pk)),
        )
        for job in jobs
    ]


def states_of(batch_id: UUID) -> list[JobRow]:
    """The rows of a batch with their phases alone."""
    return [JobRow(job, phase_of(job)) for job in Job.objects.of_batch(batch_id).only(*STATE)]


def drafts_of(jobs: list[Job]) -> dict[UUID, Draft]:
    """Drafts by job id. They are read by batch, because a query with 500 ids is slower."""
    batches = {job.batch_id for job in jobs}
    return {draft.pk: draft for draft in Draft.objects.filter(job__batch_id__in=batches)} if batches else {}


def read_reopened(jobs: list[Job]) -> None:
    """Read the sources of reopened jobs, which tell what is to be decided anew (`proposals.decided_before`)."""
    prefetch_related_objects([job for job in jobs if job.confirmed is None and job.source_id], "source__labels")
