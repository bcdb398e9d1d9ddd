"""Lists narrowed by facets: each value counted beside the other filters, and what is chosen kept in the address."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.db.models import Count, Q, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from labels.label_set import LabelSet
from labels.models import Label
from sources.fields import DocumentField, FieldType
from sources.kinds import SourceKind
from topics.access import Topics
from topics.models import Topic

IN_SIGHT = 10  # values of a facet; more are a click away
MAX_VALUES = 200

Counted = tuple[Any, Any, int]
"""A value of a facet, its name, and the number of what the list holds with it."""


def filter_field(field: DocumentField) -> forms.Field:
    """The input that narrows a list to the documents that have a value in a field. An empty one does not."""
    if field.type is not FieldType.KIND:
        return forms.CharField(required=False, max_length=field.longest, label=field.label)
    return forms.ChoiceField(
        required=False,
        choices=[("", ""), *SourceKind.choices],
        error_messages={"invalid_choice": gettext_lazy("There is no such kind of document.")},
        label=field.label,
    )


@dataclass(frozen=True, slots=True)
class FacetValue:
    """`count` is the number of rows beside the other filters. `address` chooses the value, or lets it go."""

    name: str
    count: int
    chosen: bool
    address: str


@dataclass(frozen=True, slots=True)
class Facet:
    """One way to narrow the list. `values` are in sight, `more` are not."""

    field: str
    name: str
    values: Sequence[FacetValue]
    more: Sequence[FacetValue] = ()


class FacetForm(forms.Form):
    """The query of a page with a list. What cannot be understood is an error.

    A form names its facets in `names`, in the order in which the page has them. It says what all rows are, the
    `conditions` by which each filter leaves some of them, and `counted` of what is not counted here.
    """

    topic = forms.CharField(required=False, max_length=20)
    label = forms.CharField(required=False, max_length=200)

    names: ClassVar[dict[str, Any]] = {}
    topic_path: ClassVar[str] = "source__topic"
    """From a row to its topic."""
    all_in_sight: ClassVar[tuple[str, ...]] = ("topic",)
    chosen_label: Label | None = None

    def __init__(self, data: QueryDict, *, topics: Iterable[Topic], labels_within: Topics = None) -> None:
        """`labels_within` are the topics whose labels alone exist for the reader, None for all."""
        super().__init__(data)
        self.topics = {str(topic.pk): topic for topic in topics}
        self._labels_within = labels_within

    def all_rows(self) -> QuerySet[Any]:
        """What the list would hold without filters."""
        raise NotImplementedError

    def conditions(self) -> Mapping[str, Q]:
        """What each filter asks of a row, by its name. Of a valid form."""
        raise NotImplementedError

    def rows(self, *, without: str = "") -> QuerySet[Any]:
        """What the filters leave. `without` names a filter that is not to count. Of a valid form."""
        rows = self.all_rows()
        for name, condition in self.conditions().items():
            if self.cleaned_data[name] and name != without:
                rows = rows.filter(condition)
        return rows

    def total(self) -> int:
        """How many rows the filters leave. Of a valid form."""
        return self.rows().count()

    def counted(self, name: str) -> Sequence[Counted]:
        """The values of a facet, at least the first `MAX_VALUES`, in the order in which they are shown."""
        if name != "topic":
            raise NotImplementedError
        rows = self.rows(without=name).order_by().prefetch_related(None)
        counts = dict(rows.values_list(self.topic_path).annotate(n=Count("pk")))
        return [(key, topic.name, counts[topic.pk]) for key, topic in self.topics.items() if topic.pk in counts]

    def name_of_chosen(self, name: str) -> Any:
        """The name of the value that is chosen."""
        value = self.cleaned_data[name]
        if name == "topic":
            return self.topics[value].name
        return self.chosen_label.name if name == "label" and self.chosen_label else value

    def clean_topic(self) -> str:
        wanted: str = self.cleaned_data["topic"]
        if wanted and wanted not in self.topics:
            raise forms.ValidationError(_("There is no such topic."))
        return wanted

    def clean_label(self) -> str:
        wanted: str = self.cleaned_data["label"]
        self.chosen_label = LabelSet([wanted], within=self._labels_within).resolve(wanted) if wanted else None
        if wanted and self.chosen_label is None:
            raise forms.ValidationError(_("There is no such label."))
        return self.chosen_label.slug if self.chosen_label else ""

    @cached_property
    def facets(self) -> list[Facet]:
        """Every facet that would narrow the list or does. Of a valid form."""
        found = [self._facet(name) for name in self.names]
        return [facet for facet in found if len(facet.values) > 1 or any(value.chosen for value in facet.values)]

    def _facet(self, name: str) -> Facet:
        chosen = self.cleaned_data[name]
        rows = self.counted(name)[:MAX_VALUES]
        if chosen and all(value != chosen for value, _, _ in rows):
            rows = [(chosen, self.name_of_chosen(name), self.total()), *rows]
        values = [
            FacetValue(str(shown), count, value == chosen, self.address(**{name: None if value == chosen else value}))
            for value, shown, count in rows
        ]
        split = len(values) if name in self.all_in_sight else IN_SIGHT
        return Facet(name, str(self.names[name]), values[:split], values[split:])

    def address(self, **changes: Any) -> str:
        """The query string with the changes, on its first page. None takes a filter away. Of a valid form."""
        query = QueryDict(mutable=True)
        query.update({name: value for name, value in {**self.cleaned_data, **changes}.items() if value})
        return f"?{query.urlencode()}"

    @property
    def chosen(self) -> list[str]:
        """The names of the values that are chosen. Of a valid form."""
        return [str(self.name_of_chosen(name)) for name in self.names if self.cleaned_data[name]]

    @property
    def filters(self) -> list[tuple[str, str, str]]:
        """What is set: field, value and the address without it."""
        return [
            (facet.name, value.name, value.address)
            for facet in self.facets
            for value in (*facet.values, *facet.more)
            if value.chosen
        ]
