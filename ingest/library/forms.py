"""What the library's screens take from a person, cleaned before a verb is called."""

from __future__ import annotations

from typing import Any

from django import forms

from ingest.decisions import LabelChoice
from ingest.library.edit import LABELS, LONGEST_OF_A_SOURCE
from kb_project.errors import Refusal
from labels.chips.fields import ChipsField, NamesField
from sources.kinds import Kind


class ChosenLabels(forms.Form):
    """Labels as the chooser sends them: chips, and names that were typed beside them."""

    labels = ChipsField(required=False)
    more_labels = NamesField(required=False)

    @property
    def chosen_labels(self) -> list[LabelChoice]:
        """Of a valid form."""
        split = [value.partition(":") for value in self.cleaned_data["labels"]]
        chips = [LabelChoice(slug=text) if sort == "slug" else LabelChoice(name=text) for sort, _colon, text in split]
        return [*chips, *(LabelChoice(name=name) for name in self.cleaned_data["more_labels"])]

    @property
    def sent_labels(self) -> list[str]:
        """The chips as they were sent, of any form."""
        sent = self.data.getlist("labels") if hasattr(self.data, "getlist") else []
        return [value for value in sent if value.startswith(("slug:", "name:"))]

    def add_refusal(self, refusal: Refusal) -> None:
        """Put a verb's sentences beside the fields they are about: `labels.0.slug` belongs to `labels`."""
        for path, sentences in refusal.errors.items():
            name = {LABELS: "labels"}.get(path, path.partition(".")[0])
            for sentence in sentences:
                self.add_error(name if name in self.fields else None, sentence)


class SourceForm(ChosenLabels):
    """A source's own words and labels. `was` names the state that the person saw."""

    kind = forms.ChoiceField(choices=Kind.choices)
    title = forms.CharField(max_length=LONGEST_OF_A_SOURCE["title"])
    subject = forms.CharField(max_length=LONGEST_OF_A_SOURCE["subject"], required=False)
    description = forms.CharField(max_length=LONGEST_OF_A_SOURCE["description"], required=False)
    identifier = forms.CharField(max_length=LONGEST_OF_A_SOURCE["identifier"], required=False)
    published_at = forms.DateField(required=False, input_formats=["%Y-%m-%d"])
    was = forms.CharField(required=False)

    def clean_description(self) -> str:
        text: str = self.cleaned_data["description"]
        return text.replace("\r\n", "\n")  # as browsers send the line ends of a text area

    @property
    def changes(self) -> dict[str, Any]:
        """Of a valid form: the fields that `edit` takes, without the labels."""
        names = ("kind", "title", "subject", "description", "identifier", "published_at")
        return {name: self.cleaned_data[name] for name in names}


class SourcesField(forms.Field):
    """Repeated ids of sources; what is no id is left out, for there is no such source."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[int]:
        return [int(text) for text in value or [] if text.isascii() and text.isdecimal() and len(text) < 19]


class BulkForm(ChosenLabels):
    """What is to be done with the selected sources."""

    action = forms.ChoiceField(choices=[("add", ""), ("remove", "")])
    sources = SourcesField(required=False)
