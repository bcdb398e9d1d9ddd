"""Labels in a form: a chip for each, of a label that exists or of a name that is to become one."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from labels.label_set import LabelSet
from law.words.slugs import MAX_NAME_LENGTH, clean_name

MAX_LABELS = 50


@dataclass(frozen=True, slots=True)
class Chip:
    """A label in the form. `value` is `slug:…` of an existing one or `name:…` of a new one."""

    value: str
    name: str
    ticked: bool
    count: int | None = None

    @property
    def is_new(self) -> bool:
        return self.value.startswith("name:")


def chips_of(values: Iterable[str], known: LabelSet) -> list[Chip]:
    """Ticked chips for `slug:…` and `name:…` values, each label once."""
    chips: dict[str, Chip] = {}
    for value in values:
        sort, _colon, text = value.partition(":")
        label = known.find(text) if sort == "slug" else known.find_named(text)
        if label:
            chip = Chip(f"slug:{label.slug}", label.name, True, label.usage_count)
        else:
            chip = Chip(f"name:{text}", text, True)
        chips.setdefault(chip.value, chip)
    return list(chips.values())


class ChipsField(forms.Field):
    """Repeated `slug:…` and `name:…` values."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[str]:
        chips = [text for text in value or [] if text.startswith(("slug:", "name:"))]
        if len(chips) > MAX_LABELS:
            raise forms.ValidationError(_("At most %d labels.") % MAX_LABELS)
        return chips


class NamesField(forms.CharField):
    """Label names, separated by commas: the way without the label chooser."""

    def clean(self, value: Any) -> list[str]:
        names = [clean_name(part) for part in super().clean(value).split(",")]
        if any(len(name) > MAX_NAME_LENGTH for name in names):
            raise forms.ValidationError(_("A label has at most %d characters.") % MAX_NAME_LENGTH)
        return [name for name in names if name]
