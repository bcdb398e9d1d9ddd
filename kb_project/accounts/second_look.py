"""What opens an account (factors, keys, its address, links to it) is changed some minutes after a sign-in at most.

Who signed in longer ago shows their password again first: a tab left open shall not make itself a way in.
"""

import time
from collections.abc import Callable, Mapping
from functools import wraps

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from kb_project.accounts import sign_in_options
from kb_project.screens.access import StaffRequest
from kb_project.screens.dialogs import next_url, redirect_from_dialog, render_dialog

SIGNED_IN_AT = "signed_in_at"  # in the session: when it began
SHOWN_AT = "shown_at"  # in the session: when its person last showed who they are
RECENT_S = 15 * 60
AGAIN = "again"  # in an address of the organisation's sign-in: somebody who is signed in shall show it once more
_REPEATED = "repeat"  # in the address of the confirmation: where what was typed goes on to, signed
ASKED_AS = "second_look_password"  # of its own: what is posted on may have a `password` that is not the account's
_NOT_TYPED = ("csrfmiddlewaretoken", ASKED_AS)


def note_sign_in(request: HttpRequest) -> None:
    request.session[SIGNED_IN_AT] = request.session[SHOWN_AT] = int(time.time())


def note_shown(request: HttpRequest, at: int) -> None:
    """The person of this session has shown who they are, at this second since 1970. 0 where that is not known."""
    request.session[SHOWN_AT] = at


def is_recent(request: HttpRequest) -> bool:
    return bool(request.session.get(SHOWN_AT, 0) + RECENT_S > time.time())


def confirm_path(*, then: str) -> str:
    """Where whoever signed in a while ago shows their password again, and goes on to `then`."""
    return reverse("second-factor-confirm", query={"next": then})


def recently(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of whoever is signed in, before which who signed in a while ago shows their password again.

    What they have typed until then is not lost: the form that asks for the password has it, and sends it on. Who has no
    password here is told that it is not kept.
    """

    @wraps(view)
    def wrapper(request: StaffRequest, *args: object, **kwargs: object) -> HttpResponse:
        if is_recent(request):
            return view(request, *args, **kwargs)
        then = next_url(request, default=request.path)
        if request.method == "POST":
            # Signed: nobody's link has somebody else's password post to an address of its choice.
            signed = signing.dumps([request.user.pk, request.get_full_path()], salt=_REPEATED)
            confirm = reverse("second-factor-confirm", query={_REPEATED: signed})
            return ask_again(request, confirm=confirm, then=then, status=403)
        return redirect_from_dialog(request, confirm_path(then=then))

    return wrapper


def repeated_path(request: StaffRequest) -> str:
    """Where this person's form was posted to before the password was asked for, "" where none was."""
    try:
        user_id, path = signing.loads(request.GET.get(_REPEATED, ""), salt=_REPEATED)
    except signing.BadSignature:
        return ""
    return str(path) if user_id == request.user.pk else ""


def ask_again(request: StaffRequest, *, confirm: str, then: str, status: int = 200, refused: str = "") -> HttpResponse:
    """Ask for the password, or lead to the organisation's sign-in. What `request` posts else is kept in the form."""
    context: Mapping[str, object] = {
        "section": "second-factor",
        "refused": refused,
        "confirm": confirm,
        "typed": [(key, one) for key, found in request.POST.lists() if key not in _NOT_TYPED for one in found],
        "has_password": request.user.has_usable_password(),
        "again": reverse("sign-in-organisation", query={"next": then, AGAIN: 1}) if sign_in_options.offered() else "",
    }
    return render_dialog(request, "accounts/second_factor/_confirm.html", context, status=status)
