"""`/synonyms/`: the entries that people made and those that come with the languages; making, changing, deleting one."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from kb_project.errors import Conflict, Invalid, NotFound, Refusal
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import ask, leave, way_back
from kb_project.screens.messages import telling
from law.words.synonyms import DEFAULT_WEIGHT, Entry
from search.models import Synonym
from search.synonyms import editing
from search.synonyms.base import base_in_use, split_list
from topics.models import Topic

ENTRIES_A_PAGE = 50
LONGEST_TYPED = 200


@staff_may(GET="search.view_synonym")
def synonyms(request: StaffRequest) -> HttpResponse:
    """The entries that fit what is searched for, a page of them; with `base` those that come with the languages."""
    typed = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:LONGEST_TYPED]
    base, topic = "base" in request.GET, _topic(request.GET.get("topic", ""))
    found: Sequence[Any] = _of_base(typed) if base else _own(typed, topic)
    context = {
        "section": "synonyms",
        "typed": typed,
        "base": base,
        "topic": topic,
        "topics": Topic.objects.order_by("id"),
        "page": Paginator(found, ENTRIES_A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "synonyms/synonyms.html", context)


def _own(typed: str, topic: Topic | None) -> Any:
    found = editing.synonyms_within(topic.pk if topic else None).order_by("-pk")
    return editing.mentioning(typed, found) if typed else found


def _of_base(typed: str) -> list[Entry]:
    wanted = typed.casefold()
    return [entry for entry in base_in_use() if wanted in "\n".join((*entry.words, *entry.means)).casefold()]


def _topic(text: str) -> Topic | None:
    return (
        Topic.objects.filter(pk=int(text)).first() if text.isascii() and text.isdecimal() and len(text) < 19 else None
    )


@staff_may(GET="search.add_synonym", POST="search.add_synonym")
def create(request: StaffRequest) -> HttpResponse:
    """A new entry; `words`, `means` and `weight` of the address are what the form begins with."""
    given = request.POST if request.method == "POST" else request.GET
    topic = _topic(given.get("topic", ""))
    context = {
        "topic": topic,
        "topics": Topic.objects.order_by("id"),
        "words": given.get("words", ""),
        "means": given.get("means", ""),
        "weight": given.get("weight", f"{DEFAULT_WEIGHT:g}"),
    }

    def make(values: dict[str, Any]) -> Synonym:
        return editing.create(topic=topic, by=request.user.get_username(), **values)

    return _form(request, context, save=make, said=_("The synonym “%(entry)s” was made."))


@staff_may(GET="search.change_synonym", POST="search.change_synonym")
def change(request: StaffRequest, synonym_id: int) -> HttpResponse:
    entry = editing.synonyms_within(None).filter(pk=synonym_id).first()
    if entry is None:
        return _gone(request)
    given = request.POST
    context = {
        "entry": entry,
        "words": given.get("words", "\n".join(entry.words)),
        "means": given.get("means", "\n".join(entry.means)),
        "weight": given.get("weight", f"{entry.weight:g}"),
    }

    def save(values: dict[str, Any]) -> Synonym:
        return editing.change(synonym_id, values, by=request.user.get_username())

    return _form(request, context, save=save, said=_("The synonym “%(entry)s” was changed."))


def _form(request: StaffRequest, context: dict[str, Any], *, save: Any, said: str) -> HttpResponse:
    """The form of an entry; what is sent is saved."""
    context["next"] = way_back(request, default=reverse("synonyms"))
    if request.method != "POST":
        return ask(request, "synonyms/_form.html", context)
    try:
        values = _values(context)
        entry = save(values)
    except NotFound:
        return _gone(request)
    except Refusal as refusal:
        context |= {"refused": refusal.detail, "errors": refusal.errors}
        return ask(request, "synonyms/_form.html", context, status=refusal.status)
    messages.success(request, telling(said, entry=entry))
    return leave(request, context["next"])


def _values(context: dict[str, Any]) -> dict[str, Any]:
    """What was typed, as `editing` takes it. Raises Invalid."""
    lists = {name: split_list(context[name]) for name in ("words", "means")}
    try:
        return {**lists, "weight": float(context["weight"])}
    except ValueError as error:
        sentence = _("The weight is a number from 0 to 1.")
        raise Invalid(sentence, errors={"weight": [sentence]}) from error


@staff_may(GET="search.delete_synonym", POST="search.delete_synonym")
def delete(request: StaffRequest, synonym_id: int) -> HttpResponse:
    entry = editing.synonyms_within(None).filter(pk=synonym_id).first()
    if entry is None:
        return _gone(request)
    back = way_back(request, default=reverse("synonyms"))
    if request.method != "POST":
        return ask(request, "synonyms/_delete.html", {"entry": entry, "next": back})
    try:
        editing.delete(synonym_id, by=request.user.get_username())
    except NotFound:
        return _gone(request)
    except Conflict as refusal:
        context = {"entry": entry, "next": back, "refused": refusal.detail}
        return ask(request, "synonyms/_delete.html", context, status=refusal.status)
    messages.success(request, telling(_("The synonym “%(entry)s” was deleted."), entry=entry))
    return leave(request, back)


def _gone(request: StaffRequest) -> HttpResponse:
    context = {"next": way_back(request, default=reverse("synonyms"))}
    return ask(request, "synonyms/_gone.html", context, status=404)
