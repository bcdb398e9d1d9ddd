"""What there is to browse: the sources by topic, kind, label, year and first letter, each counted beside the others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from django import forms
from django.core.paginator import Paginator
from django.db.models import Case, Count, F, Func, Q, QuerySet, TextField, Value, When
from django.db.models.functions import ExtractYear, Upper
from django.db.models.lookups import GreaterThanOrEqual
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy

from kb_project.screens.pictures import Picture, bars
from labels.models import SourceLabel
from law.languages import DEFAULT, LANGUAGES
from law.languages.scripts import main_language
from search.shown.access import counted, public_page
from search.shown.faceting import MAX_VALUES, Counted, FacetForm, filter_field
from search.shown.law_day import law_day
from sources.fields import FILTERED
from sources.kinds import SourceKind
from sources.models import Source
from sources.models.documents import TITLE_KEY, by_title
from topics.access import Topics
from topics.models import Topic
from topics.scoping import limits, topics_to_choose

GENRES = "|".join(language.title_genres for language in LANGUAGES if language.title_genres)
# Of what stands behind the words with which most titles of a language begin; of these alone, their own first letter.
_NAMED = Func(
    F("title"), Value(rf"^[^[:alpha:]]*({GENRES})[^[:alpha:]]+(?=.*[[:alpha:]])"), Value(""), function="regexp_replace"
)
_LETTER = Upper(Func(_NAMED, Value("[[:alpha:]]"), function="substring", output_field=TextField()))


def _is_readers(letter: str) -> bool:
    """Whether a letter is of the language of the page."""
    return main_language(letter).code == get_language()


def _readers_first(found: QuerySet[Source]) -> QuerySet[Source]:
    """By title, those in the script of the page first."""
    language = next((one for one in LANGUAGES if one.code == get_language()), DEFAULT)
    if language is DEFAULT:
        return found
    own = When(GreaterThanOrEqual(TITLE_KEY, Value(language.letters[0])), then=0)  # titles in Latin letters come first
    return found.order_by(Case(own, default=1), TITLE_KEY, "pk")


class BrowseForm(FacetForm):
    """The query of the page."""

    year = forms.IntegerField(required=False, min_value=1, max_value=9999)
    letter = forms.CharField(required=False, max_length=1)

    names: ClassVar[dict[str, Any]] = {
        "letter": gettext_lazy("First letter"),
        "topic": gettext_lazy("Topic"),
        **{field.column: field.label for field in FILTERED},
        "label": gettext_lazy("Label"),
        "year": gettext_lazy("Year"),
    }
    topic_path = "topic"
    all_in_sight = ("letter", "topic")

    def __init__(
        self, data: QueryDict, *, topics: Iterable[Topic], labels_within: Topics = None, day: date | None = None
    ) -> None:
        super().__init__(data, topics=topics, labels_within=labels_within)
        self.day = day or timezone.localdate()
        self.fields |= {field.column: filter_field(field) for field in FILTERED}

    def clean_letter(self) -> str:
        return str(self.cleaned_data["letter"]).upper()

    def all_rows(self) -> QuerySet[Source]:
        """In no order."""
        return (
            Source.objects.in_force(self.day).filter(topic__in=self.topics.values()).annotate(letter=_LETTER).order_by()
        )

    def conditions(self) -> Mapping[str, Q]:
        values = self.cleaned_data
        return {
            "topic": Q(topic=values["topic"]),
            **{field.column: Q((field.column, values[field.column])) for field in FILTERED},
            "label": Q(label_assignments__label=self.chosen_label),
            "year": Q(published_at__year=values["year"]),
            "letter": Q(letter=values["letter"]),
        }

    def name_of_chosen(self, name: str) -> Any:
        return SourceKind(self.cleaned_data[name]).label if name == "kind" else super().name_of_chosen(name)

    def counted(self, name: str) -> Sequence[Counted]:
        if name == "topic":
            return super().counted(name)
        sources = self.rows(without=name)
        if name == "label":
            used = SourceLabel.objects.filter(source__in=sources).values_list("label__slug", "label__name")
            rows = used.annotate(n=Count("pk")).order_by("-n", "label__name")
            return sorted(rows[:MAX_VALUES], key=lambda row: row[0] != self.cleaned_data["label"])
        if name == "year":
            years = sources.filter(published_at__isnull=False).annotate(year=ExtractYear("published_at"))
            return [(year, year, n) for year, n in years.values_list("year").annotate(n=Count("pk")).order_by("-year")]
        counts = dict(sources.values_list(name).annotate(n=Count("pk")))
        if name == "kind":
            return [(kind, label, counts[kind]) for kind, label in SourceKind.choices if kind in counts]
        if name == "letter":
            letters = sorted(filter(None, counts), key=lambda letter: (not _is_readers(letter), letter))
            return [(letter, letter, counts[letter]) for letter in letters]
        return [
            (text, text, counts[text]) for text in sorted(filter(None, counts), key=lambda text: (-counts[text], text))
        ]


DOCUMENTS_A_PAGE = 50
MAX_YEARS = 16  # of the picture, the latest


@dataclass(frozen=True, slots=True)
class YearsOfTopic:
    """How many documents of each kind there are by year, for a picture and a table."""

    kinds: Sequence[tuple[str, str]]
    rows: Sequence[tuple[int, Sequence[int]]]
    picture: Picture


def years_of_topic(sources: QuerySet[Source]) -> YearsOfTopic | None:
    """Of the sources that have a date. None where they are of one year, which is no picture."""
    dated = sources.filter(published_at__isnull=False).annotate(year=ExtractYear("published_at"))
    counts = {(year, kind): n for year, kind, n in dated.values_list("year", "kind").annotate(n=Count("pk"))}
    years = sorted({year for year, _ in counts})[-MAX_YEARS:]
    if len(years) < 2:
        return None
    used = [kind for kind in SourceKind if any((year, kind) in counts for year in years)]
    series = {kind: f"s{place}" for place, kind in enumerate(SourceKind)}
    columns = {str(year): {series[kind]: counts.get((year, kind), 0) for kind in used} for year in years}
    rows = [(year, [counts.get((year, kind), 0) for kind in used]) for year in reversed(years)]
    return YearsOfTopic([(series[kind], str(kind.label)) for kind in used], rows, bars(columns))


@public_page
@counted
def documents(request: HttpRequest) -> HttpResponse:
    """The documents that the filters leave, by title, a page of them."""
    form = BrowseForm(
        request.GET, topics=topics_to_choose(request), labels_within=limits(request), day=law_day(request)
    )
    context = {"section": "documents", "form": form}
    if not form.is_valid():
        return render(request, "search/documents.html", context, status=400)
    found = _readers_first(by_title(form.rows().select_related("topic").prefetch_related("labels")))
    context["page"] = Paginator(found, DOCUMENTS_A_PAGE).get_page(request.GET.get("page"))
    if form.cleaned_data["topic"] or len(form.topics) == 1:
        context["years"] = years_of_topic(form.rows())
    return render(request, "search/documents.html", context)
