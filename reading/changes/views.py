"""`/changes/`: what changed in the law, the latest day first."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from reading.changes.screens import ChangesForm
from reading.changes.shown import shown
from search.screens.access import counted, public_page
from topics.scoping import visible_topics

CHANGES_A_PAGE = 50


@public_page
@counted
def changes(request: HttpRequest) -> HttpResponse:
    """The changes that the filters leave, a page of them, and the address of their feed."""
    form = ChangesForm(request.GET, topics=visible_topics(request).defer("system_prompt_addendum"))
    context = {"section": "changes", "form": form}
    if not form.is_valid():
        return render(request, "search/changes.html", context, status=400)
    found = form.changes().select_related("source__topic").prefetch_related("source__labels")
    page = Paginator(found, CHANGES_A_PAGE).get_page(request.GET.get("page"))
    context["page"], context["changes"] = page, shown(page, today=timezone.localdate())
    context["feed"] = form.address(language=request.LANGUAGE_CODE)
    return render(request, "search/changes.html", context)
