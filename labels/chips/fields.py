"""The label chooser as fields of a form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from labels.slugs import MAX_NAME_LENGTH, clean_name

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
