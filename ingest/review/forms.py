"""Forms that the review and the library share: the fields of a document, and labels from the label chooser."""

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from ingest.decisions import RELATIONS, Decision, LabelChoice
from ingest.documents.bulk import BulkAction
from ingest.documents.edit import LABELS
from ingest.intake.batches import MAX_BATCH_NAME_LENGTH
from kb_project.errors import ApiError
from labels.label_set import Chip, ChipsField, LabelSet, NamesField, chips_of
from law.words.slugs import MAX_NAME_LENGTH
from sources.fields import COLUMNS, FIELDS, DocumentField, FieldType
from sources.kinds import SourceKind
from topics.models import Topic

ISO_DATE = ["%Y-%m-%d"]


class LabelsForm(forms.Form):
    """Chips of the label chooser, and names that were typed beside them."""

    labels = ChipsField(required=False)
    more_labels = NamesField(required=False)

    renamed: ClassVar[dict[str, str]] = {}
    """The form's name of a field that a verb calls otherwise."""

    @property
    def chosen_labels(self) -> list[LabelChoice]:
        """Of a valid form."""
        chips = [LabelChoice.of_chip(value) for value in self.cleaned_data["labels"]]
        typed = [LabelChoice(name=name) for name in self.cleaned_data["more_labels"]]
        return [choice for choice in (*chips, *typed) if choice.slug or choice.name]

    @property
    def sent_labels(self) -> list[str]:
        """The chips as they were sent, of any form."""
        sent = self.data.getlist("labels") if hasattr(self.data, "getlist") else []
        return [value for value in sent if value.startswith(("slug:", "name:"))]

    @property
    def sent_slugs(self) -> set[str]:
        """The slugs that the sent chips lead to."""
        return {LabelChoice.of_chip(value).expected_slug for value in self.sent_labels}

    def chips(self, offered: Iterable[Chip], known: LabelSet) -> list[Chip]:
        """The offered chips, ticked as the person left them, then those that they added."""
        sent = {chip.value: chip for chip in chips_of(self.sent_labels, known)}
        shown = [sent.pop(chip.value, replace(chip, ticked=False)) for chip in offered]
        return [*shown, *sent.values()]

    @property
    def label_errors(self) -> list[str]:
        return [str(error) for name in ("labels", "more_labels") for error in self.errors.get(name, ())]

    def add_refusal(self, refusal: ApiError) -> None:
        """Put a verb's sentences beside the fields they are about: `labels.0.slug` belongs to `labels`."""
        self.is_valid()
        for path, sentences in refusal.errors.items():
            name = self.renamed.get(path, path.partition(".")[0])
            for sentence in sentences:
                self.add_error(name if name in self.fields else None, sentence)


class DocumentForm(LabelsForm):
    """The fields of a document by name. `by_column` is for a form of a stored source."""

    by_column = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in FIELDS:
            self.fields[field.column if self.by_column else field.name] = _form_field(field)


class LinesField(forms.CharField):
    """Names, in a line each."""

    def __init__(self, *, field: DocumentField, **options: Any) -> None:
        super().__init__(**options)
        self._field = field

    def clean(self, value: Any) -> list[str]:
        names: list[str] = self._field.trim(super().clean(value).splitlines())
        if sentence := self._field.error(names):
            raise forms.ValidationError(sentence)
        return names


