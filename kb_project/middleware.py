"""Middleware of our own."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_only_middleware


@sync_only_middleware
def one_thread(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Does nothing, last in the list, but be synchronous: all middleware before it then runs in the view's thread.

    Under ASGI each of Django's would otherwise hop to a thread and back twice, which costs more than a search.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return get_response(request)

    return middleware
