"""What the review screens take from a person, cleaned before a verb is called."""

from __future__ import annotations

import contextlib
from typing import Any
from uuid import UUID

from django import forms

from labels.chips.fields import ChipsField, NamesField
from labels.slugs import MAX_NAME_LENGTH
from sources.kinds import Kind


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
