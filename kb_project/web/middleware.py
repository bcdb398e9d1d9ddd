"""Middleware of our own: the log of requests, the language, headers that browsers obey, what standbys must have."""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.messages.middleware import MessageMiddleware
from django.core.exceptions import DisallowedHost
from django.db import Error
from django.http import HttpRequest
from django.http.request import HttpHeaders
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from kb_project.api.problem import is_api_path, problem_of
from kb_project.database.standbys import positions, reading
from kb_project.errors import PermissionDenied
from kb_project.observability import metrics, request_ids, tracing
from kb_project.screens.errors import refused_early
from kb_project.web.origins import origin_of

logger = logging.getLogger(__name__)

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
# What screens use is the clipboard, to write to it, and passkeys.
FORBIDDEN_FEATURES = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media", "fullscreen"),
    *("geolocation", "gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture"),
    *("screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
)
CONTENT_SECURITY_POLICY = "; ".join(
    [
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'"),
        *("connect-src 'self'", "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'", "form-action 'self'"),
    ]
)
PERMISSIONS_POLICY = ", ".join(
    [*(f"{name}=()" for name in FORBIDDEN_FEATURES), "clipboard-write=(self)", "publickey-credentials-get=(self)"]
)


API_LANGUAGE = "en"
SCREEN_LANGUAGE = "KB-Screen-Language"  # a header of our own pages, which show what the API answers
QUIET_PATHS = ("/healthz", "/readyz", "/metrics")  # asked every few seconds: in the log only when they fail
MAX_HOST_LENGTH = 200
MAX_PATH_LENGTH = 2_000  # characters of it in the log
access = logging.getLogger("kb.access")
# Asked from inside, by the machine's own address, where no proxy speaks TLS; they are told nothing of documents. With a
# key even they are refused.
PLAIN_PATHS = ("/healthz", "/readyz", "/metrics")


def _header(request: HttpRequest, name: str) -> str | None:
    """A header of the request, None without one. `request.headers` makes a dictionary of all of them first."""
    value: str | None = request.META.get(HttpHeaders.to_wsgi_name(name))
    return value


class ScreenLanguage(LocaleMiddleware):
    """Django's choice of a language for the screens. The API speaks English whoever asks, but for a page of ours.

    So a refusal is said through gettext where it is raised: the screens show it in the reader's language, and programs
    always read the same sentence.
    """

    def process_request(self, request: HttpRequest) -> None:
        if is_api_path(request.path_info):
            shown_in = _header(request, SCREEN_LANGUAGE)
            translation.activate(shown_in if shown_in in dict(settings.LANGUAGES) else API_LANGUAGE)
            request.LANGUAGE_CODE = translation.get_language()
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if is_api_path(request.path_info):
            response.headers.setdefault("Content-Language", getattr(request, "LANGUAGE_CODE", API_LANGUAGE))
            return response
        return super().process_response(request, response)


class PageMessages(MessageMiddleware):
    """Django's messages, which pages show. The API has none."""

    def process_request(self, request: HttpRequest) -> None:
        if not is_api_path(request.path_info):
            super().process_request(request)


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
        request_id = request_ids.request_id_from(_header(request, request_ids.HEADER))
        token = request_ids.begin(request_id=request_id)
        response = self._get_response(request)
        response.headers[request_ids.HEADER] = request_id
        tracing.name_request(request, request_id=request_id)
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
    if not access.isEnabledFor(level):
        return
    ms = round(seconds * 1000, 1)
    shown = {"path": _path(request), "status": response.status_code, "ms": ms, "user": _who(request)}
    access.log(
        level,
        "%s %s %s %s ms %s%s",
        *(method, shown["path"], shown["status"], ms, shown["user"] or "-", _unknown_host(request, response)),
        extra={"request_id": request_id, "method": method, **shown},
    )


def _unknown_host(request: HttpRequest, response: HttpResponseBase) -> str:
    """What to add to the line of a refused request whose host is not one of ALLOWED_HOSTS, or has another port."""
    if response.status_code != 400:
        return ""
    host = repr(request.META.get("HTTP_HOST", "")[:MAX_HOST_LENGTH])
    try:
        request.get_host()
    except DisallowedHost:
        return f" the host {host} is not in ALLOWED_HOSTS"
    try:
        origin_of(request)
    except DisallowedHost:
        return f" the port of the host {host} is not this service's (KB_PUBLIC_URL)"
    return ""


def _path(request: HttpRequest) -> str:
    """Without what opens an account to whoever reads it."""
    match = request.resolver_match
    token = match.kwargs.get("token") if match else None
    return (request.path.replace(token, "…") if token else request.path)[:MAX_PATH_LENGTH]


def _who(request: HttpRequest) -> str:
    """The user by name or the key by name and prefix, if the request came to ask. A line of the log makes no query."""
    user = request.__dict__.get("user")
    if isinstance(user, SimpleLazyObject):
        user = getattr(request, "_cached_user", None)
    if user is None or not user.is_authenticated:
        return ""
    return getattr(user, "name_in_log", None) or user.get_username()


class SecurityHeaders:
    """Content-Security-Policy, Permissions-Policy and Cross-Origin-Resource-Policy on everything without its own.

    What depends on who asks is kept nowhere: the API's answers, and all that goes to somebody signed in or to a key. A
    view that allows its reader's own browser to keep something says so itself. `Vary` then keeps it from anybody else.

    With `KB_HTTPS`, a request to the API over plain HTTP is 403 instead of being redirected: its key has just crossed
    the network readable, and whoever sent it must learn that.
    """

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = _refusal(request) or self._get_response(request)
        headers = response.headers
        headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if (
            is_api_path(request.path_info)
            or settings.SESSION_COOKIE_NAME in request.COOKIES
            or _header(request, "Authorization") is not None
        ):
            headers.setdefault("Cache-Control", "no-store")
            patch_vary_headers(response, ("Authorization", "Cookie"))
        return response


def _refusal(request: HttpRequest) -> HttpResponseBase | None:
    path = request.path_info
    if not settings.KB_HTTPS or request.is_secure() or not is_api_path(path):
        return None
    if path in PLAIN_PATHS and _header(request, "Authorization") is None:
        return None
    response = problem_of(PermissionDenied("Use https: over plain HTTP others can read what you send, a key too."))
    response.headers["X-Content-Type-Options"] = "nosniff"  # Django's own middleware is not reached
    return response


class StandbyConsistency:
    """Notes how far standbys must come, before the answer to a request that may have changed something is out.

    Where that cannot be noted the answer is 503: the change has been made, and may not be seen yet.
    """

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method in SAFE:
            return self._get_response(request)
        reading.begin_request()
        response = self._get_response(request)
        refused = 400 <= response.status_code < 500
        if not refused and not reading.has_only_read():
            try:
                positions.require_reads_after_now()
            except Error:
                logger.warning("A change could not be noted for the standbys", exc_info=True)
                return refused_early(request, 503, "The change was made, but the database went away. Look at it again.")
        return response
