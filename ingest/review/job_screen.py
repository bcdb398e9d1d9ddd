"""What the screen of one job shows: fields with the origin of their values, position in the batch, and outcome."""

import datetime as dt
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from ingest.decisions import LABELS_LABEL
from ingest.forms import DecisionForm
from ingest.jobs.claims import WORKER
from ingest.jobs.states import Status
from ingest.models import Draft, Job
from ingest.review.batch_table import jobs_of
from ingest.review.phases import MOVING, Phase, phase_of
from ingest.review.proposals import (
    Chip,
    KnownLabels,
    Origin,
    confirmed_chips,
    label_slugs,
    propose,
)
from ingest.review.warnings import ReviewWarning, warnings_of, why_failed
from sources.fields import FIELDS, DocumentField, FieldType
from sources.kinds import Kind


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field of the form; `edited` when its value is not the proposed one."""

    about: DocumentField
    value: str
    proposed: str
    origin: Origin
    errors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.about.name

    @property
    def edited(self) -> bool:
        return self.value.strip() != self.proposed.strip()


@dataclass(frozen=True, slots=True)
class BatchPosition:
    """A job's position in the fixed order of its batch."""

    number: int
    total: int
    awaiting: int
    previous: UUID | None
    next: UUID | None
    next_awaiting: UUID | None


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A stored decision. `rows` are field name, proposed and confirmed value."""

    by: str
    at: dt.datetime
    rows: tuple[tuple[str, str, str], ...]
    why: str


class JobScreen:
    """`form` is the form that was sent, when it was not accepted."""

    def __init__(self, job: Job, *, form: DecisionForm | None = None) -> None:
        self.job = job
        self.form = form
        self.phase = phase_of(job)
        draft = Draft.objects.filter(pk=job.pk).first()
        slugs = label_slugs(job, draft) | (form.sent_slugs if form is not None else set())
        slugs |= {choice["slug"] for choice in (job.confirmed or {}).get("labels", [])}
        self._known = KnownLabels(slugs)
        self._proposal = propose(job, draft=draft, known=self._known)

    @property
    def moving(self) -> bool:
        return self.phase in MOVING

    @property
    def awaits(self) -> bool:
        return self.phase is Phase.AWAITING_REVIEW

    @property
    def undecided(self) -> bool:
        """Whether the form is to be shown: before and while a person may decide."""
        return self.job.confirmed is None and self.phase in (Phase.QUEUED, Phase.CLASSIFYING, Phase.AWAITING_REVIEW)

    @property
    def is_pdf(self) -> bool:
        return self.job.filename.lower().endswith(".pdf")

    @property
    def why_failed(self) -> str:
        return why_failed(self.job)

    @cached_property
    def warnings(self) -> list[ReviewWarning]:
        return warnings_of(self.job)

    @cached_property
    def fields(self) -> dict[str, FieldView]:
        return {field.name: self._field(field) for field in FIELDS}

    @property
    def inputs(self) -> list[FieldView]:
        """The fields other than kind."""
        return [view for view in self.fields.values() if view.about.type is not FieldType.KIND]

    def _field(self, about: DocumentField) -> FieldView:
        name = about.name
        proposed = self._proposal.values[name]
        value, errors = proposed, tuple[str, ...]()
        if self.form is not None:
            value = self.form.data.get(name, "")
            errors = tuple(str(error) for error in self.form.errors.get(name, ()))
        return FieldView(about, value, proposed, self._proposal.origin(name), errors)

    @property
    def labels_origin(self) -> Origin:
        return self._proposal.origin("labels")

    @property
    def label_errors(self) -> list[str]:
        return self.form.label_errors if self.form is not None else []

    @cached_property
    def chips(self) -> list[Chip]:
        """The proposed labels. After a form was sent, ticked as the person left them, then the labels they added."""
        offered = list(self._proposal.chips)
        return self.form.chips(offered, self._known) if self.form is not None else offered

    @property
    def kinds(self) -> list[tuple[str, str, bool]]:
        return [(value, str(name), value == self.fields["kind"].value) for value, name in Kind.choices]

    @cached_property
    def place(self) -> BatchPosition:
        order = list(jobs_of(self._batch_id).values_list("pk", "status"))
        here = next(index for index, (pk, _status) in enumerate(order) if pk == self.job.pk)
        around = order[here + 1 :] + order[:here]
        return BatchPosition(
            number=here + 1,
            total=len(order),
            awaiting=sum(status == Status.AWAITING_REVIEW for _pk, status in order),
            previous=order[here - 1][0] if here else None,
            next=order[here + 1][0] if here + 1 < len(order) else None,
            next_awaiting=next((pk for pk, status in around if status == Status.AWAITING_REVIEW), None),
        )

    @property
    def _batch_id(self) -> UUID:
        assert self.job.batch_id is not None  # the screen is found by its batch
        return self.job.batch_id

    @cached_property
    def decided(self) -> DecisionView | None:
        """The decision; None while the job is undecided."""
        if self.undecided:
            return None
        events = list(self.job.events.order_by("-id"))
        event = next((one for one in events if one.by != WORKER and one.from_state), events[0] if events else None)
        if event is None:
            return None
        by = _("the service") if event.by == WORKER else event.by
        return DecisionView(by=by, at=event.at, rows=tuple(self._compared()), why=event.why)

    def _compared(self) -> list[tuple[str, str, str]]:
        confirmed = self.job.confirmed
        if confirmed is None:
            return []
        values = self._proposal.values
        rows = [
            (str(field.label), field.display(values[field.name]), field.display(confirmed.get(field.name)))
            for field in FIELDS
        ]
        old = ", ".join(chip.name for chip in self._proposal.chips if chip.ticked)
        new = ", ".join(chip.name for chip in confirmed_chips(self.job, self._known))
        return [*rows, (str(LABELS_LABEL), old, new)]

    @property
    def addresses(self) -> dict[str, str]:
        """Of the screens of other jobs; empty where there is none."""
        jobs = {"previous": self.place.previous, "next": self.place.next, "skip": self.place.next_awaiting}
        return {name: reverse("review-job", args=[self._batch_id, pk]) if pk else "" for name, pk in jobs.items()}
