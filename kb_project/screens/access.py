"""Who may see the screens: staff with the permission that a page needs, after the admin's login."""

from collections.abc import Callable
from functools import wraps

from django.contrib.admin.views.decorators import staff_member_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails

View = Callable[..., HttpResponseBase]


class StaffRequest(HttpRequest):
    """A request as the middleware hands it on."""

    htmx: HtmxDetails


def staff_may(**needs: str) -> Callable[[View], View]:
    """`@staff_may(GET="labels.view_label", POST="labels.add_label")`: the methods of a page, and what each asks for.

    Any other method is 405. Who is not signed in is sent to the login page, and a piece of a page asks the browser
    to load the whole page again instead; staff without the permission get 403 with a sentence.
    """

    def decorate(view: View) -> View:
        guarded = staff_member_required(require_http_methods([*needs, *(["HEAD"] if "GET" in needs else [])])(view))

        @wraps(view)
        def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
            staff = request.user.is_active and request.user.is_staff
            if not staff and request.headers.get("HX-Request"):
                return HttpResponseClientRefresh()
            needed = needs.get("GET" if request.method == "HEAD" else request.method or "")
            if staff and needed and not request.user.has_perm(needed):
                raise PermissionDenied(_("Your account may not do this. Ask an administrator for the right role."))
            return guarded(request, *args, **kwargs)

        wrapper.needs = needs  # type: ignore[attr-defined]  # as DRF's views have it
        return wrapper

    return decorate
