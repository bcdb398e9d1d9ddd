"""Links that open an account once: of an operator, to sign in, and of an invitation, to choose a password.

Whoever can run `manage.py sign_in_link` can change every account anyway. Such a link works for an hour, and until
the account is signed in to. An invitation has to outlast a weekend: it works for a week.
"""

import logging
from datetime import timedelta

from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from kb_project.accounts import sign_in_audit
from kb_project.accounts.login_throttle import address_of
from kb_project.accounts.second_factor import entering
from kb_project.accounts.sign_in import sign_in_page

log = logging.getLogger("kb.security")


class LinkTokens(PasswordResetTokenGenerator):
    """As long valid as a link for a forgotten password, and nothing that could be taken for one."""

    key_salt = "kb_project.accounts.links"


class InvitationTokens:
    """What `PasswordResetConfirmView` asks for. Django's own would last as long as a link for a forgotten password.

    A token signs the account as it is: it ends when that is signed in to, or has another password or address.
    """

    signer = signing.TimestampSigner(salt="kb_project.accounts.links.invitations")
    lasts = timedelta(days=7)

    def make_token(self, user: User) -> str:
        signed = self._signed(user)
        return self.signer.sign(signed).removeprefix(f"{signed}:")

    def check_token(self, user: User, token: str) -> bool:
        try:
            self.signer.unsign(f"{self._signed(user)}:{token}", max_age=self.lasts)
        except signing.BadSignature:
            return False
        return user.is_active

    def _signed(self, user: User) -> str:
        return f"{user.pk} {user.password} {user.last_login} {user.email}"


tokens = LinkTokens()
invitations = InvitationTokens()


def path_for(user: User) -> str:
    """The path of a link that signs in to this account."""
    return reverse("sign-in-link", args=[_uid(user), tokens.make_token(user)])


def invitation_path(user: User) -> str:
    """The path of a link to a page where a password for this account is chosen."""
    return reverse("invitation", args=[_uid(user), invitations.make_token(user)])


def _uid(user: User) -> str:
    return urlsafe_base64_encode(str(user.pk).encode())


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def use(request: HttpRequest, uidb64: str, token: str) -> HttpResponse:
    """Asks, and signs in when a person answers: a program that only looks at links uses none up."""
    user = _user_of(uidb64, token)
    if user is None:
        refused = _("This link has been used, or is too old.")
        return sign_in_page(request, refused=refused, status=403)
    if request.method != "POST":
        return render(request, "accounts/link.html", {"section": "sign-in", "name": user.get_username()})
    entering.sign_in(request, user, way=sign_in_audit.LINK)  # for whoever has lost what they would show, too
    log.warning("sign-in by a link of the operator from %s: %s", address_of(request), user.get_username())
    return redirect("home")


def _user_of(uidb64: str, token: str) -> User | None:
    try:
        user = User.objects.filter(pk=int(urlsafe_base64_decode(uidb64)), is_active=True, is_staff=True).first()
    except ValueError:
        return None
    return user if user is not None and tokens.check_token(user, token) else None
