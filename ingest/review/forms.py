"""What the review screens take from a person, cleaned before a verb is called."""

from __future__ import annotations

import contextlib
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from labels.slugs import MAX_NAME_LENGTH, clean_name
from sources.kinds import Kind

MOST_LABELS = 50


class ChipsField(forms.Field):
    """Repeated `slug:…` and `name:…` values."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[str]:
        chips = [text for text in value or [] if text.startswith(("slug:", "name:"))]
        if len(chips) > MOST_LABELS:
            raise forms.ValidationError(_("At most %d labels, please.") % MOST_LABELS)
        return chips


class NamesField(forms.CharField):
    """Label names, separated by commas: the way without the label chooser."""

    def clean(self, value: Any) -> list[str]:
        names = [clean_name(part) for part in super().clean(value).split(",")]
        if any(len(name) > MAX_NAME_LENGTH for name in names):
            raise forms.ValidationError(_("A label has at most %d characters.") % MAX_NAME_LENGTH)
        return [name for name in names if name]


class DecisionForm(forms.Form):
    """One job's decision."""

    kind = forms.ChoiceField(choices=Kind.choices)
    title = forms.CharField(max_length=500)
    subject = forms.CharField(max_length=500, required=False)
    summary = forms.CharField(max_length=2000, required=False)
    identifier = forms.CharField(max_length=200, required=False)
    published_at = forms.DateField(required=False, input_formats=["%Y-%m-%d"])
    labels = ChipsField(required=False)
    more_labels = NamesField(required=False)
    allow_duplicate = forms.BooleanField(required=False)

    @property
    def chosen_labels(self) -> list[str]:
        """Of a valid form: the chips, and the names that were typed beside them."""
        return [*self.cleaned_data["labels"], *(f"name:{name}" for name in self.cleaned_data["more_labels"])]


class JobsField(forms.Field):
    """Repeated job ids; what is no id is left out, for there is no such job."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[UUID]:
        ids = []
        for text in value or []:
            with contextlib.suppress(ValueError):
                ids.append(UUID(text))
        return ids


class ActionForm(forms.Form):
    """What is to be done with the selected jobs of a batch."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("confirm", "discard", "retry", "kind", "label")])
    jobs = JobsField()
    sure = forms.BooleanField(required=False)
    kind = forms.ChoiceField(choices=[("", ""), *Kind.choices], required=False)
    label = forms.CharField(max_length=MAX_NAME_LENGTH, required=False)
    new_labels = ChipsField(required=False)