class MultilineField(forms.CharField):
    """A text whose line breaks are stored as `\\n`. Browsers send `\\r\\n`."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


def _form_field(field: DocumentField) -> forms.Field:
    if field.type is FieldType.KIND:
        return forms.ChoiceField(choices=SourceKind.choices, label=field.label)
    if field.type is FieldType.DATE:
        return forms.DateField(required=False, input_formats=ISO_DATE, label=field.label)
    if field.type is FieldType.NAMES:
        return LinesField(field=field, required=False, label=field.label)
    text = MultilineField if field.multiline else forms.CharField
    return text(max_length=field.longest, required=bool(field.required), label=field.label)


class DecisionForm(DocumentForm):
    """One job's decision."""

    allow_duplicate = forms.BooleanField(required=False)
    was = forms.CharField(required=False, max_length=64, empty_value=None)
    """The `version_token` the source of a reopened job."""
    undated = forms.BooleanField(required=False)
    """No day of a new version is known."""
    similar = forms.RegexField(r"another|(replaces|version_of):[0-9]{1,18}", required=False)
    """What a document is to one that is nearly the same: `another`, or a relation of decisions and the source's id."""

    renamed: ClassVar[dict[str, str]] = dict.fromkeys(RELATIONS, "similar")

    @property
    def decision(self) -> Decision:
        """Of a valid form."""
        relation, _colon, source_id = self.cleaned_data["similar"].partition(":")
        related: dict[str, Any] = {relation: int(source_id)} if source_id else {}
        related["undated"] = self.cleaned_data["undated"]
        return Decision.of(self.cleaned_data, labels=tuple(self.chosen_labels), **related)


class BatchNameForm(forms.Form):
    name = forms.CharField(required=False, max_length=MAX_BATCH_NAME_LENGTH)


class JobsField(forms.Field):
    """Repeated job ids, or several in one value with spaces between. What is not a UUID is ignored."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[UUID]:
        ids = []
        for text in " ".join(value or []).split():
            with contextlib.suppress(ValueError):
                ids.append(UUID(text))
        return ids


class ActionForm(forms.Form):
    """An action on the selected jobs of a batch."""

    action = forms.ChoiceField(
        choices=[(name, name) for name in ("confirm", "discard", "classify", "retry", "reopen", "kind", "label")]
    )
    jobs = JobsField()
    found = forms.BooleanField(required=False, help_text="All that the filter of the address finds, instead of `jobs`.")
    unclassified = forms.BooleanField(required=False, help_text="All whose classifier failed, instead of `jobs`.")
    sure = forms.BooleanField(required=False)
    kind = forms.ChoiceField(choices=[("", ""), *SourceKind.choices], required=False)
    label = forms.CharField(max_length=MAX_NAME_LENGTH, required=False)
    new_labels = ChipsField(required=False)


class SourceForm(DocumentForm):
    """The fields and labels of a source. `was` is the `version_token` the source when the form was shown."""

    was = forms.CharField(required=False)

    by_column = True
    renamed: ClassVar[dict[str, str]] = {LABELS: "labels"}

    @property
    def changes(self) -> dict[str, Any]:
        """Of a valid form: the fields that `edit` takes, without the labels."""
        return {name: self.cleaned_data[name] for name in COLUMNS}


class SourcesField(forms.Field):
    """Repeated ids of sources, or lists of them with commas. What is not a number is ignored."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[int]:
        ids = [text for texts in value or [] for text in texts.split(",")]
        return [int(text) for text in ids if text.isascii() and text.isdecimal() and len(text) < 19]


class BulkForm(LabelsForm):
    """An action on sources: the ticked ones, or all those `found` by the filter when the page was made."""

    action = forms.ChoiceField(choices=BulkAction.choices)
    sources = SourcesField(required=False)
    found = SourcesField(required=False)
    kind = forms.ChoiceField(required=False, choices=[("", ""), *SourceKind.choices])
    topic = forms.ModelChoiceField(required=False, queryset=Topic.objects.all())

    def clean(self) -> dict[str, Any]:
        """What the action needs besides the sources must be there."""
        values = super().clean() or {}
        needed = values.get("action")
        labels = values.get("labels") or values.get("more_labels")
        if needed in (BulkAction.ADD, BulkAction.REMOVE) and not labels:
            self.add_error(None, _("Choose a label first."))
        elif needed == BulkAction.KIND and not values.get("kind"):
            self.add_error(None, _("Choose a kind first."))
        elif needed == BulkAction.MOVE and not values.get("topic"):
            self.add_error(None, _("Choose a topic first."))
        return values
