"""What opens an account (factors, keys, its address, links to it) is changed some minutes after a sign-in at most.

Who signed in longer ago shows their password again first: a tab left open shall not make itself a way in.
"""

import time
from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from kb_project.screens.access import StaffRequest
from kb_project.screens.dialogs import next_url, redirect_from_dialog

SIGNED_IN_AT = "signed_in_at"  # in the session
RECENT_S = 15 * 60


def note_sign_in(request: HttpRequest) -> None:
    request.session[SIGNED_IN_AT] = int(time.time())


def is_recent(request: HttpRequest) -> bool:
    return bool(request.session.get(SIGNED_IN_AT, 0) + RECENT_S > time.time())


def confirm_path(*, then: str) -> str:
    """Where whoever signed in a while ago shows their password again, and goes on to `then`."""
    return reverse("second-factor-confirm", query={"next": then})


def recently(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of whoever is signed in, before which who signed in a while ago shows their password again."""

    @wraps(view)
    def wrapper(request: StaffRequest, *args: object, **kwargs: object) -> HttpResponse:
        if is_recent(request):
            return view(request, *args, **kwargs)
        return redirect_from_dialog(request, confirm_path(then=next_url(request, default=request.path)))

    return wrapper
