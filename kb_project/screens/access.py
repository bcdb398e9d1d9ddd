"""Who may see the screens: staff with the permission that a page needs, once they have signed in."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.middleware import HtmxDetails

from kb_project.configuration.roles import holds

if TYPE_CHECKING:
    from django.contrib.auth.models import User

guards: list[Callable[[HttpRequest, Mapping[str, Any]], None]] = []
"""What is asked before a screen of staff is shown, with what its address names. Apps add theirs when set up."""
View = Callable[..., HttpResponseBase]


class StaffRequest(HttpRequest):
    """A request of somebody who has signed in, as the middleware hands it on."""

    htmx: HtmxDetails
    user: "User"


def staff_may(**needs: str) -> Callable[[View], View]:
    """`@staff_may(GET="labels.view_label", POST="labels.add_label")`: the methods of a page, and what each asks for.

    Any other method is 405. Who is not signed in is led to the sign-in page. Who is and may not do it gets 403 with a
    sentence.
    """

    def decorate(view: View) -> View:
        guarded = require_http_methods([*needs, *(["HEAD"] if "GET" in needs else [])])(view)

        @wraps(view)
        def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
            user = request.user
            if not user.is_authenticated:
                return to_sign_in(request)
            needed = needs.get("GET" if request.method == "HEAD" else request.method or "")
            if not (holds(user, needed) if needed else user.is_staff):
                raise PermissionDenied(_("Your account may not do this. Ask a manager for the right role."))
            request.right = needed  # type: ignore[attr-defined]  # limits what is seen (`topics.scoping`)
            for guard in guards:
                guard(request, kwargs)
            return guarded(request, *args, **kwargs)

        wrapper.needs = needs  # type: ignore[attr-defined]  # as DRF's views have it
        return wrapper

    return decorate


def signed_in(view: View) -> View:
    """A page for whoever has signed in, whatever their role."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        return view(request, *args, **kwargs) if request.user.is_authenticated else to_sign_in(request)

    return wrapper


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """The sign-in page, which leads back to where one was.

    A request of a script gets 401 instead: the page that sent it is still open, with what was typed on it, and says
    itself how to sign in (`site.js`). Of a form that was sent the way back is the page it stood on.
    """
    if request.headers.get("HX-Request") or request.headers.get("Sec-Fetch-Dest") == "empty":
        return HttpResponse(status=401)
    # The browser still names a session that is no more.
    has_ended = settings.SESSION_COOKIE_NAME in request.COOKIES and request.session.session_key is None
    page = reverse("sign-in", query={"ended": 1}) if has_ended else None
    return redirect_to_login(_back(request), login_url=page)


def _back(request: HttpRequest) -> str:
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    page = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure())
    parts = urlsplit(page)
    return parts._replace(scheme="", netloc="").geturl() if ours else "/"
