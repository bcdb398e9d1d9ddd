"""From a right password to a session: at once, or after a second factor.

Until then nobody is signed in. The session only notes who has shown a password, so no page has to know of it.
"""

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import SESSION_KEY, login, logout
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from kb_project.accounts import sign_in_audit
from kb_project.accounts.login_throttle import address_of
from kb_project.accounts.second_factor import factors

BACKEND = "django.contrib.auth.backends.ModelBackend"
PENDING = "second_factor_pending"  # in a session: who has shown a password, and where they go on to
PROVEN = "second_factor"  # in the session of whoever has shown one, or signed in without needing one of ours
FROM = "signed_in_from"  # in a session: address and browser, by which its person recognises it
PENDING_FOR_S = 10 * 60


def enter(request: HttpRequest, user: User, *, then: str) -> HttpResponse:
    """Sign in whoever has shown a password, and go to `then`, or first ask for what else the account needs."""
    has_factor = factors.factors_of(user).exists()
    if not has_factor and not factors.is_required(user):
        sign_in(request, user, way=sign_in_audit.PASSWORD)
        return HttpResponseRedirect(then)
    logout(request)  # whoever was signed in here before
    request.session[PENDING] = [user.pk, user.get_session_auth_hash(), then, int(time.time())]
    return redirect("second-factor-show" if has_factor else "second-factor")


def sign_in(request: HttpRequest, user: User, *, way: str) -> None:
    """Begin a session. `way` is one of `sign_in_audit`: all but the password alone need no second factor of ours."""
    login(request, user, backend=BACKEND)
    request.session.pop(PENDING, None)
    request.session[FROM] = {"address": address_of(request), "browser": request.headers.get("User-Agent", "")[:200]}
    if way != sign_in_audit.PASSWORD:
        request.session[PROVEN] = True
    sign_in_audit.note_entry(request, user, way=way)


def pending_user(request: HttpRequest) -> User | None:
    """Who has shown a password in this session, some minutes ago at most, and is not signed in yet."""
    noted = request.session.get(PENDING)
    if not noted or noted[3] + PENDING_FOR_S < time.time():
        return None
    user = User.objects.filter(pk=noted[0], is_active=True).first()
    return user if user is not None and user.get_session_auth_hash() == noted[1] else None


def finish(request: HttpRequest, user: User) -> str:
    """Sign in whoever was pending and has shown a second factor. Where they go on to."""
    then = str(request.session[PENDING][2])
    sign_in(request, user, way=sign_in_audit.FACTOR)
    return then


class SecondFactorRequired:
    """Where `KB_REQUIRE_MFA` is set, a session without a second factor is nobody's if its account needs one.

    Such a session was begun before the setting was, or before its person got the role.
    """

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if (
            settings.KB_REQUIRE_MFA
            and SESSION_KEY in request.session
            and PROVEN not in request.session
            and isinstance(request.user, User)
            and factors.is_required(request.user)
        ):
            request.user = AnonymousUser()
        return self._get_response(request)
