"""Widgets of Django's admin whose every box has a name for those who cannot see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.admin.widgets import AdminDateWidget, AdminSplitDateTime, AdminTimeWidget
from django.db import models
from django.forms import MultiWidget
from django.utils.translation import gettext_lazy as _


class NamedSplitDateTime(AdminSplitDateTime):
    """The admin's two boxes for one moment, which it labels as a pair only."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        widgets = [AdminDateWidget({"aria-label": _("Date")}), AdminTimeWidget({"aria-label": _("Time")})]
        MultiWidget.__init__(self, widgets, attrs)


NAMED_MOMENTS: Mapping[type[models.Field[Any, Any]], Mapping[str, Any]] = {
    models.DateTimeField: {"widget": NamedSplitDateTime}
}
