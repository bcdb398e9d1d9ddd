"""What the library's screens take from a person, cleaned before a verb is called."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

from ingest.forms import DocumentForm, LabelsForm
from ingest.library.edit import LABELS
from sources.fields import COLUMNS


class SourceForm(DocumentForm):
    """A source's own words and labels. `was` names the state that the person saw."""

    was = forms.CharField(required=False)

    by_column = True
    renamed: ClassVar[dict[str, str]] = {LABELS: "labels"}

    @property
    def changes(self) -> dict[str, Any]:
        """Of a valid form: the fields that `edit` takes, without the labels."""
        return {name: self.cleaned_data[name] for name in COLUMNS}


class SourcesField(forms.Field):
    """Repeated ids of sources; what is no id is left out, for there is no such source."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[int]:
        return [int(text) for text in value or [] if text.isascii() and text.isdecimal() and len(text) < 19]


class BulkForm(LabelsForm):
    """What is to be done with the selected sources."""

    action = forms.ChoiceField(choices=[("add", ""), ("remove", "")])
    sources = SourcesField(required=False)
