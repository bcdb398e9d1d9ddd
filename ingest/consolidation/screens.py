"""`/library/{source}/consolidation/`: what an amending act changes, confirmed instruction by instruction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest.consolidation.correcting import CorrectionForm, correct, corrections_of, form_for
from ingest.consolidation.making import make_version
from ingest.consolidation.planning import MAX_INSTRUCTIONS, PlannedVersion, plan
from ingest.consolidation.proposing import is_for_model, propose
from ingest.models import Job
from ingest.review.forms import ISO_DATE
from ingest.review.phases import ReviewPhase, phase_of
from ingest.review.warnings import why_failed
from kb_project.errors import ApiError, TooLarge
from kb_project.llm.roles import AMENDING
from kb_project.screens.access import StaffRequest, staff_may
from law.amendments.beginning.orders import FixedDay, days_of
from law.amendments.carrying_out import Outcome
from law.amendments.consolidating import instructions_of
from law.amendments.corrections import Correction
from law.amendments.finding import Failure
from law.amendments.instructions import Instruction
from reading.compare.screens import grouped_lines
from sources.comparison import DiffRow
from sources.fields import DocumentFields
from sources.instructions import bounded, days_by_orders, section_eids
from sources.models import Source
from sources.provisions import address, in_order, whole_text

DAY = "day."  # before the provision of the amending act whose day it is
MAX_MADE = 50  # versions that are listed
FAILURES = {
    Failure.NOT_FOUND: gettext_lazy("The place, or the words, are not there."),
    Failure.TWICE: gettext_lazy("The place, or the words, are there more than once."),
    Failure.TWO_TEXTS: gettext_lazy("The place gets two texts on one day. Give one of them another day."),
    Failure.ALREADY_SO: gettext_lazy(
        "The text says so already, or it began by the day on which the text here begins: whether it is in it was not"
        " looked at."
    ),
    Failure.TARGET_UNKNOWN: gettext_lazy("The act is not in this topic."),
    Failure.OTHER_VERSION: gettext_lazy("It is of the text in another language."),
    Failure.DAY_UNKNOWN: gettext_lazy("From which day it is in force is not said here."),
    Failure.NOT_YET: gettext_lazy("It is in force from a later day."),
    Failure.ENDED: gettext_lazy("It was temporary and has ended."),
    Failure.RETURNS: gettext_lazy(
        "It was temporary and is in the text. What was there before has to come back, and is not known here."
    ),
    Failure.END_UNKNOWN: gettext_lazy("It is temporary, and until when is not said as a day. Carry it out by hand."),
    Failure.CONDITION: gettext_lazy("It depends on what another act does."),
    Failure.READ_AS: gettext_lazy("The text stays, and is to be read otherwise in some matters."),
    Failure.WHOLE_ACT: gettext_lazy("It repeals the act. Say so by its last day."),
    Failure.NOT_UNDERSTOOD: gettext_lazy("It was not understood, or not in full. Carry it out by hand."),
}


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction as it is shown. `number` is its place among all of the amending act, `path` where it is read."""

    number: int
    outcome: Outcome
    path: str
    proposed_by: str

    @property
    def why_not(self) -> str:
        return str(FAILURES[self.outcome.failure]) if self.outcome.failure else ""

    @property
    def waits_for_day(self) -> bool:
        return self.outcome.failure is Failure.DAY_UNKNOWN and bool(self.outcome.instruction.provision)

    @property
    def edits(self) -> list[list[tuple[bool, list[DiffRow]]]]:
        return [grouped_lines(edit.before, edit.after) for edit in self.outcome.edits]


@dataclass(frozen=True, slots=True)
class PlannedAct:
    """A version with its instructions: those that can be carried out, and the others."""

    version: PlannedVersion
    possible: Sequence[Step]
    others: Sequence[Step]
    chosen: frozenset[int]


@dataclass(frozen=True, slots=True)
class MadeVersion:
    """A version that was confirmed: its job, and the source that came of it."""

    job: Job
    phase: ReviewPhase
    why_failed: str


