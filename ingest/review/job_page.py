"""What the screen of one job shows: fields with the origin of their values, position in the batch, and outcome."""

import datetime as dt
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.utils.translation import gettext as _

from extraction.formats import is_named_drawn
from ingest.decisions import LABELS_LABEL, RELATIONS
from ingest.documents.edit import version_token
from ingest.job_states import DONE, EMBEDDING
from ingest.jobs.claims import WORKER
from ingest.models import Draft, Hold, Job
from ingest.review.forms import DecisionForm
from ingest.review.listing import EVERYTHING, BatchFilter
from ingest.review.phases import MOVING, ReviewPhase, phase_of
from ingest.review.proposals import (
    Chip,
    LabelSet,
    ProposalOrigin,
    confirmed_chips,
    label_slugs,
    propose,
    shown_slugs,
)
from ingest.review.queue import BatchPosition, position
from ingest.review.validity_preview import ValidityPreview, foresee
from ingest.review.warnings import OF_THE_FILE, ReviewWarning, WarningCode, warnings_of, why_failed
from ingest.similar.naming import EndedDocument, SimilarDocument, ended_by, similar_to
from reading.amendments.amended import count_instructions
from sources.fields import FIELDS, DocumentField, FieldType
from sources.kinds import SourceKind
from sources.models import Source


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field of the form. `edited` when its value is not the proposed one."""

    about: DocumentField
    value: str
    proposed: str
    origin: ProposalOrigin
    errors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.about.name

    @property
    def edited(self) -> bool:
        return self.value.strip() != self.proposed.strip()


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A stored decision. `rows` are field name, proposed and confirmed value."""

    by: str
    at: dt.datetime
    rows: tuple[tuple[str, str, str], ...]
    why: str


UNDECIDED = (ReviewPhase.QUEUED, ReviewPhase.CLASSIFYING, ReviewPhase.AWAITING_REVIEW)


def is_decided(job: Job) -> bool:
    """Whether the job is past the decision of a person: it was committed or discarded, or it failed."""
    return job.confirmed is not None or phase_of(job) not in UNDECIDED


