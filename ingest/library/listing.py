"""Which sources the library lists, and in which order: the filter of its page, of its export and of the API."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django import forms
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import OrderBy
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy

from ingest.review.forms import ISO_DATE
from ingest.similar.naming import SIMILAR
from kb_project.screens.forms import PublishedForm
from labels.label_set import LabelSet
from labels.models import Label
from law.words.slugs import MAX_NAME_LENGTH, clean_name
from reading.documents.api import filtered
from search.shown.faceting import filter_field
from sources.fields import FILTERED, FieldType
from sources.models import Source
from sources.models.documents import TITLE_KEY
from topics.models import Topic
from topics.scoping import limits, visible_topics, within_topics

UNREAD = Q(unread_pages__isnull=False) & ~Q(unread_pages=[])
NO_DATE = Q(published_at__isnull=True)
CHECKS: Mapping[str, tuple[Any, Q]] = {
    "unread": (gettext_lazy("Pages not read"), UNREAD),
    "unknown": (gettext_lazy("Not known whether all was read"), Q(unread_pages__isnull=True, pages__isnull=False)),
    "no_date": (gettext_lazy("No date"), NO_DATE),
    "similar": (gettext_lazy("Similar to another"), SIMILAR),
}
"""What a person looks for to mend it: a name and a condition."""
COLUMNS: Mapping[str, tuple[Any, Any]] = {
    "title": (TITLE_KEY, gettext_lazy("Title")),
    "kind": ("kind", gettext_lazy("Kind")),
    "date": ("published_at", gettext_lazy("Date")),
    "indexed": ("pk", gettext_lazy("Added on")),
    "pages": ("pages", gettext_lazy("Pages")),
}
"""What the list can be sorted by: a field of a source or an expression, and its name.

Ids are given in the order of indexing.
"""
SORTS = [sort for name in COLUMNS for sort in (name, f"-{name}")]
NEWEST = "-indexed"


class FilterForm(PublishedForm):
    """The query of the page."""

    q = forms.CharField(required=False, max_length=200)
    topic = forms.ModelChoiceField(required=False, queryset=Topic.objects.none())
    label = forms.CharField(required=False, max_length=200)
    label_name = forms.CharField(required=False, max_length=MAX_NAME_LENGTH)
    check = forms.ChoiceField(required=False, choices=[("", ""), *((name, name) for name in CHECKS)])
    published_from = forms.DateField(required=False, input_formats=ISO_DATE)
    published_to = forms.DateField(required=False, input_formats=ISO_DATE)
    sort = forms.ChoiceField(required=False, choices=[("", ""), *((sort, sort) for sort in SORTS)])

    chosen_label: Label | None = None

    def __init__(self, data: QueryDict, request: HttpRequest | None = None) -> None:
        """Of what the request may see. Without one of everything, for what describes the form."""
        super().__init__(data)
        self._request = request
        self.fields["topic"].queryset = visible_topics(request) if request else Topic.objects.all()  # type: ignore[attr-defined]
        self.fields |= {field.column: filter_field(field) for field in FILTERED}

    @property
    def texts(self) -> list[forms.BoundField]:
        """The inputs of the fields of a document that lists are filtered by, but for the kind."""
        return [self[field.column] for field in FILTERED if field.type is FieldType.TEXT]

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        slug, name = values.get("label") or "", clean_name(values.get("label_name") or "")
        if slug or name:
            within = limits(self._request) if self._request else None
            self.chosen_label = LabelSet([slug], names=[name], within=within).resolve(slug, name)
            if self.chosen_label is None:
                self.add_error("label_name", gettext_lazy("There is no such label."))
        return values

    @property
    def is_set(self) -> bool:
        return any(self.data.get(name) for name in self.fields if name != "sort")

    @cached_property
    def order(self) -> str:
        """The sort that was asked for. Without one, the newest come first."""
        return (self.cleaned_data.get("sort") if self.is_valid() else "") or NEWEST

    def sources(self) -> QuerySet[Source]:
        """The filtered sources in their order, none when the form is not valid."""
        if not self.is_valid():
            return Source.objects.none()
        values = self.cleaned_data
        query = {name: values[name] for name in ("q", *(field.column for field in FILTERED)) if values[name]}
        if self.chosen_label is not None:
            query["label_id"] = self.chosen_label.pk
        every = Source.objects.with_followed()
        sources = filtered(
            within_topics(every, self._request) if self._request else every, query, topic=values["topic"]
        )
        if values["check"]:
            sources = sources.filter(CHECKS[values["check"]][1])
        if values["published_from"]:
            sources = sources.filter(published_at__gte=values["published_from"])
        if values["published_to"]:
            sources = sources.filter(published_at__lte=values["published_to"])
        return sources.order_by(*ordering(self.order))


def ordering(sort: str) -> list[OrderBy]:
    """The order of a sort: what has no value comes last, and of equals the newest first."""
    name = COLUMNS[sort.removeprefix("-")][0]
    if name == "pk":
        return [F(name).desc() if sort.startswith("-") else F(name).asc()]
    field = F(name) if isinstance(name, str) else name
    return [field.desc(nulls_last=True) if sort.startswith("-") else field.asc(nulls_last=True), F("pk").desc()]
