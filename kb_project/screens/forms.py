"""What forms of several apps have in common."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.formats import get_format
from django.utils.translation import gettext_lazy as _

from law.languages.dates import MONTH_NUMBERS

_MONTHS = " ".join(f"{name}={number}" for name, number in MONTH_NUMBERS.items())


class PublishedForm(forms.Form):
    """A form with the fields `published_from` and `published_to`, whose last day is not before the first."""

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        first, last = values.get("published_from"), values.get("published_to")
        if first and last and first > last:
            self.add_error("published_to", _("This is before the first day."))
        return values


def day_format(_request: HttpRequest) -> dict[str, str]:
    """A context processor: how a page writes days, and the months of every language, for `days.js`."""
    return {"day_format": get_format("DATE_FORMAT"), "day_months": _MONTHS}
