"""What forms of several apps have in common."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class PublishedForm(forms.Form):
    """A form with the fields `published_from` and `published_to`, whose last day is not before the first."""

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        first, last = values.get("published_from"), values.get("published_to")
        if first and last and first > last:
            self.add_error("published_to", _("This is before the first day."))
        return values