@dataclass(frozen=True, slots=True)
class OpenDays:
    """The days of provisions whose day the act leaves open. `words` are those of the orders that fix some."""

    by_provision: Mapping[str, dt.date]
    words: Mapping[str, str]

    @classmethod
    def of(cls, fixed: Mapping[str, FixedDay], given: Mapping[str, dt.date | None]) -> OpenDays:
        """What a person gave goes before what an order fixes, and so does what they left open, which is None."""
        said = {**days_of(fixed), **given}
        words = {provision: one.words for provision, one in fixed.items()}
        return cls({provision: day for provision, day in said.items() if day}, words)


class ConfirmForm(forms.Form):
    base = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    fingerprint = forms.CharField(max_length=64)
    chosen = forms.TypedMultipleChoiceField(
        coerce=int, required=False, choices=[(number, number) for number in range(MAX_INSTRUCTIONS)]
    )


@staff_may(GET="sources.view_source", POST="ingest.add_job")
def consolidation(request: StaffRequest, source_id: int) -> HttpResponse:
    """The instructions by act, each with the change that it makes. POST makes the next version of one act."""
    amending = Source.objects.select_related("topic").filter(pk=source_id).first()
    if amending is None:
        return redirect("library-source", source_id=source_id)  # which says that it is gone
    given, wrong = _days(request)
    days = OpenDays.of(_fixed(amending), given)
    if request.method == "POST" and "number" in request.POST:
        return _correct(request, amending, days)
    if request.method != "POST":
        return _page(request, amending, days=days, refused=wrong, status=400 if wrong else 200)
    form = ConfirmForm(request.POST)
    if not form.is_valid():
        return _page(request, amending, days=days, refused=_("Look at it once more."), status=400)
    confirmed = form.cleaned_data
    try:
        job = make_version(
            amending,
            base_id=confirmed["base"],
            chosen=confirmed["chosen"],
            days=days.by_provision,
            fingerprint=confirmed["fingerprint"],
            by=request.user.get_username(),
            corrections=corrections_of(request.session, amending),
        )
    except ApiError as refusal:
        chosen = {confirmed["base"]: frozenset(confirmed["chosen"])}
        return _page(request, amending, days=days, refused=refusal.detail, chosen=chosen, status=refusal.status)
    version = DocumentFields.of(job.confirmed or {})
    messages.success(request, _("Confirmed. It is being stored: %s.") % date_format(version.valid_from or ""))
    return redirect(request.get_full_path())


def _fixed(amending: Source) -> dict[str, FixedDay]:
    """The days that orders of the topic fix. What is too long to be read is refused where it is shown."""
    try:
        return days_by_orders(amending, instructions_of(bounded(whole_text(amending.pk))))
    except TooLarge:
        return {}


def _correct(request: StaffRequest, amending: Source, days: OpenDays) -> HttpResponse:
    """Keep what a person corrects in an instruction, and show what becomes of the act with it."""
    form, proposed_by = CorrectionForm(request.POST), ""
    try:
        if not form.is_valid():
            raise forms.ValidationError([message for messages in form.errors.values() for message in messages])
        read = instructions_of(bounded(whole_text(amending.pk)), days=days.by_provision)
        if "propose" in request.POST:
            number, day = form.cleaned_data["number"], form.cleaned_data["day"]
            if "day" not in request.POST and (kept := corrections_of(request.session, amending).get(number)):
                day = kept.day
            form, proposed_by = propose(read, number, day=day, topic_name=amending.topic.name)
            request.session = _anew(request.session)
        correct(request.session, amending, form, read, proposed_by=proposed_by)
    except ApiError as refusal:
        return _page(request, amending, days=days, refused=refusal.detail, form=form, status=refusal.status)
    except forms.ValidationError as error:
        return _page(request, amending, days=days, refused=" ".join(error.messages), form=form, status=400)
    query = request.GET.copy()
    query.pop("correct", None)
    shown = f"{request.path}?{query.urlencode()}" if query else request.path
    return redirect(f"{shown}#instruction-{form.cleaned_data['number']}")


