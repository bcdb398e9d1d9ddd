"""Forms of the library's screens."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

from ingest.forms import DocumentForm, LabelsForm
from ingest.library.edit import LABELS
from sources.fields import COLUMNS


class SourceForm(DocumentForm):
    """The fields and labels of a source. `was` is the `state_of` the source when the form was shown."""

    was = forms.CharField(required=False)

    by_column = True
    renamed: ClassVar[dict[str, str]] = {LABELS: "labels"}

    @property
    def changes(self) -> dict[str, Any]:
        """Of a valid form: the fields that `edit` takes, without the labels."""
        return {name: self.cleaned_data[name] for name in COLUMNS}


class SourcesField(forms.Field):
    """Repeated ids of sources. What is not a number is ignored."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[int]:
        return [int(text) for text in value or [] if text.isascii() and text.isdecimal() and len(text) < 19]


class BulkForm(LabelsForm):
    """An action on the selected sources."""

    action = forms.ChoiceField(choices=[("add", ""), ("remove", "")])
    sources = SourcesField(required=False)