class JobScreen:
    """The job as `by` sees it, in the review that `wanted` leads through.

    `form` is the form that was sent, when it was not accepted. `hold` is somebody else's, who has the job open.
    """

    hold: Hold | None = None

    def __init__(
        self, job: Job, *, by: str = "", form: DecisionForm | None = None, wanted: BatchFilter = EVERYTHING
    ) -> None:
        self.job = job
        self.by = by
        self.form = form
        self.wanted = wanted
        self.phase = phase_of(job)
        draft = Draft.objects.filter(pk=job.pk).first()
        slugs = label_slugs(job, draft) | (form.sent_slugs if form is not None else set())
        slugs |= shown_slugs(job, draft)
        self._known = LabelSet(slugs)
        self._proposal = propose(job, draft=draft, known=self._known)

    @property
    def moving(self) -> bool:
        return self.phase in MOVING

    @property
    def awaits(self) -> bool:
        return self.phase is ReviewPhase.AWAITING_REVIEW

    @property
    def instructions(self) -> int:
        """How many instructions to change other acts its source has."""
        return count_instructions(self.job.source) if self.job.source else 0

    @property
    def is_reopened(self) -> bool:
        """Whether it is to be decided anew while its source is there."""
        return self.awaits and self.job.source is not None

    @property
    def may_be_reopened(self) -> bool:
        if self.phase is ReviewPhase.DISCARDED:
            return bool(self.job.file_key)
        return self.job.state == EMBEDDING or (self.job.state == DONE and self.job.source is not None)

    @cached_property
    def was(self) -> str:
        """How the source stands that is to be decided anew."""
        return version_token(self.job.source) if self.is_reopened and self.job.source else ""

    @property
    def undecided(self) -> bool:
        """Whether the form is to be shown: before and while a person may decide."""
        return not is_decided(self.job)

    @property
    def situation(self) -> str:
        """What an open page shows differently: the phase, and whether somebody else has the job."""
        return f"{self.phase.value} held" if self.hold else self.phase.value

    @property
    def may_be_decided(self) -> bool:
        """Whether the buttons that decide work. They are for who has the job open."""
        return self.awaits and self.hold is None

    @property
    def has_drawn_pages(self) -> bool:
        return is_named_drawn(self.job.filename)

    @property
    def fails_again(self) -> bool:
        """Whether it failed because of what the file is."""
        return self.job.error_code in OF_THE_FILE

    @property
    def why_failed(self) -> str:
        """Empty while the job awaits review: then a warning says why nothing is proposed."""
        return "" if self.awaits else why_failed(self.job)

    @cached_property
    def warnings(self) -> list[ReviewWarning]:
        """Those that the form does not show itself."""
        return [warning for warning in warnings_of(self.job) if warning.code is not WarningCode.SIMILAR]

    @cached_property
    def similar(self) -> list[SimilarDocument]:
        """What the document is nearly the same as, while it is to be decided."""
        return similar_to(self.job) if self.awaits and not self.is_reopened else []

    @cached_property
    def ended(self) -> list[EndedDocument]:
        """What the document says it replaces or repeals, of what is here, while it is to be decided."""
        return ended_by(self.job) if self.awaits and not self.is_reopened else []

    @property
    def has_earlier(self) -> bool:
        """Whether it may be of something that is here."""
        return bool(self.similar or self.ended) or len(self.similar_choices) > 1

    @property
    def proposed_relation(self) -> str:
        """The form's value for a new version of the one source whose place the document says it takes."""
        replaced = [one.source.pk for one in self.ended if one.is_replaced]
        return f"version_of:{replaced[0]}" if len(replaced) == 1 else ""

    @property
    def foreseen(self) -> ValidityPreview | None:
        """What becomes of the other versions as the form stands."""
        chosen = next((value for value, _relation, _title, is_chosen in self.similar_choices if is_chosen), "")
        days = {name: self.fields[name].value for name in ("valid_from", "valid_to")}
        return foresee(self.job, {"similar": chosen, **days})

    @property
    def similar_choices(self) -> list[tuple[str, str, str, bool]]:
        """What may become of it: the form's value, the relation and the title of its source, and which is chosen.

        The first is that it is another document, without a title.
        """
        undone = self._proposal.before
        related = [f"{name}:{undone[name]}" for name in RELATIONS if undone.get(name)] if undone is not None else []
        before = self.proposed_relation if undone is None else next(iter(related), "another")
        chosen = self.form.data.get("similar", "") if self.form is not None else before
        sources = [one.document for one in self.similar if isinstance(one.document, Source)]
        offered = [("another", "", "")]
        offered += [(f"{name}:{one.pk}", name, str(one)) for one in sources for name in reversed(RELATIONS)]
        others = [one.source for one in self.ended if one.is_replaced]
        if undone is not None and (version_of := undone.get("version_of")):
            others += Source.objects.filter(pk=version_of, topic=self.job.topic_id)
        offered += [
            (f"version_of:{one.pk}", "version_of", str(one)) for one in dict.fromkeys(others) if one not in sources
        ]
        return [(value, relation, title, value == chosen) for value, relation, title in offered]

    @property
    def similar_errors(self) -> list[str]:
        return [str(error) for error in self.form.errors.get("similar", ())] if self.form is not None else []

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
            value = self.form.data.get(name, "").replace("\r\n", "\n")
            errors = tuple(str(error) for error in self.form.errors.get(name, ()))
        return FieldView(about, value, proposed, self._proposal.origin(name), errors)

    @property
    def labels_origin(self) -> ProposalOrigin:
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
        return [(value, str(name), value == self.fields["kind"].value) for value, name in SourceKind.choices]

    @cached_property
    def place(self) -> BatchPosition:
        return position(self._batch_id, self.wanted, self.job.pk, by=self.by)

    @property
    def _batch_id(self) -> UUID:
        assert self.job.batch_id is not None  # the screen is found by its batch
        return self.job.batch_id

    @cached_property
    def decided(self) -> DecisionView | None:
        """The decision, or None while the job is undecided."""
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
        new = ", ".join(chip.name for chip in confirmed_chips(confirmed, self._known))
        return [*rows, (str(LABELS_LABEL), old, new)]

    @property
    def addresses(self) -> dict[str, str]:
        """Of what one goes to from here in the same review, empty where there is none."""
        to, batch_id = self.wanted.to, self._batch_id
        jobs = {"here": self.job.pk, "previous": self.place.previous, "next": self.place.next}
        found = {name: to("review-job", batch_id, pk) if pk else "" for name, pk in jobs.items()}
        start = to("review-start", batch_id)
        skip = f"{start}{'&' if '?' in start else '?'}after={self.job.pk}"  # chosen when it is gone to
        return found | {"batch": to("review-batch", batch_id), "skip": skip if self.place.is_next else ""}
