"""The page of a search, with what was found on it or why nothing was."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from kb_project.errors import ApiError, Throttled
from search.facets import Facets
from search.shown.filters import choices
from search.shown.forms import SearchForm
from search.shown.law_day import asked_on_day
from search.shown.start import start_page
from topics.scoping import searched, topics_to_choose


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
