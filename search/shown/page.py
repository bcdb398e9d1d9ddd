"""The page of a search: what was found or why nothing was, and without a query examples, changes and topics."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language

from kb_project.errors import ApiError, Throttled
from law.citations.provision_names import citation
from law.languages.scripts import main_language
from law.structure.provisions import ProvisionKind
from search.facets import Facets
from search.shown.filters import Choices, choices
from search.shown.forms import SearchForm
from search.shown.law_day import asked_on_day
from sources.changes.listing import changes_in
from sources.kinds import SourceKind
from sources.models import Change, Provision, Source
from topics.models import Topic
from topics.scoping import searched, topics_to_choose

MAX_CHANGES = 3
MAX_TOPICS = 8
MAX_CITATIONS = 2
MAX_LOOKED_AT = 40  # latest laws among which those in the reader's language are looked for


@dataclass(frozen=True, slots=True)
class StartPage:
    """`examples` are queries that find something: citations of sections that are here, and a label.

    `changes` are the latest that still count: what was followed since by another version is not news.
    Each of the `topics` comes with how many documents it has in force today.
    """

    examples: Sequence[str]
    changes: Sequence[Change]
    topics: Sequence[tuple[Topic, int]]


def start_page(form: SearchForm, choices: Choices) -> StartPage:
    """Of the topics of a form without a query."""
    topics = list(form.topics)
    labels = _in_readers_language([label.name for label in choices.labels])[:1]
    return StartPage([*_citations(topics), *labels], _changes(topics), _counted(topics[:MAX_TOPICS]))


def _changes(topics: Sequence[Topic]) -> list[Change]:
    later = Source.objects.filter(work_id=OuterRef("source__work_id"), valid_from__gte=OuterRef("source__valid_to"))
    followed = Q(source__valid_to__lte=timezone.localdate()) & Exists(later)
    return list(changes_in(topics).exclude(followed).select_related("source__topic")[:MAX_CHANGES])


def _counted(topics: Sequence[Topic]) -> list[tuple[Topic, int]]:
    in_force = Source.objects.in_force(timezone.localdate()).filter(topic__in=topics).order_by()
    counts = dict(in_force.values_list("topic").annotate(Count("pk")))
    return [(topic, counts.get(topic.pk, 0)) for topic in topics]


def _in_readers_language(texts: Sequence[str]) -> list[str]:
    """Those that are in the language of the page, or all where none is."""
    return [text for text in texts if main_language(text).code == get_language()] or list(texts)


def _citations(topics: Sequence[Topic]) -> list[str]:
    """A section each of the latest laws and regulations in force in the reader's language, of the shortest names."""
    kinds = [SourceKind.LAW, SourceKind.REGULATION]
    in_force = Source.objects.in_force(timezone.localdate()).filter(topic__in=topics, kind__in=kinds)
    named: dict[str, Source] = {}
    for one in in_force.order_by("-pk")[:MAX_LOOKED_AT]:
        named.setdefault(one.title, one)  # the newest version of a law
    cited = sorted(_in_readers_language(list(named)), key=len)
    found = (citation(section, source=named[title]) for title in cited if (section := _first_section(named[title])))
    return list(islice(found, MAX_CITATIONS))


def _first_section(source: Source) -> Provision | None:
    sections = Provision.objects.filter(source=source, kind=ProvisionKind.SECTION).exclude(heading="")
    return sections.order_by("position").first()


def search_form(request: HttpRequest) -> SearchForm:
    return SearchForm(asked_on_day(request), topics=topics_to_choose(request), searched=partial(searched, request))


def search_page(
    request: HttpRequest,
    form: SearchForm,
    *,
    refused: ApiError | None = None,
    facets: Facets | None = None,
    **found: Any,
) -> HttpResponse:
    """The page around what was found. With an error of the form, or a refusal, what it says instead."""
    is_throttled = isinstance(refused, Throttled)
    understood = form.is_valid()
    status = refused.status if refused else 200 if understood else 400
    offered = choices(form, facets) if understood and not is_throttled else None
    context = {
        "section": "search",
        "form": form,
        "topics": form.topics,
        "choices": offered,
        "start": start_page(form, offered) if offered and not form.query and not form.filters else None,
        "query": form.query if understood else str(form["q"].value() or ""),
        "asking": understood and form.cleaned_data["ask"],
        "refused": refused,
        **found,
    }
    response = render(request, "search/search.html", context, status=status)
    if refused is not None and is_throttled:
        response["Retry-After"] = str(refused.extra["wait_s"])
    return response
