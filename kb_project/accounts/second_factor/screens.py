"""`/sign-in/second-factor/`: showing one. `/account/second-factor/`: having one, also on the way in."""

import logging
import math
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from kb_project.accounts import sign_in_audit
from kb_project.accounts.login_throttle import Attempt, TooManyLogins, address_of
from kb_project.accounts.second_factor import entering, factors, passkeys
from kb_project.accounts.second_look import ASKED_AS, ask_again, is_recent, note_shown, repeated_path
from kb_project.errors import ApiError
from kb_project.screens.access import StaffRequest, to_sign_in
from kb_project.screens.dialogs import next_url

NEW_APP = "second_factor_app"  # in the session: the secret of one that has not shown a code yet
log = logging.getLogger("kb.security")
OwnView = Callable[..., HttpResponse]


def _guess(request: HttpRequest, user: User, check: Callable[[], bool], *, way: str) -> str:
    """ "" if the check is passed, or a sentence. What is wrong counts as a failed sign-in of this account."""
    address = address_of(request)
    try:
        attempt = Attempt(account=f"second factor {user.pk}", address=address)
    except TooManyLogins as refusal:
        log.warning("second factor from %s: not looked at, too many have failed", address)
        minutes = math.ceil(refusal.wait_s / 60)
        return (
            ngettext(
                "Too many attempts to sign in have failed. Try again in %d minute.",
                "Too many attempts to sign in have failed. Try again in %d minutes.",
                minutes,
            )
            % minutes
        )
    if check():
        attempt.succeeded()
        return ""
    log.warning("second factor from %s: failed: %s", address, user.get_username())
    sign_in_audit.note_refusal(request, user, way=way)
    return _("That was not right. Try again.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest) -> HttpResponse:
    """The second step of signing in: a passkey, a code of an app, or a recovery code."""
    user = entering.pending_user(request)
    if user is None or not factors.factors_of(user).exists():
        return redirect("sign-in")
    refused = ""
    if request.method == "POST":
        refused = _guess(request, user, lambda: _has_shown(request, user), way=sign_in_audit.FACTOR)
        if not refused:
            return HttpResponseRedirect(entering.finish(request, user))
    kinds = set(factors.factors_of(user).values_list("kind", flat=True))
    context = {
        "section": "sign-in",
        "refused": refused,
        "options": passkeys.begin_showing(request, user),
        "has_app": factors.Kind.APP in kinds,
    }
    return render(request, "accounts/second_factor/show.html", context, status=403 if refused else 200)


def _has_shown(request: HttpRequest, user: User) -> bool:
    if not (answer := request.POST.get("passkey")):
        return factors.take_code(user, request.POST.get("code", "")[:100])
    try:
        passkeys.finish_showing(request, user, answer=answer)
    except passkeys.PasskeyRefused as refusal:
        log.warning("passkey refused: %s", refusal)
        return False
    return True


def _own(*methods: str) -> Callable[[OwnView], OwnView]:
    """For whoever is signed in, recently, and for who is not yet because their account has none and needs one."""

    def decorate(view: OwnView) -> OwnView:
        @never_cache
        @require_http_methods([*methods, "HEAD"])
        @wraps(view)
        def wrapper(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            pending = None if request.user.is_authenticated else entering.pending_user(request)
            user = request.user if request.user.is_authenticated else pending
            if not isinstance(user, User) or (pending and factors.factors_of(user).exists()):
                return to_sign_in(request)
            if not pending and not is_recent(request):
                return redirect("second-factor-confirm")
            return view(request, user, **kwargs)

        return wrapper

    return decorate


@_own("GET")
def overview(request: HttpRequest, user: User) -> HttpResponse:
    """What the person has, and what can be added."""
    context = {
        "section": "second-factor",
        "factors": factors.factors_of(user),
        "codes_left": factors.codes_left(user),
        "is_pending": not request.user.is_authenticated,
        "is_required": factors.is_required(user),
        "can_have_passkeys": passkeys.can_have(request),
        "has_password": user.has_usable_password(),
    }
    return render(request, "accounts/second_factor/overview.html", context)


@_own("GET", "POST")
def add_app(request: HttpRequest, user: User) -> HttpResponse:
    """A picture for an authenticator app, and the first code that it shows."""
    secret = request.session.setdefault(NEW_APP, factors.new_secret())
    refused = ""
    if request.method == "POST":
        try:
            codes = factors.add_app(user, secret=secret, code="".join(request.POST.get("code", "")[:20].split()))
        except ApiError as refusal:
            refused = refusal.detail
        else:
            del request.session[NEW_APP]
            return _added(request, user, codes)
    picture = segno.make(factors.app_address(user, secret), micro=False)
    context = {
        "section": "second-factor",
        "picture": picture.svg_data_uri(scale=4, light="#fff", svgclass=None, lineclass=None),
        "secret": " ".join(secret[n : n + 4] for n in range(0, len(secret), 4)),
        "refused": refused,
    }
    return render(request, "accounts/second_factor/add_app.html", context, status=400 if refused else 200)


@_own("GET", "POST")
def add_passkey(request: HttpRequest, user: User) -> HttpResponse:
    refused = ""
    if request.method == "POST":
        name = "".join(filter(str.isprintable, request.POST.get("name", ""))).strip()
        try:
            codes = passkeys.finish_adding(request, user, name=name, answer=request.POST.get("passkey", ""))
            return _added(request, user, codes)
        except passkeys.PasskeyRefused as refusal:
            log.warning("passkey not added: %s", refusal)
            refused = _("The browser’s answer could not be used. Try again.")
        except ApiError as refusal:
            refused = refusal.detail
    context = {
        "section": "second-factor",
        "options": passkeys.begin_adding(request, user),
        "refused": refused,
        "most": factors.MAX_NAME_LENGTH,
    }
    return render(request, "accounts/second_factor/add_passkey.html", context, status=400 if refused else 200)


def _added(request: HttpRequest, user: User, codes: list[str] | None) -> HttpResponse:
    """With a first factor come recovery codes. Whoever was on the way in is in now."""
    then = reverse("second-factor")
    if not request.user.is_authenticated:
        then = entering.finish(request, user)
    request.session[entering.PROVEN] = True
    if codes is None:
        messages.success(request, _("The second factor was added."))
        return HttpResponseRedirect(then)
    return _codes_page(request, codes, then=then)


def _codes_page(request: HttpRequest, codes: list[str], *, then: str) -> HttpResponse:
    """Shown this once: only hashes are kept."""
    context = {"section": "second-factor", "codes": codes, "then": then}
    return render(request, "accounts/second_factor/codes.html", context)


@_own("POST")
def renew_codes(request: HttpRequest, user: User) -> HttpResponse:
    if not factors.factors_of(user).exists():
        return redirect("second-factor")
    return _codes_page(request, factors.renew_codes(user), then=reverse("second-factor"))


@_own("POST")
def remove(request: HttpRequest, user: User, factor_id: int) -> HttpResponse:
    try:
        factors.remove(user, factor_id)
        messages.success(request, _("The second factor was removed."))
    except ApiError as refusal:
        messages.error(request, refusal.detail)
    return redirect("second-factor")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: StaffRequest) -> HttpResponse:
    """The password once more, and on to `next`, for whoever signed in a while ago. Who has none signs in again.

    What was typed before, and comes with it, is posted on.
    """
    user = request.user
    if not isinstance(user, User):
        return to_sign_in(request)
    then = next_url(request, default=reverse("second-factor"))
    refused = ""
    if request.method == "POST":
        typed = request.POST.get(ASKED_AS, "")
        refused = _guess(request, user, lambda: user.check_password(typed), way=sign_in_audit.PASSWORD)
        if not refused:
            note_shown(request, int(time.time()))
            repeated = repeated_path(request)
            return redirect(repeated, preserve_request=True) if repeated else redirect(then)
    status = 403 if refused else 200
    return ask_again(request, confirm=request.get_full_path(), then=then, status=status, refused=refused)
