"""`/`: search, and the frame into which an answer is streamed."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from kb_project.api.throttles import PublicThrottle, SearchThrottle
from kb_project.errors import ApiError, Throttled
from search import search_counts
from search.expansion.expand import expand
from search.facets import Facets
from search.other_days import on_other_days
from search.retrieval import MOST_RESULTS, parse_query, retrieve
from search.retrieval.named_act import read_act
from search.screens.access import count, public_page
from search.screens.act_card import card_of
from search.screens.filters import choices, kinds_found
from search.screens.forms import RESULTS_AT_A_TIME, SearchForm
from search.screens.hits import missing, shown
from search.screens.start import start_page
from topics.scoping import note_search, searched, topics_to_choose


@public_page
def home(request: HttpRequest) -> HttpResponse:
    """The results of a query. With `ask=1` nothing is searched: the page's script asks and shows the answer."""
    form = search_form(request)
    understood = form.is_valid()
    if understood and form.query:
        note_search(request, form.chosen_topic)
    searching = understood and bool(form.query) and not form.cleaned_data["ask"]
    try:
        count(request, SearchThrottle if searching else PublicThrottle)
        return search_page(request, form, **(_found(form) if searching else {}))
    except ApiError as refusal:
        return search_page(request, form, refused=refusal)


def _found(form: SearchForm) -> dict[str, Any]:
    query = parse_query(form.query)
    found = retrieve(
        query,
        scope=form.scope,
        limit=min(form.wanted + 1, MOST_RESULTS),  # one more tells whether there are more
        expansions=expand(query, topic=form.chosen_topic),
        listing=form.listing,
    )
    if form.cleaned_data["show"] is None:  # else the same search goes on
        search_counts.count(found, scope=form.scope)
    hits = found.hits[: form.wanted]
    others = () if hits else on_other_days(query, scope=form.scope, listing=form.listing)
    act = read_act(found.named_id)
    more = min(form.wanted + RESULTS_AT_A_TIME, MOST_RESULTS)
    return {
        "act": card_of(act, form=form) if act else None,
        "missing": missing(found),
        "operators": found.operators,
        "corrected": found.corrected_query,
        "lacking": found.lacking,
        "hits": shown(hits, form=form),
        "others": shown(others, form=form),
        "passages": found.passages,
        "documents": found.documents,
        "phrases": found.phrases,
        "facets": found.facets,
        "kinds_found": kinds_found(found.facets, form=form) if found.facets else [],
        "more": form.address(show=more) if len(found.hits) > form.wanted else "",
        "at_most": len(hits) == MOST_RESULTS,
    }


def search_form(request: HttpRequest) -> SearchForm:
    return SearchForm(request.GET, topics=topics_to_choose(request), searched=partial(searched, request))


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
