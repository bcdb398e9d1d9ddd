"""The day whose law a reader chose. It holds for searches, answers, documents and checks until it is put back to today.

It is in a cookie of the browser. An address that names a day of its own is shown as of that.
"""

from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from kb_project.screens.dialogs import next_url

HELD_FOR = timedelta(days=30)


def law_day(request: HttpRequest) -> date | None:
    """The day that is held, None for today."""
    if hasattr(request, "chosen_law_day"):
        return request.chosen_law_day
    try:
        day = date.fromisoformat(request.COOKIES.get(settings.LAW_DAY_COOKIE_NAME, ""))
    except ValueError:
        return None
    return None if day == timezone.localdate() else day


def choose(request: HttpRequest, day: date | None) -> None:
    """Let a page show a day as held, from this one on. `hold` lets the browser keep it."""
    request.chosen_law_day = None if day == timezone.localdate() else day  # type: ignore[attr-defined]


def hold(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let the browser keep the day that was chosen."""
    day = law_day(request)
    if day is None:
        response.delete_cookie(settings.LAW_DAY_COOKIE_NAME, samesite="Lax")
    else:
        secure = settings.SESSION_COOKIE_SECURE
        name, said = settings.LAW_DAY_COOKIE_NAME, day.isoformat()
        response.set_cookie(name, said, max_age=HELD_FOR, secure=secure, httponly=True, samesite="Lax")
    return response


def held_day(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the day that a page says on top, where it is not today."""
    return {"law_day": law_day(request)}


def asked_on_day(request: HttpRequest) -> QueryDict:
    """The query of an address, as of the day that is held if it names none."""
    day = law_day(request)
    if day is None or "as_of" in request.GET or request.htmx:  # type: ignore[attr-defined]  # the form names its day
        return request.GET
    asked = request.GET.copy()
    asked["as_of"] = day.isoformat()
    return asked


@require_POST
def back_to_today(request: HttpRequest) -> HttpResponse:
    """Put the day back, and show the same page as of today."""
    path, _mark, query = next_url(request, default="/").partition("?")
    asked = QueryDict(query, mutable=True)
    asked.pop("as_of", None)
    choose(request, None)
    return hold(request, redirect(f"{path}?{asked.urlencode()}" if asked else path))
