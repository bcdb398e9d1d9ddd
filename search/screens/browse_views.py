"""`/documents/`: what is there, to browse."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from search.screens.access import counted, public_page
from search.screens.browsing import BrowseForm
from topics.scoping import visible_topics

DOCUMENTS_A_PAGE = 50


@public_page
@counted
def documents(request: HttpRequest) -> HttpResponse:
    """The documents that the filters leave, by title, a page of them."""
    form = BrowseForm(request.GET, topics=visible_topics(request).defer("system_prompt_addendum"))
    context = {"section": "documents", "form": form}
    if not form.is_valid():
        return render(request, "search/documents.html", context, status=400)
    found = form.sources().select_related("topic").prefetch_related("labels").order_by("title", "pk")
    context["page"] = Paginator(found, DOCUMENTS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "search/documents.html", context)
