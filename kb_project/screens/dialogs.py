"""Questions that open in a dialog, and what becomes of their answers. Without a script each is a page of its own.

A screen that makes, changes or deletes an entry calls the verb that the API calls. What the verb refuses is said in the
form, beside what was typed.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from kb_project.errors import ApiError, NotFound
from kb_project.isolates import safe_message
from kb_project.screens.access import StaffRequest

View = Callable[..., HttpResponse]


def render_dialog(request: StaffRequest, piece: str, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """The question `piece`: alone when it is for the dialog of an open page, else as a page, with `heading` 1."""
    if request.htmx:
        return render(request, piece, dict(context), status=status)
    return render(request, "ask.html", {**context, "piece": piece, "heading": 1}, status=status)


def redirect_from_dialog(request: StaffRequest, url: str) -> HttpResponse:
    """On to another page, also from a form in the dialog."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def next_url(request: HttpRequest, *, default: str) -> str:
    """The page to return to, as `next` names it. `default` unless it is one of this site's."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    return url if url_has_allowed_host_and_scheme(url, {request.get_host()}, request.is_secure()) else default


def settle(
    request: StaffRequest,
    piece: str,
    context: Mapping[str, Any],
    act: Callable[[], HttpResponse],
    *,
    refused: Callable[[ApiError], Mapping[str, Any]] = lambda refusal: {},
) -> HttpResponse:
    """Ask the question `piece`, and act when it is answered. Raises `NotFound` as `act` does.

    What `act` refuses is said in the piece as `refused`, with the sentences about its inputs as `errors`. The function
    `refused` says more of it, or says it otherwise.
    """
    if request.method != "POST":
        return render_dialog(request, piece, context)
    try:
        return act()
    except NotFound:
        raise
    except ApiError as refusal:
        said = {"refused": refusal.detail, "errors": refusal.errors, **refused(refusal)}
        return render_dialog(request, piece, {**context, **said}, status=refusal.status)


def done(request: StaffRequest, url: str, sentence: str, **names: object) -> HttpResponse:
    """Say what was done, as `safe_message`, on the page that follows."""
    messages.success(request, safe_message(sentence, **names))
    return redirect_from_dialog(request, url)


def of_entry(key: str, *, get: Callable[[int], Any], gone: View) -> Callable[[View], View]:
    """Call a view with the entry whose id the path has as `key`. Call `gone` with the id when there is none (any more).

    Then `get` or the view raises `NotFound` or `ObjectDoesNotExist`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: StaffRequest, **kwargs: Any) -> HttpResponse:
            entry_id = kwargs.pop(key)
            try:
                return view(request, get(entry_id), **kwargs)
            except (NotFound, ObjectDoesNotExist):
                return gone(request, entry_id)

        return wrapper

    return decorate


def gone_to(page: str, *, said: Any, to: Any) -> View:
    """Say that an entry is not there any more, with the link `to` the page of this name."""

    def view(request: StaffRequest, entry_id: int) -> HttpResponse:
        context = {"said": said, "to": to, "next": next_url(request, default=reverse(page))}
        return render_dialog(request, "_gone.html", context, status=404)

    return view