def _anew(session: SessionBase) -> SessionBase:
    """The session as it is by now. Raises `SessionInterrupted` where it has ended."""
    fresh = type(session)(session.session_key)
    if SESSION_KEY not in fresh:
        raise SessionInterrupted("The session ended while a model was asked.")
    return fresh


def _numbered(number: str, acts: Sequence[PlannedAct]) -> tuple[int, Instruction] | None:
    """The instruction of a number that a request names, with that number."""
    instructions = (one for act in acts for one in act.version.instructions.items())
    return next((one for one in instructions if str(one[0]) == number), None)


def _days(request: StaffRequest) -> tuple[dict[str, dt.date | None], str]:
    """The days that a person gave, by provision, None for what they left open, and what is wrong with one of them."""
    days, wrong, field = dict[str, dt.date | None](), "", forms.DateField(required=False, input_formats=ISO_DATE)
    for name, value in list(request.GET.items())[:MAX_INSTRUCTIONS]:
        if not name.startswith(DAY):
            continue
        try:
            days[name.removeprefix(DAY)] = field.clean(value)
        except forms.ValidationError as error:
            wrong = " ".join(error.messages)
    return days, wrong


def _page(
    request: StaffRequest,
    amending: Source,
    *,
    days: OpenDays,
    refused: str = "",
    chosen: Mapping[int, frozenset[int]] | None = None,
    form: CorrectionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    acts: list[PlannedAct] = []
    corrections = corrections_of(request.session, amending)
    try:
        acts = _acts(amending, days.by_provision, chosen or {}, corrections)
    except ApiError as refusal:
        refused, status = refusal.detail, refusal.status
    named = _numbered(str(form["number"].value()) if form else request.GET.get("correct", ""), acts)
    if form is None and named:
        form = form_for(named[1], named[0])
    context: dict[str, Any] = {
        "section": "library",
        "source": amending,
        "acts": acts,
        "waiting": _waiting(acts, days),
        "made": [MadeVersion(job, phase_of(job), why_failed(job)) for job in made_of(amending)[:MAX_MADE]],
        "refused": refused,
        "form": form,
        "corrections": corrections,
        "is_proposed": any(one.proposed_by for one in corrections.values()),
        "model": AMENDING.shown if named and is_for_model(named[1]) else "",
    }
    return render(request, "library/consolidation.html", context, status=status)


def made_of(amending: Source) -> QuerySet[Job]:
    """The jobs of versions that were made of a document's instructions, the newest first."""
    made = Job.objects.filter(consolidation__isnull=False, consolidation__amending__source_id=amending.pk)
    return made.select_related("source").order_by("-created_at")


def _acts(
    amending: Source,
    days: Mapping[str, dt.date],
    chosen: Mapping[int, frozenset[int]],
    corrections: Mapping[int, Correction],
) -> list[PlannedAct]:
    planned = plan(amending, days=days, corrections=corrections)
    eids = section_eids(in_order(amending.pk)) if planned else {}
    acts = []
    for version in planned:
        steps = []
        for number, outcome in version.outcomes.items():
            of = outcome.instruction.amending
            path = address(amending.pk, eids.get(of[0], "") if of else "")
            said = corrections.get(number)
            steps.append(Step(number, outcome, path, said.proposed_by if said else ""))
        possible = [one for one in steps if one.outcome.failure is None]
        others = [one for one in steps if one.outcome.failure is not None]
        taken = chosen.get(version.base.pk if version.base else 0, frozenset())
        acts.append(PlannedAct(version, possible, others, taken))
    return acts


def _waiting(acts: Sequence[PlannedAct], days: OpenDays) -> list[tuple[str, str, str]]:
    """The provisions whose day is not said, with the words about it and the day that a person or an order gave."""
    waiting = {provision: days.words.get(provision, "") for provision in days.by_provision}
    for step in (step for act in acts for step in act.others if step.waits_for_day):
        waiting.setdefault(step.outcome.instruction.provision, step.outcome.detail)
    given = {provision: day.isoformat() for provision, day in days.by_provision.items()}
    return [(provision, words, given.get(provision, "")) for provision, words in waiting.items()]
