"""Middleware of our own."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.functional import SimpleLazyObject

from kb_project.api.problem import is_api_path
from kb_project.observability import metrics, request_ids

API_LANGUAGE = "en"
QUIET_PATHS = ("/healthz", "/readyz", "/metrics")  # asked every few seconds: in the log only when they fail
LONGEST_PATH = 2_000  # characters of it in the log
access = logging.getLogger("kb.access")


class ScreenLanguage(LocaleMiddleware):
    """Django's choice of a language for the screens; the API speaks English whoever asks.

    So a refusal is said through gettext where it is raised: the screens show it in the reader's language, and programs
    always read the same sentence.
    """

    def process_request(self, request: HttpRequest) -> None:
        if is_api_path(request.path_info):
            translation.activate(API_LANGUAGE)
            request.LANGUAGE_CODE = API_LANGUAGE
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if is_api_path(request.path_info):
            response.headers.setdefault("Content-Language", API_LANGUAGE)
            return response
        return super().process_response(request, response)


class RequestLog:
    """Gives each request its id, answers with it, and writes one line of it when the answer is out.

    It stands first, so that its time is that of everything. Of the path it writes no query string, which may hold what
    somebody searched for. A stream is written when it has ended.
    """

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        request_id = request_ids.request_id_from(request.headers.get(request_ids.HEADER))
        token = request_ids.begin(request_id=request_id)
        response = self._get_response(request)
        response.headers[request_ids.HEADER] = request_id
        # Django would write one more line for what was refused, after the ids are gone; faults are in the log already.
        response._has_been_logged = True  # type: ignore[attr-defined]

        def ended() -> None:
            _answered(request, response, seconds=time.perf_counter() - started, request_id=request_id)

        if response.streaming:
            # The server closes it in another call, but in the same context.
            response._resource_closers.extend([ended, request_ids.end])  # type: ignore[attr-defined]
        else:
            ended()
            request_ids.end(token)
        return response


def _answered(request: HttpRequest, response: HttpResponseBase, *, seconds: float, request_id: str) -> None:
    method, route = request.method or "", getattr(request.resolver_match, "view_name", None) or "none"
    metrics.observe_request(method=method, route=route, status=response.status_code, seconds=seconds)
    quiet = request.path_info in QUIET_PATHS and response.status_code < 400
    level = logging.DEBUG if quiet else logging.WARNING if response.status_code >= 500 else logging.INFO
    ms = round(seconds * 1000, 1)
    shown = {"path": request.path[:LONGEST_PATH], "status": response.status_code, "ms": ms, "user": _who(request)}
    access.log(
        level,
        "%s %s %s %s ms %s",
        *(method, shown["path"], shown["status"], ms, shown["user"] or "-"),
        extra={"request_id": request_id, "method": method, **shown},
    )


def _who(request: HttpRequest) -> str:
    """The user by name or the key by name and prefix, if the request came to ask; a line of the log makes no query."""
    user = request.__dict__.get("user")
    if isinstance(user, SimpleLazyObject):
        user = getattr(request, "_cached_user", None)
    if user is None or not user.is_authenticated:
        return ""
    return getattr(user, "name_in_log", None) or user.get_username()
