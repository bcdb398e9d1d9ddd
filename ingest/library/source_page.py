"""What the page of one source shows: its fields as they are edited, its jobs and its changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.forms import BoundField
from django.utils.translation import gettext_lazy

from ingest.decisions import LABELS_LABEL
from ingest.documents.edit import BY_COLUMN, INDEXED, version_token
from ingest.documents.moving import pending_moves
from ingest.models import Job
from ingest.review.forms import SourceForm
from ingest.review.job_page import JobScreen
from ingest.review.phases import MOVING, ReviewPhase, phase_of
from ingest.review.warnings import why_failed
from kb_project.audit import verb_of
from kb_project.models import AuditEntry
from labels.label_set import Chip, LabelSet
from reading.amendments.amended import count_instructions
from sources.fields import FIELDS, DocumentField, FieldType
from sources.kinds import SourceKind
from sources.models import Source
from topics.models import Topic

MAX_JOBS = 10
MAX_CHANGES = 20
NAMES = {field.column: field.label for field in FIELDS} | {
    "labels": LABELS_LABEL,
    "topic": gettext_lazy("Topic"),
    "work": gettext_lazy("Version of"),
}


@dataclass(frozen=True, slots=True)
class PastJob:
    job: Job
    phase: ReviewPhase
    why_failed: str


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One audit entry. `rows` are field name, value before, value after."""

    entry: AuditEntry
    action: str
    rows: tuple[tuple[str, str, str], ...]


class SourceScreen:
    """`form` is the form that was sent, when it was not saved."""

    def __init__(self, source: Source, *, form: SourceForm | None = None) -> None:
        self.source = source
        self.sent = form
        self._labels = list(source.labels.all())

    @cached_property
    def form(self) -> SourceForm:
        return self.sent or SourceForm(
            initial={field.column: field.as_text(getattr(self.source, field.column)) for field in FIELDS}
        )

    @property
    def inputs(self) -> list[tuple[BoundField, DocumentField, bool]]:
        """The fields other than kind, each with its description and whether chunks are indexed with it."""
        typed = [field for field in FIELDS if field.type is not FieldType.KIND]
        return [(self.form[field.column], field, field.column in INDEXED) for field in typed]

    @cached_property
    def state(self) -> str:
        return version_token(self.source)

    @property
    def kinds(self) -> list[tuple[str, str, bool]]:
        return [(value, str(name), value == self.form["kind"].value()) for value, name in SourceKind.choices]

    @cached_property
    def chips(self) -> list[Chip]:
        """The source's labels, unticked where the person removed them, then the labels they added."""
        held = [Chip(f"slug:{label.slug}", label.name, True, label.usage_count) for label in self._labels]
        if self.sent is None:
            return held
        return self.sent.chips(held, LabelSet(self.sent.sent_slugs))

    @property
    def moves_to(self) -> Topic | None:
        """The topic that it is to be moved to."""
        return pending_moves([self.source.pk]).get(self.source.pk)

    @property
    def label_errors(self) -> list[str]:
        return self.form.label_errors

    @cached_property
    def differing(self) -> list[tuple[str, str, str]]:
        """The fields in which the stored source differs from the form: name, stored, typed."""
        rows = []
        for field in FIELDS:
            now, typed = getattr(self.source, field.column), str(self.form[field.column].value() or "")
            if field.as_text(now).strip() != typed.replace("\r\n", "\n").strip():
                rows.append((str(field.label), field.display(now), field.display(field.parse(typed))))
        now = ", ".join(label.name for label in self._labels)
        typed = ", ".join(chip.name for chip in self.chips if chip.ticked)
        return [*rows, (str(NAMES["labels"]), now, typed)] if now != typed else rows

    @cached_property
    def reindexing(self) -> PastJob | None:
        """The newest reindex of the source."""
        job = Job.objects.filter(source=self.source, reindex=True).order_by("-created_at").first()
        return _past(job) if job else None

    @property
    def is_reindexing(self) -> bool:
        return self.reindexing is not None and self.reindexing.phase in MOVING

    @cached_property
    def jobs(self) -> list[PastJob]:
        return [_past(job) for job in self.source.jobs.order_by("-created_at")[:MAX_JOBS]]

    @cached_property
    def origin(self) -> JobScreen | None:
        """The job that made the source, with what was proposed beside what was confirmed."""
        job = self.source.jobs.filter(reindex=False).order_by("created_at").first()
        return JobScreen(job) if job else None

    @cached_property
    def instructions(self) -> int:
        """How many instructions to change other acts it has."""
        return count_instructions(self.source)

    def last_change(self) -> AuditEntry | None:
        return changes_of(self.source.pk).exclude(action="source.reindex").first()

    def changes(self, user: AbstractBaseUser | AnonymousUser) -> list[FieldChange]:
        """The newest changes, for users with the permission to see them."""
        if not user.has_perm("kb_project.view_auditentry"):  # type: ignore[union-attr]
            return []
        return [_change(entry) for entry in changes_of(self.source.pk)[:MAX_CHANGES]]


def changes_of(source_id: int) -> Any:
    """The audit entries of a source, the newest first."""
    return AuditEntry.objects.filter(object_type="source", object_id=str(source_id)).order_by("-id")


def _past(job: Job) -> PastJob:
    return PastJob(job, phase_of(job), why_failed(job))


def _change(entry: AuditEntry) -> FieldChange:
    names = [name for name in {**entry.before, **entry.after} if name in NAMES]
    rows = tuple(
        (str(NAMES[name]), _shown(name, entry.before.get(name)), _shown(name, entry.after.get(name))) for name in names
    )
    return FieldChange(entry, verb_of(entry.action), rows)


def _shown(name: str, value: Any) -> str:
    """A value of an audit entry for reading. Labels are a list of names."""
    if name in BY_COLUMN:
        return BY_COLUMN[name].display(value)
    return value if isinstance(value, str) else ", ".join(map(str, value or ()))
