"""Headers that every response has besides those of Django's SecurityMiddleware; and no API key over plain HTTP."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from kb_project.api.problem import is_api_path, problem_of
from kb_project.errors import PermissionDenied

# Asked from inside, by the machine's own address, where no proxy speaks TLS; they are told nothing of documents. With a
# key even they are refused.
PLAIN_PATHS = ("/healthz", "/readyz", "/metrics")
# The one thing a screen uses is the clipboard, to write to it.
FORBIDDEN_FEATURES = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media", "fullscreen"),
    *("geolocation", "gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture"),
    *("publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
)
CONTENT_SECURITY_POLICY = "; ".join(
    [
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'"),
        *("connect-src 'self'", "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'", "form-action 'self'"),
    ]
)
PERMISSIONS_POLICY = ", ".join([*(f"{name}=()" for name in FORBIDDEN_FEATURES), "clipboard-write=(self)"])


class SecurityHeaders:
    """Content-Security-Policy, Permissions-Policy and Cross-Origin-Resource-Policy on everything without its own.

    What depends on who asks is kept nowhere: the API's answers, and all that goes to somebody signed in. A view that
    allows its reader's own browser to keep something says so itself; `Vary` then keeps it from anybody else.

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
        if is_api_path(request.path_info):
            headers.setdefault("Cache-Control", "no-store")
            patch_vary_headers(response, ("Authorization", "Cookie"))
        elif settings.SESSION_COOKIE_NAME in request.COOKIES:
            headers.setdefault("Cache-Control", "no-store")
        return response


def _refusal(request: HttpRequest) -> HttpResponseBase | None:
    path = request.path_info
    if not settings.KB_HTTPS or request.is_secure() or not is_api_path(path):
        return None
    if path in PLAIN_PATHS and "Authorization" not in request.headers:
        return None
    response = problem_of(PermissionDenied("Use https: over plain HTTP others can read what you send, a key too."))
    response.headers["X-Content-Type-Options"] = "nosniff"  # Django's own middleware is not reached
    return response
