"""`/library/{source}/consolidation/`: what an amending act changes, confirmed instruction by instruction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
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

from ingest.consolidation.correcting import CorrectionForm, correct, corrections_of, form_for
from ingest.consolidation.making import make_version
from ingest.consolidation.planning import MAX_INSTRUCTIONS
from ingest.consolidation.proposing import is_for_model, propose
from ingest.consolidation.steps import (
    OpenDays,
    PlannedAct,
    instruction_numbered,
    planned_acts,
    provisions_waiting,
)
from ingest.models import Job
from ingest.review.forms import ISO_DATE
from ingest.review.phases import ReviewPhase, phase_of
from ingest.review.warnings import why_failed
from kb_project.errors import ApiError, TooLarge
from kb_project.llm.roles import AMENDING
from kb_project.screens.access import StaffRequest, staff_may
from law.amendments.beginning.orders import FixedDay
from law.amendments.consolidating import instructions_of
from sources.fields import DocumentFields
from sources.instructions import bounded, days_by_orders
from sources.models import Source
from sources.provisions import whole_text

DAY = "day."  # before the provision of the amending act whose day it is
MAX_MADE = 50  # versions that are listed


@dataclass(frozen=True, slots=True)
class MadeVersion:
    """A version that was confirmed: its job, and the source that came of it."""

    job: Job
    phase: ReviewPhase
    why_failed: str


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
        acts = planned_acts(amending, days.by_provision, chosen or {}, corrections)
    except ApiError as refusal:
        refused, status = refusal.detail, refusal.status
    named = instruction_numbered(str(form["number"].value()) if form else request.GET.get("correct", ""), acts)
    if form is None and named:
        form = form_for(named[1], named[0])
    context: dict[str, Any] = {
        "section": "library",
        "source": amending,
        "acts": acts,
        "waiting": provisions_waiting(acts, days),
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
