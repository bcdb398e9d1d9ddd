"""The way to the organisation's sign-in page and back."""

import logging
import time
from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from kb_project.accounts import sign_in_audit, sign_in_options
from kb_project.accounts.login_throttle import address_of
from kb_project.accounts.oidc.people import NotAdmitted, account_of, sign_out_everywhere
from kb_project.accounts.oidc.provider import Claims, ProviderFailed, provider
from kb_project.accounts.second_factor import entering
from kb_project.accounts.second_look import AGAIN, RECENT_S, note_shown
from kb_project.accounts.sign_in import PROOF, destination, sign_in_page

log = logging.getLogger("kb.security")

BEGUN = "oidc_begun"  # in the session: the sign-ins under way, by state
MAX_AT_ONCE = 5  # tabs in which one may have begun to sign in
MAX_ANSWER_LENGTH = 4096  # characters of a code or a state
MAX_REASON_LENGTH = 300  # characters
MAX_TOKEN_LENGTH = 16 * 1024  # characters


@never_cache
@require_GET
def begin(request: HttpRequest) -> HttpResponse:
    """On to the organisation's sign-in page. `next` is where to go after it.

    With `again` it shall ask who they are, also whoever it knows from before.
    """
    _refuse_unless_offered()
    is_again = AGAIN in request.GET
    asked = {"prompt": "login", "max_age": RECENT_S} if is_again else {}
    try:
        begun = provider().begin(redirect_uri=_return_address(request), **asked)
    except ProviderFailed:
        return _away(request)
    kept = list(request.session.get(BEGUN, {}).items())[-(MAX_AT_ONCE - 1) :]
    then = destination(request)
    note = {"nonce": begun.nonce, "code_verifier": begun.code_verifier, "next": then, AGAIN: is_again}
    request.session[BEGUN] = dict([*kept, (begun.state, note)])
    return HttpResponseRedirect(begun.url)


@never_cache
@require_GET
def finish(request: HttpRequest) -> HttpResponse:
    """Back from it, with a code or with an error. The answer is taken once, and from the browser that began."""
    _refuse_unless_offered()
    state, code = (request.GET.get(name, "")[:MAX_ANSWER_LENGTH] for name in ("state", "code"))
    begun = request.session.get(BEGUN, {}).pop(state, None)
    request.session.modified = begun is not None
    if begun is None:
        sentence = _("This sign-in is too old, or was begun in another browser. Begin again.")
        return sign_in_page(request, refused=sentence, status=400)
    if not code:
        reason = _reason(request)
        log.warning("sign-in with the organisation from %s: refused there: %s", address_of(request), reason or "-")
        refused = _("The organisation did not let you sign in.")
        return sign_in_page(request, refused=f"{refused} {reason}".strip(), status=403)
    try:
        verified = provider().verify(code=code, redirect_uri=_return_address(request), begun=begun)
        user = account_of(verified.claims)
    except ProviderFailed:
        return _away(request)
    except NotAdmitted as refusal:
        log.warning("sign-in with the organisation from %s: not admitted: %s", address_of(request), refusal)
        sign_in_audit.note_refusal(request, None, way=sign_in_audit.ORGANISATION)
        return sign_in_page(request, refused=str(refusal.sentence), status=403)
    entering.sign_in(request, user, way=sign_in_audit.ORGANISATION)  # a second factor is the organisation's to ask for
    note_shown(request, _shown_at(verified.claims, is_again=begun.get(AGAIN, False)))
    request.session.pop(BEGUN, None)
    # A date, which nothing that is written into the session later moves on.
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))
    request.session[PROOF] = verified.id_token
    log.info("sign-in with the organisation from %s: %s", address_of(request), user.get_username())
    return HttpResponseRedirect(begun["next"])


@csrf_exempt
@never_cache
@require_POST
def signed_out_there(request: HttpRequest) -> HttpResponse:
    """The provider says that somebody signed out there, or was deactivated: a signed token, and no browser's cookie."""
    _refuse_unless_offered()
    try:
        sign_out_everywhere(provider().verify_logout(request.POST.get("logout_token", "")[:MAX_TOKEN_LENGTH]))
    except (ProviderFailed, NotAdmitted) as refusal:
        log.warning("sign-out by the organisation from %s: refused: %s", address_of(request), refusal)
        return JsonResponse({"error": "invalid_request", "error_description": str(refusal)}, status=400)
    return HttpResponse()


def _shown_at(claims: Claims, *, is_again: bool) -> int:
    """When the person showed the organisation who they are: it may know them from a session that began days ago.

    Where it does not say: now, if it was asked to look again, else 0. What is no number of seconds is 0.
    """
    now = int(time.time())
    if "auth_time" not in claims:
        return now if is_again else 0
    said = claims["auth_time"]
    is_number = isinstance(said, int | float) and not isinstance(said, bool) and said >= 0
    return int(min(said, now)) if is_number else 0


def _reason(request: HttpRequest) -> str:
    """Why, in the provider's own words."""
    said = (request.GET.get(name, "") for name in ("error", "error_description"))
    text = ": ".join(filter(None, ("".join(filter(str.isprintable, one)).strip() for one in said)))
    return text[:MAX_REASON_LENGTH]


def _refuse_unless_offered() -> None:
    if not sign_in_options.offered():
        raise Http404


def _return_address(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("sign-in-return"))


def _away(request: HttpRequest) -> HttpResponse:
    sentence = _("The organisation’s sign-in does not work at the moment. Try again in a few minutes.")
    return sign_in_page(request, refused=sentence, status=502)
