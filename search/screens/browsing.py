"""What there is to browse: the sources by topic, kind, label, year and first letter, each counted beside the others."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.db.models import Count, F, Func, QuerySet, TextField, Value
from django.db.models.functions import ExtractYear, Upper
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from labels.models import Label, SourceLabel
from labels.naming import find
from sources.kinds import Kind
from sources.models import Source
from topics.models import Topic

IN_SIGHT = 10  # values of a facet; more are a click away
MOST_VALUES = 200
_LETTER = Upper(Func(F("title"), Value("[[:alpha:]]"), function="substring", output_field=TextField()))


@dataclass(frozen=True, slots=True)
class FacetValue:
    """`count` is the number of documents beside the other filters; `address` chooses the value, or lets it go."""

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


class BrowseForm(forms.Form):
    """The query of the page. What cannot be understood is an error."""

    topic = forms.CharField(required=False, max_length=20)
    kind = forms.ChoiceField(
        required=False,
        choices=[("", ""), *Kind.choices],
        error_messages={"invalid_choice": gettext_lazy("There is no such kind of document.")},
    )
    label = forms.CharField(required=False, max_length=200)
    year = forms.IntegerField(required=False, min_value=1, max_value=9999)
    letter = forms.CharField(required=False, max_length=1)

    names: ClassVar[dict[str, Any]] = {
        "letter": gettext_lazy("First letter"),
        "topic": gettext_lazy("Topic"),
        "kind": gettext_lazy("Kind"),
        "label": gettext_lazy("Label"),
        "year": gettext_lazy("Year"),
    }
    chosen_label: Label | None = None

    def __init__(self, data: QueryDict, *, topics: Iterable[Topic]) -> None:
        super().__init__(data)
        self.topics = {str(topic.pk): topic for topic in topics}

    def clean_topic(self) -> str:
        wanted: str = self.cleaned_data["topic"]
        if wanted and wanted not in self.topics:
            raise forms.ValidationError(_("There is no such topic."))
        return wanted

    def clean_label(self) -> str:
        wanted: str = self.cleaned_data["label"]
        self.chosen_label = find(wanted) if wanted else None
        if wanted and self.chosen_label is None:
            raise forms.ValidationError(_("There is no such label."))
        return self.chosen_label.slug if self.chosen_label else ""

    def clean_letter(self) -> str:
        return str(self.cleaned_data["letter"]).upper()

    def sources(self, *, without: str = "") -> QuerySet[Source]:
        """What the filters leave, in no order; `without` names a filter that is not to count. Of a valid form."""
        values = self.cleaned_data
        conditions = {
            "topic": {"topic": values["topic"]},
            "kind": {"kind": values["kind"]},
            "label": {"label_assignments__label": self.chosen_label},
            "year": {"published_at__year": values["year"]},
            "letter": {"letter": values["letter"]},
        }
        sources = (
            Source.objects.in_force(timezone.localdate())
            .filter(topic__in=self.topics.values())
            .annotate(letter=_LETTER)
            .order_by()
        )
        for name, condition in conditions.items():
            if values[name] and name != without:
                sources = sources.filter(**condition)
        return sources

    @cached_property
    def facets(self) -> list[Facet]:
        """Every facet that would narrow the list or does. Of a valid form."""
        found = [self._facet(name) for name in self.names]
        return [facet for facet in found if len(facet.values) > 1 or any(value.chosen for value in facet.values)]

    def _facet(self, name: str) -> Facet:
        chosen = self.cleaned_data[name]
        rows = self._counted(name)[:MOST_VALUES]
        if chosen and all(value != chosen for value, _, _ in rows):
            rows = [(chosen, self._name_of_chosen(name), self.sources().count()), *rows]
        values = [
            FacetValue(str(shown), count, value == chosen, self.address(**{name: None if value == chosen else value}))
            for value, shown, count in rows
        ]
        split = len(values) if name in ("letter", "topic") else IN_SIGHT
        return Facet(name, str(self.names[name]), values[:split], values[split:])

    def _name_of_chosen(self, name: str) -> Any:
        value = self.cleaned_data[name]
        match name:
            case "topic":
                return self.topics[value].name
            case "kind":
                return Kind(value).label
            case "label" if self.chosen_label:
                return self.chosen_label.name
        return value

    def _counted(self, name: str) -> list[tuple[Any, Any, int]]:
        """Value, name and number of documents."""
        sources = self.sources(without=name)
        if name == "label":
            used = SourceLabel.objects.filter(source__in=sources).values_list("label__slug", "label__name")
            rows = used.annotate(n=Count("pk")).order_by("-n", "label__name")
            return sorted(rows[:MOST_VALUES], key=lambda row: row[0] != self.cleaned_data["label"])
        if name == "year":
            years = sources.filter(published_at__isnull=False).annotate(year=ExtractYear("published_at"))
            return [(year, year, n) for year, n in years.values_list("year").annotate(n=Count("pk")).order_by("-year")]
        counts = dict(sources.values_list(name).annotate(n=Count("pk")))
        if name == "kind":
            return [(kind, label, counts[kind]) for kind, label in Kind.choices if kind in counts]
        if name == "topic":
            return [(key, topic.name, counts[topic.pk]) for key, topic in self.topics.items() if topic.pk in counts]
        return [(letter, letter, counts[letter]) for letter in sorted(filter(None, counts))]

    def address(self, **changes: Any) -> str:
        """The query string with the changes, on its first page; None takes a filter away. Of a valid form."""
        query = QueryDict(mutable=True)
        query.update({name: value for name, value in {**self.cleaned_data, **changes}.items() if value})
        return f"?{query.urlencode()}"

    @property
    def filters(self) -> list[tuple[str, str, str]]:
        """What is set: field, value and the address without it."""
        return [
            (facet.name, value.name, value.address)
            for facet in self.facets
            for value in (*facet.values, *facet.more)
            if value.chosen
        ]
