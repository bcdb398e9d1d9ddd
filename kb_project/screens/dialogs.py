"""Questions that open in a dialog; where there is no script, each is a page of its own."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from kb_project.screens.access import StaffRequest


def ask(request: StaffRequest, piece: str, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """The question `piece`: alone when it is for the dialog of an open page, else as a page, with `heading` 1."""
    if request.htmx:
        return render(request, piece, dict(context), status=status)
    return render(request, "ask.html", {**context, "piece": piece, "heading": 1}, status=status)


def leave(request: StaffRequest, url: str) -> HttpResponse:
    """On to another page, also from a form in the dialog."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def way_back(request: StaffRequest, *, default: str) -> str:
    """The page to return to, as `next` names it; `default` unless it is one of this site's."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    return url if url_has_allowed_host_and_scheme(url, {request.get_host()}, request.is_secure()) else default
