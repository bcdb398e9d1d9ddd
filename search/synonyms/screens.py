"""`/synonyms/`: the entries that people made and those that come with the languages. Making, changing, deleting
one, and all of them as a CSV file."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from kb_project.api.openapi_files import describe
from kb_project.errors import Invalid
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import done, gone_to, next_url, of_entry, settle
from kb_project.screens.imports import download, import_page
from law.words.stored import DEFAULT_WEIGHT
from law.words.synonyms import SynonymEntry
from search.models import Synonym
from search.synonyms import editing
from search.synonyms.base import base_in_use, split_list
from topics.access import Topics
from topics.scoping import find_topic, limits, narrowed, require_own, topics_to_choose

ENTRIES_A_PAGE = 50
MAX_TYPED_LENGTH = 200
BYTE_ORDER_MARK = "\ufeff"  # without it spreadsheets read Hebrew as Latin letters
describe(name="synonym-export", media_type="text/csv", description="Every synonym that people made.")
_of_synonym = of_entry(
    "synonym_id",
    get=partial(editing.get_own, within=None),
    gone=gone_to(
        "synonyms", said=gettext_lazy("This synonym is not there any more."), to=gettext_lazy("To the synonyms")
    ),
)


@staff_may(GET="search.view_synonym")
def synonyms(request: StaffRequest) -> HttpResponse:
    """The entries that fit what is searched for, a page of them. With `base` those that come with the languages."""
    typed = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:MAX_TYPED_LENGTH]
    base, topic = "base" in request.GET, find_topic(request.GET.get("topic", ""), request)
    found: Sequence[Any] = _of_base(typed) if base else _own(typed, narrowed(request, topic))
    context = {
        "section": "synonyms",
        "typed": typed,
        "base": base,
        "topic": topic,
        "topics": topics_to_choose(request),
        "page": Paginator(found, ENTRIES_A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "synonyms/synonyms.html", context)


def _own(typed: str, within: Topics) -> Any:
    found = editing.synonyms_within(within).order_by("-pk")
    return editing.mentioning(typed, found) if typed else found


def _of_base(typed: str) -> list[SynonymEntry]:
    wanted = typed.casefold()
    return [entry for entry in base_in_use() if wanted in "\n".join((*entry.words, *entry.means)).casefold()]


def _back(request: StaffRequest) -> str:
    return next_url(request, default=reverse("synonyms"))


@staff_may(GET="search.add_synonym", POST="search.add_synonym")
def create(request: StaffRequest) -> HttpResponse:
    """A new entry. `words`, `means` and `weight` of the address are what the form begins with."""
    given = request.POST if request.method == "POST" else request.GET
    topic = find_topic(given.get("topic", ""), request)
    context = {
        "topic": topic,
        "topics": topics_to_choose(request),
        "words": given.get("words", ""),
        "means": given.get("means", ""),
        "weight": given.get("weight", f"{DEFAULT_WEIGHT:g}"),
        "next": _back(request),
    }

    def make() -> HttpResponse:
        entry = editing.create(topic=require_own(request, topic), by=request.user.get_username(), **_values(context))
        return done(request, _back(request), _("The synonym “%(entry)s” was made."), entry=entry)

    return settle(request, "synonyms/_form.html", context, make)


@staff_may(GET="search.change_synonym", POST="search.change_synonym")
@_of_synonym
def change(request: StaffRequest, entry: Synonym) -> HttpResponse:
    given = request.POST
    context = {
        "entry": entry,
        "words": given.get("words", "\n".join(entry.words)),
        "means": given.get("means", "\n".join(entry.means)),
        "weight": given.get("weight", f"{entry.weight:g}"),
        "next": _back(request),
    }

    def save() -> HttpResponse:
        changed = editing.change(entry.pk, _values(context), by=request.user.get_username())
        return done(request, _back(request), _("The synonym “%(entry)s” was changed."), entry=changed)

    return settle(request, "synonyms/_form.html", context, save)


def _values(context: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed, as `editing` takes it. Raises Invalid."""
    lists = {name: split_list(context[name]) for name in ("words", "means")}
    try:
        return {**lists, "weight": float(context["weight"])}
    except ValueError as error:
        sentence = _("The weight is a number from 0 to 1.")
        raise Invalid(sentence, errors={"weight": [sentence]}) from error


@staff_may(GET="search.delete_synonym", POST="search.delete_synonym")
@_of_synonym
def delete(request: StaffRequest, entry: Synonym) -> HttpResponse:
    def act() -> HttpResponse:
        editing.delete(entry.pk, by=request.user.get_username())
        return done(request, _back(request), _("The synonym “%(entry)s” was deleted."), entry=entry)

    return settle(request, "synonyms/_delete.html", {"entry": entry, "next": _back(request)}, act)


@staff_may(GET="search.view_synonym")
def export(request: StaffRequest) -> HttpResponse:
    """Every entry that people made."""
    text = BYTE_ORDER_MARK + editing.written(editing.synonyms_within(limits(request)))
    return download(text, name="synonyms.csv", content_type="text/csv")


@staff_may(GET="search.add_synonym", POST="search.change_synonym")
def import_file(request: StaffRequest) -> HttpResponse:
    return import_page(
        request,
        "synonyms/import.html",
        {"section": "synonyms", "back": reverse("synonyms"), "columns": ", ".join(editing.COLUMNS)},
        read=partial(editing.SynonymImport, within=limits(request)),
        largest=editing.SynonymImport.largest,
        said=lambda n: ngettext("%d synonym was taken over.", "%d synonyms were taken over.", n) % n,
    )
