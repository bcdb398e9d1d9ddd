"""Error pages of the screens, in the reader's language and with a way back. Programs get problem objects instead.

A request of HTMX is answered with the sentence alone and the header `NOTICE`: the open page shows it (`site.js`), and
nothing on that page is replaced.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import context_processors, loader
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext_lazy as _

from kb_project.api.problem import ProblemResponse, is_api_path, problem_of, refusal_of
from kb_project.errors import ApiError, Invalid, NotFound, PermissionDenied

NOTICE = "X-Notice"
RETRY_AFTER_S = 5
# Title and sentence by status. Of other statuses below 500 what 400 says, of those above what 500 says.
SAID: Mapping[int, tuple[Any, Any]] = {
    400: (_("This could not be understood"), _("The address or the form holds something that cannot be read.")),
    401: (_("You are not signed in"), _("Sign in to go on where you were.")),
    403: (_("Not allowed"), _("You may not do this.")),
    404: (_("There is nothing here"), _("The address is wrong, or what was here is gone.")),
    405: (_("This address cannot be opened"), _("It only takes a form. Go back to the page with the form.")),
    408: (_("This took too long"), _("What you sent did not arrive in time. Check the connection and try again.")),
    409: (_("This could not be done"), _("It was changed meanwhile. Load the page again.")),
    413: (_("This is too large"), _("What you sent is larger than the service accepts.")),
    429: (_("Too many requests"), _("Too many requests came from your address. Try again in a moment.")),
    500: (_("Something went wrong"), _("This could not be done. The fault is on our side and has been recorded.")),
    503: (_("Not available now"), _("A part of the service does not answer. Try again in a moment.")),
}
FORM_EXPIRED = (
    _("This form can no longer be sent"),
    _("Somebody signed in since it was opened, or the browser keeps no cookies. Load the page again, then send it."),
)


def error_page(
    request: HttpRequest, status: int, *, said: tuple[Any, Any] | None = None, wait_s: int | None = None
) -> HttpResponse:
    """The page for this status. `said` is another title and sentence, `wait_s` goes into Retry-After.

    From 500 on, and before it is known who asks, making it needs no database.
    """
    title, sentence = said or SAID.get(status) or SAID[500 if status >= 500 else 400]
    context = {"status": status, "title": title, "sentence": sentence, "back": _way_back(request)}
    if request.headers.get("HX-Request"):
        text = loader.render_to_string("errors/_notice.html", context)
    elif status < 500 and hasattr(request, "user"):
        text = loader.render_to_string("errors/error.html", context, request)
    else:
        text = loader.render_to_string("errors/error.html", {**_without_user(request), **context})
    response = HttpResponse(text, status=status)
    if request.headers.get("HX-Request"):
        response.headers[NOTICE] = "1"
    if wait_s is not None:
        response.headers["Retry-After"] = str(wait_s)
    return response


def refused(request: HttpRequest, refusal: ApiError) -> HttpResponse:
    """The page that says a refusal of ours. `wait_s` of its `extra` goes into Retry-After."""
    title, _sentence = SAID.get(refusal.status) or SAID[400]
    return error_page(request, refusal.status, said=(title, refusal.detail), wait_s=refusal.extra.get("wait_s"))


def refused_early(request: HttpRequest, status: int, detail: str) -> HttpResponse:
    """What is refused before any middleware has run, such as a body that is too large. `detail` is for programs."""
    if is_api_path(request.path_info):
        return ProblemResponse(status, detail=detail)
    with override(get_language_from_request(request)):
        return error_page(request, status)


def _without_user(request: HttpRequest) -> dict[str, Any]:
    """What the frame of a page needs besides the user."""
    frame = {"request": request, "nobody_knows_who": True}
    return frame | context_processors.i18n(request) | context_processors.csrf(request)


def _way_back(request: HttpRequest) -> str:
    """The page of this site that led here, or "" for none."""
    url = request.headers.get("Referer", "")
    try:
        ours = url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
        is_itself = request.method in ("GET", "HEAD") and url == request.build_absolute_uri()
        return url if ours and not is_itself else ""
    except DisallowedHost:
        return ""


def _leads_to_sign_in(response: HttpResponseBase) -> bool:
    return response.headers.get("Location", "").partition("?")[0] == reverse("sign-in")


class RefusalPages:
    """Middleware: a refusal that a screen does not say itself is a page, and no fault in the log. So is a 405.

    What became of a form that was sent is told the page that follows.
    """

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        if is_api_path(request.path_info):
            return response
        if request.method == "POST" and response.status_code < 400 and not _leads_to_sign_in(response):
            # The browser keeps what is typed into a form until it hears this (`site.js`), which a script reads.
            response.set_cookie(
                settings.TAKEN_COOKIE_NAME, "1", max_age=60, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
            )
        if response.status_code != 405:
            return response
        page = error_page(request, 405)
        page.headers["Allow"] = response.headers["Allow"]
        return page

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, ApiError) or is_api_path(request.path_info):
            return None
        return refused(request, exception)


# --- handler400 … handler500 and CSRF_FAILURE_VIEW ---------------------------------------------------------------


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400: a wrong Host header, too many fields and the like."""
    refusal = refusal_of(exception) or Invalid("The request cannot be understood.")
    return problem_of(refusal) if is_api_path(request.path) else error_page(request, refusal.status)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403: the exception may say why, in the reader's language."""
    if is_api_path(request.path):
        return problem_of(PermissionDenied("You may not do this."))
    title, sentence = SAID[403]
    return error_page(request, 403, said=(title, str(exception) or sentence))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404."""
    if is_api_path(request.path):
        return problem_of(NotFound("There is nothing at this address."))
    return error_page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500: Django logs the exception. The caller learns only whether trying again can help."""
    cause = sys.exc_info()[1]
    refusal = refusal_of(cause) if cause is not None else None
    if is_api_path(request.path):
        if refusal is not None:
            return problem_of(refusal)
        return ProblemResponse(500, detail="The request could not be done; the fault has been recorded.")
    status = refusal.status if refusal is not None else 500
    return error_page(request, status, wait_s=RETRY_AFTER_S if status == 503 else None)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """CSRF_FAILURE_VIEW."""
    if is_api_path(request.path):
        return problem_of(PermissionDenied(f"The CSRF check failed: {reason}"))
    return error_page(request, 403, said=FORM_EXPIRED)
