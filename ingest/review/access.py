"""Who may see the review screens: staff, after the admin's login."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails

View = Callable[..., HttpResponseBase]


class StaffRequest(HttpRequest):
    """A request as the middleware hands it on."""

    htmx: HtmxDetails


def for_staff(view: View) -> View:
    """Send others to the login page; a piece of a page asks the browser to load the whole page again instead."""
    guarded = staff_member_required(view)

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        staff = request.user.is_active and request.user.is_staff
        if not staff and request.headers.get("HX-Request"):
            return HttpResponseClientRefresh()
        return guarded(request, *args, **kwargs)

    return wrapper
