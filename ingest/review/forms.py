"""Forms of the review screens."""

from __future__ import annotations

import contextlib
from typing import Any
from uuid import UUID

from django import forms

from ingest.decisions import Decision
from ingest.forms import DocumentForm
from labels.chips.fields import ChipsField
from labels.slugs import MAX_NAME_LENGTH
from sources.kinds import Kind


class DecisionForm(DocumentForm):
    """One job's decision."""

    allow_duplicate = forms.BooleanField(required=False)

    @property
    def decision(self) -> Decision:
        """Of a valid form."""
        return Decision.of(self.cleaned_data, labels=tuple(self.chosen_labels))


class JobsField(forms.Field):
    """Repeated job ids. What is not a UUID is ignored."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[UUID]:
        ids = []
        for text in value or []:
            with contextlib.suppress(ValueError):
                ids.append(UUID(text))
        return ids


class ActionForm(forms.Form):
    """An action on the selected jobs of a batch."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("confirm", "discard", "retry", "kind", "label")])
    jobs = JobsField()
    sure = forms.BooleanField(required=False)
    kind = forms.ChoiceField(choices=[("", ""), *Kind.choices], required=False)
    label = forms.CharField(max_length=MAX_NAME_LENGTH, required=False)
    new_labels = ChipsField(required=False)
