"""`/`: search, and the frame into which an answer is streamed."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from kb_project.api.throttles import PublicThrottle, SearchThrottle
from kb_project.errors import ApiError
from search import search_counts
from search.expansion.expand import expand
from search.results import Match
from search.retrieval import MAX_RESULTS, parse_query, retrieve
from search.retrieval.reading import read_act
from search.shown.access import count, public_page
from search.shown.act_card import card_of
from search.shown.forms import RESULTS_AT_A_TIME, SearchForm
from search.shown.hits import missing, shown
from search.shown.law_day import choose, hold
from search.shown.other_days import on_other_days
from search.shown.page import search_form, search_page
from topics.scoping import note_search


@public_page
def home(request: HttpRequest) -> HttpResponse:
    """The results of a query. With `ask=1` nothing is searched: the page's script asks and shows the answer."""
    form = search_form(request)
    understood = form.is_valid()
    if understood and form.query:
        note_search(request, form.chosen_topic)
    searching = understood and bool(form.query) and not form.cleaned_data["ask"]
    # A day that is chosen in the form holds on all pages. One in the address of a link is of that page alone.
    chooses = understood and bool(request.htmx)  # type: ignore[attr-defined]
    if chooses:
        choose(request, form.cleaned_data["as_of"])
    try:
        count(request, SearchThrottle if searching else PublicThrottle)
        page = search_page(request, form, **(_found(form) if searching else {}))
    except ApiError as refusal:
        return search_page(request, form, refused=refusal)
    return hold(request, page) if chooses else page


def _found(form: SearchForm) -> dict[str, Any]:
    query = parse_query(form.query)
    found = retrieve(
        query,
        scope=form.scope,
        limit=min(form.wanted + 1, MAX_RESULTS),  # one more tells whether there are more
        expansions=expand(query, topic=form.chosen_topic),
        listing=form.listing,
    )
    if form.cleaned_data["show"] is None:  # else the same search goes on
        search_counts.count(found, scope=form.scope)
    hits = found.hits[: form.wanted]
    others = () if hits else on_other_days(query, scope=form.scope, listing=form.listing)
    act = read_act(found.named_id)
    more = min(form.wanted + RESULTS_AT_A_TIME, MAX_RESULTS)
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
        "by_meaning": all(hit.match is Match.SEMANTIC for hit in hits),
        "facets": found.facets,
        "more": form.address(show=more) if len(found.hits) > form.wanted else "",
        "at_most": len(hits) == MAX_RESULTS,
    }
