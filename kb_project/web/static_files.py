"""Static files out of ServeStatic, which no other request has to pass through."""

from __future__ import annotations

from collections.abc import Callable

from asgiref.sync import async_to_sync, sync_to_async
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware


class StaticFiles:
    """ServeStatic's middleware for the addresses below `STATIC_URL`.

    It is asynchronous only: in the chain of all requests each of them would hop to the event loop and back for it.
    """

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        files = ServeStaticMiddleware(sync_to_async(get_response))
        self._prefix = files.static_prefix
        self._serve = async_to_sync(files.__call__)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        below = request.path_info.startswith(self._prefix)
        return self._serve(request) if below else self._get_response(request)
