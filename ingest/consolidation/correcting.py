"""What a person corrects in the instructions of an amending act before they confirm them: kept with their session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django import forms
from django.contrib.sessions.backends.base import SessionBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest.review.forms import ISO_DATE
from law.amendments.corrections import MAX_WORDS_LENGTH, OF_WORDS, Correction, PlaceNotRead, corrected, place_of
from law.amendments.instructions import Action, Instruction
from sources.models import Source

MAX_CORRECTIONS = 100  # of an amending act
MAX_ACTS = 10  # amending acts whose corrections a session keeps
_KEY = "consolidation-corrections"


class CorrectionForm(forms.Form):
    """`number` is the place of the instruction among all of the amending act. What is empty stays as it was read."""

    number = forms.IntegerField(min_value=0, max_value=10_000, widget=forms.HiddenInput)
    place = forms.CharField(
        label=gettext_lazy("Place in the act"),
        max_length=MAX_WORDS_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto", "autofocus": True}),
    )
    old = forms.CharField(
        label=gettext_lazy("Words that are there"),
        max_length=MAX_WORDS_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    new = forms.CharField(
        label=gettext_lazy("Words in their place"),
        max_length=MAX_WORDS_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    day = forms.DateField(
        label=gettext_lazy("In force from"),
        required=False,
        input_formats=ISO_DATE,
        widget=forms.DateInput(attrs={"type": "date"}),
    )


def form_for(instruction: Instruction, number: int) -> CorrectionForm:
    """A form with what is read now, as far as it can be given back. Words are asked for only of what is about words."""
    form = CorrectionForm(
        initial={
            "number": number,
            "place": _fitting((place_of(instruction),)),
            "old": _fitting(instruction.old),
            "new": _fitting(instruction.new),
            "day": instruction.day.isoformat() if instruction.day else "",
        }
    )
    if instruction.action not in OF_WORDS | {Action.UNREAD}:
        del form.fields["old"], form.fields["new"]
    return form


def _fitting(words: Sequence[str]) -> str:
    """The words that a field of one line gives back as they are, '' where it would not, or where they are several."""
    [one] = words if len(words) == 1 else [""]
    return one if len(one) <= MAX_WORDS_LENGTH and one == " ".join(one.splitlines()).strip() else ""


def corrections_of(session: SessionBase, amending: Source) -> dict[int, Correction]:
    """Those that were made in a session of the text as it is now, by the places of their instructions."""
    kept = session.get(_KEY, {}).get(_text_of(amending), {})
    return {int(number): Correction.from_json(said) for number, said in kept.items()}


def correct(
    session: SessionBase, amending: Source, form: CorrectionForm, read: list[Instruction], *, proposed_by: str = ""
) -> None:
    """Keep what is said of an instruction of those that were read; what is as it was read is no correction.

    `proposed_by` is the model that said it. It is kept while place and words are.
    Raises `forms.ValidationError` for a place that is not understood, and for one more than can be kept.
    """
    said = form.cleaned_data
    number = said["number"]
    if number >= len(read):
        raise forms.ValidationError(_("There is no such instruction."))
    was = form_for(read[number], number).initial
    given = {name: said[name] for name in ("place", "old", "new") if said[name] and said[name] != was[name]}
    day = said["day"] if said["day"] and said["day"].isoformat() != was["day"] else None
    correction = Correction(**given, day=day)
    earlier = corrections_of(session, amending).get(number, Correction())
    is_as_proposed = correction == replace(earlier, day=day, proposed_by="")
    proposed_by = proposed_by or (earlier.proposed_by if is_as_proposed else "")
    correction = replace(correction, proposed_by=proposed_by if given else "")
    try:
        corrected(read[number], correction)
    except PlaceNotRead as unread:
        raise forms.ValidationError(_("This place was not understood: %s.") % unread) from unread
    acts = dict(session.get(_KEY, {}))
    kept = dict(acts.pop(_text_of(amending), {}))
    kept.pop(str(number), None)
    if correction and len(kept) >= MAX_CORRECTIONS:
        raise forms.ValidationError(_("More than %d instructions of one act are not corrected here.") % MAX_CORRECTIONS)
    if correction:
        kept[str(number)] = correction.as_json()
    session[_KEY] = dict(list({**acts, _text_of(amending): kept}.items())[-MAX_ACTS:])


def _text_of(amending: Source) -> str:
    """An act in one of its texts: in another one, an instruction has another place."""
    return f"{amending.pk} {amending.content_sha256}"
