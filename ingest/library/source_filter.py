"""The filters of `/library/`."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from ingest.forms import ISO_DATE
from labels.api.source_list import filtered
from labels.models import Label
from labels.screens.one_label import named_label
from labels.slugs import MAX_NAME_LENGTH, clean_name
from sources.kinds import Kind
from sources.models import Source
from topics.models import Topic


class FilterForm(forms.Form):
    """The query of the page."""

    q = forms.CharField(required=False, max_length=200)
    topic = forms.ModelChoiceField(required=False, queryset=Topic.objects.all())
    kind = forms.ChoiceField(required=False, choices=[("", ""), *Kind.choices])
    label = forms.CharField(required=False, max_length=200)
    label_name = forms.CharField(required=False, max_length=MAX_NAME_LENGTH)
    published_from = forms.DateField(required=False, input_formats=ISO_DATE)
    published_to = forms.DateField(required=False, input_formats=ISO_DATE)

    chosen_label: Label | None = None

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        slug, name = values.get("label") or "", clean_name(values.get("label_name") or "")
        if slug or name:
            self.chosen_label = named_label(slug, name)
            if self.chosen_label is None:
                self.add_error("label_name", _("There is no such label."))
        first, last = values.get("published_from"), values.get("published_to")
        if first and last and first > last:
            self.add_error("published_to", _("This is before the first day."))
        return values

    @property
    def is_set(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def sources(self) -> QuerySet[Source]:
        """The filtered sources, newest first; none when the form is not valid."""
        if not self.is_valid():
            return Source.objects.none()
        values = self.cleaned_data
        query = {name: values[name] for name in ("kind", "q") if values[name]}
        if self.chosen_label is not None:
            query["label_id"] = self.chosen_label.pk
        sources = filtered(Source.objects.all(), query, topic=values["topic"])
        if values["published_from"]:
            sources = sources.filter(published_at__gte=values["published_from"])
        if values["published_to"]:
            sources = sources.filter(published_at__lte=values["published_to"])
        return sources.order_by("-id")
