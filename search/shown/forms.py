"""What a reader asks for: the query string of `/` and `/ask/`, understood, and the addresses that lead on from it."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.validators import MaxLengthValidator
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from kb_project.screens.forms import PublishedForm
from labels.label_set import LabelSet
from labels.models import Label
from law.questions.phrases import without_marks
from search.retrieval import MAX_QUERY_LENGTH, MAX_RESULTS
from search.retrieval.listing import Group, Listing, Sort
from sources.kinds import SourceKind
from sources.scope import Scope
from topics.models import Topic

RESULTS_AT_A_TIME = 10
ISO = ["%Y-%m-%d"]
MAX_LABELS = 20
TOO_LONG = _("A query has at most %(limit_value)d characters; this one has %(show_value)d.")

_SLUG = forms.CharField(max_length=200)


class SlugsField(forms.MultipleChoiceField):
    """Slugs of labels. `SearchForm` looks for them."""

    def to_python(self, value: Any) -> list[str]:
        return list(dict.fromkeys(filter(None, super().to_python(value))))

    def validate(self, value: list[str]) -> None:
        if len(value) > MAX_LABELS:
            raise forms.ValidationError(_("At most %(most)d labels.") % {"most": MAX_LABELS})
        for slug in value:
            _SLUG.clean(slug)


class SearchForm(PublishedForm):
    """A query, the topic it is about and the filters. What cannot be understood is an error. Nothing is ignored."""

    q = forms.CharField(required=False, validators=[MaxLengthValidator(MAX_QUERY_LENGTH, TOO_LONG)])
    topic = forms.CharField(required=False, max_length=20)
    kind = forms.MultipleChoiceField(
        required=False,
        choices=SourceKind.choices,
        error_messages={"invalid_choice": _("There is no such kind of document.")},
    )
    label = SlugsField(required=False)
    published_from = forms.DateField(required=False, input_formats=ISO)
    published_to = forms.DateField(required=False, input_formats=ISO)
    as_of = forms.DateField(required=False, input_formats=ISO)
    versions = forms.ChoiceField(required=False, choices=[("", ""), ("all", "all")])
    show = forms.IntegerField(required=False, min_value=1, max_value=MAX_RESULTS)
    ask = forms.BooleanField(required=False)
    group = forms.ChoiceField(required=False, choices=[(group, group) for group in Group])
    sort = forms.ChoiceField(required=False, choices=[(sort, sort) for sort in Sort])

    chosen_topic: Topic | None = None
    chosen_labels: Sequence[Label] = ()

    def __init__(
        self, data: QueryDict, *, topics: list[Topic], searched: Callable[[Topic | None], Mapping[str, Any]]
    ) -> None:
        """`searched` gives what the scope says of topics, where one of them is chosen or none."""
        super().__init__(data)
        self.topics = topics
        self._searched = searched

    def clean_topic(self) -> str:
        wanted: str = self.cleaned_data["topic"]
        self.chosen_topic = next((topic for topic in self.topics if str(topic.pk) == wanted), None)
        if wanted and self.chosen_topic is None:
            raise forms.ValidationError(_("There is no such topic."))
        return wanted

    def clean_label(self) -> list[str]:
        wanted: list[str] = self.cleaned_data["label"]
        within = self._searched(None).get("within") if wanted else None
        known = LabelSet(wanted, within=within)
        found = [known.resolve(slug) for slug in wanted]
        if None in found:
            raise forms.ValidationError(_("There is no such label."))
        self.chosen_labels = list(dict.fromkeys(filter(None, found)))
        return [label.slug for label in self.chosen_labels]

    def clean_group(self) -> str:
        """Empty where it says nothing, as in addresses."""
        return "" if self.cleaned_data["group"] == Group.PASSAGE else str(self.cleaned_data["group"])

    def clean_sort(self) -> str:
        """As `clean_group`."""
        return "" if self.cleaned_data["sort"] == Sort.RELEVANCE else str(self.cleaned_data["sort"])

    @property
    def query(self) -> str:
        """Of a valid form."""
        return str(self.cleaned_data["q"])

    @property
    def wanted(self) -> int:
        """How many results are to be shown."""
        return self.cleaned_data["show"] or RESULTS_AT_A_TIME

    @property
    def listing(self) -> Listing:
        """How results are shown, with the counts of the filters."""
        values = self.cleaned_data
        return Listing(
            group=Group(values["group"] or Group.PASSAGE), sort=Sort(values["sort"] or Sort.RELEVANCE), facets=True
        )

    @cached_property
    def scope(self) -> Scope:
        values = self.cleaned_data
        return Scope(
            **self._searched(self.chosen_topic),
            label_ids=tuple(label.pk for label in self.chosen_labels),
            kinds=tuple(values["kind"]),
            published_from=values["published_from"],
            published_to=values["published_to"],
            as_of=values["as_of"] or timezone.localdate(),
            all_versions=values["versions"] == "all",
        )

    @property
    def api_body(self) -> str:
        """The same question for `POST /kb/ask/stream`."""
        scope = self.scope
        given = {
            "question": self.query,
            "topic_id": scope.topic_id,
            "label_ids": scope.label_ids or None,
            "kind": scope.kinds or None,
            "published_from": scope.published_from,
            "published_to": scope.published_to,
            "as_of": self.cleaned_data["as_of"],
        }
        told = {name: value for name, value in given.items() if value is not None}
        return json.dumps(told, ensure_ascii=False, default=str)

    @property
    def export_query(self) -> str:
        """The same search for `GET /kb/search.docx`: as many results as are shown."""
        scope = self.scope
        given = {
            "query": self.query,
            "topic_id": scope.topic_id,
            "label_ids": scope.label_ids,
            "kind": scope.kinds,
            "published_from": scope.published_from,
            "published_to": scope.published_to,
            "as_of": self.cleaned_data["as_of"],
            "versions": self.cleaned_data["versions"],
            **dict(self.order),
            "limit": self.wanted,
        }
        return urlencode({name: value for name, value in given.items() if value}, doseq=True)

    def address(self, **changes: Any) -> str:
        """The query string that asks for the same but for the changes. None takes a field away. Of a valid form."""
        values = {**self.cleaned_data, "topic": self.scope.topic_id, "show": None, **changes}
        query = QueryDict(mutable=True)
        for name, value in values.items():
            if isinstance(value, list):
                query.setlist(name, value)
            elif value not in (None, "", False):
                query[name] = "1" if value is True else str(value)
        return f"?{query.urlencode()}" if query else "?"

    @cached_property
    def filters(self) -> list[tuple[str, str, str]]:
        """What narrows the topic: field, what is chosen, and the address without it. Of a valid form."""
        values = self.cleaned_data
        kinds = values["kind"]
        set_to = [
            (
                str(_("Kind")),
                str(SourceKind(kind).label),
                self.address(kind=[other for other in kinds if other != kind]),
            )
            for kind in kinds
        ]
        set_to += [
            (str(_("Label")), label.name, self.address(label=[slug for slug in values["label"] if slug != label.slug]))
            for label in self.chosen_labels
        ]
        for name, field in (("published_from", _("From")), ("published_to", _("To"))):
            if values[name]:
                set_to.append((str(field), date_format(values[name]), self.address(**{name: None})))
        if values["versions"]:
            set_to.append((str(_("Versions")), str(_("of all days")), self.address(versions=None)))
        return set_to

    @property
    def without_filters(self) -> str:
        return self.address(kind=[], label=[], published_from=None, published_to=None)

    @property
    def widest(self) -> str:
        """The same query in all topics, without a filter."""
        return self.address(kind=[], label=[], published_from=None, published_to=None, topic=None)

    @property
    def order(self) -> list[tuple[str, str]]:
        """How results are shown, for a page without any: fields and their values, where they say something."""
        return [(name, self.cleaned_data[name]) for name in ("group", "sort") if self.cleaned_data[name]]

    @property
    def without_phrases(self) -> str:
        """The same query without its quotation marks."""
        return self.address(q=without_marks(self.query))

    @property
    def ask_again(self) -> str:
        return self.address(ask=True)

    @property
    def search_instead(self) -> str:
        return self.address(ask=None)
