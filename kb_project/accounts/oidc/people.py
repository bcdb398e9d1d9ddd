"""The account of a person whom the provider has proven: by issuer and subject, with the roles of their groups."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from kb_project import audit
from kb_project.accounts.oidc.provider import Claims
from kb_project.accounts.rights import audited_values
from kb_project.accounts.sessions.ending import end_sessions
from kb_project.accounts.sign_in_options import groups_by_group, roles_by_group
from kb_project.configuration.roles import READER, ROLES, SUPERUSER
from kb_project.models import Identity

MAX_NAME_LENGTH = 120  # of 150, so that a number may follow
TRIES = 3


class NotAdmitted(Exception):
    """It is known who the person is, and they may not enter. `sentence` tells them why, the text of it the log."""

    def __init__(self, sentence: Any, *, why: str) -> None:
        super().__init__(why)
        self.sentence = sentence


def account_of(claims: Claims) -> User:
    """The person's account, made at their first sign-in, with exactly the roles that their groups have now.

    Raises NotAdmitted. Who is in no group with a role loses the roles that their account had.
    """
    _require_allowed_domain(claims)
    if _groups_are_elsewhere(claims):  # said of nobody that they are in none: they keep what they had
        raise NotAdmitted(
            _("You are in more groups than the organisation’s answer holds. It must send those alone that count here."),
            why="too many groups for a token: they are in _claim_names alone",
        )
    roles = roles_of(claims)
    for left in reversed(range(TRIES)):
        try:
            user = _synchronised(claims, roles)
            break
        except IntegrityError:  # two first sign-ins at once: the other one has made the account, or taken the name
            if not left:
                raise
    if user is None or not roles:
        raise NotAdmitted(
            _("You are in no group that may work here. Ask an administrator."), why="no group that a setting names"
        )
    if not user.is_active:
        raise NotAdmitted(
            _("Your account has been deactivated here. Ask a manager."), why="the account is deactivated here"
        )
    return user


@transaction.atomic
def sign_out_everywhere(subject: str) -> None:
    """End all sessions of the person, if the provider has one of that name here.

    Of an account with a password of its own, which managers have given it, none is ended: raises NotAdmitted.
    """
    identity = Identity.objects.filter(issuer=settings.KB_OIDC_ISSUER, subject=subject).first()
    if identity is None:
        return
    user = _locked(identity)
    if user.has_usable_password():
        raise NotAdmitted(_("The account has a password of its own."), why="The account has a password of its own.")
    end_sessions(user)
    audit.record(by=settings.KB_OIDC_ISSUER, action="user.edit", thing=user, before={}, after={"sessions": "ended"})


def roles_of(claims: Claims) -> set[str]:
    """The roles of all the person's groups. Groups that no setting names count for nothing."""
    roles, reading = roles_by_group(), groups_by_group()
    groups = _groups(claims)
    return {roles[group] for group in groups if group in roles} | {READER for group in groups if group in reading}


def _groups(claims: Claims) -> list[str]:
    """Those that the provider says the person is in."""
    said = claims.get(settings.KB_OIDC_GROUPS_CLAIM)
    groups = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    return [group for group in groups if isinstance(group, str)]


def _groups_are_elsewhere(claims: Claims) -> bool:
    """Whether the provider has groups of the person and sends none, as they are too many (Core 5.6.2)."""
    name, elsewhere = settings.KB_OIDC_GROUPS_CLAIM, claims.get("_claim_names")
    return name not in claims and isinstance(elsewhere, dict) and name in elsewhere


def _require_allowed_domain(claims: Claims) -> None:
    """Only an address that the provider has verified proves its domain. Raises NotAdmitted."""
    allowed = {domain.lower() for domain in settings.KB_OIDC_ALLOWED_DOMAINS}
    email = _verified_email(claims)
    if not allowed or email.rpartition("@")[2].lower() in allowed:
        return
    if _text(claims, "email") and not email:
        raise NotAdmitted(
            _("The organisation does not say that your e-mail address is verified. Ask an administrator."),
            why="the address is not verified: the claim email_verified is not true",
        )
    raise NotAdmitted(
        _("Your e-mail address is not admitted here. Ask an administrator."),
        why="no address of a domain that KB_OIDC_ALLOWED_DOMAINS names",
    )


def _verified_email(claims: Claims) -> str:
    email = _text(claims, "email")
    return email[:254] if claims.get("email_verified") in (True, "true") and email.count("@") == 1 else ""


@transaction.atomic
def _synchronised(claims: Claims, roles: set[str]) -> User | None:
    """The account as the claims have it, or None for a person without one who has no role either."""
    issuer, subject = settings.KB_OIDC_ISSUER, str(claims["sub"])
    identity = Identity.objects.filter(issuer=issuer, subject=subject).first()
    if identity is None and not roles:
        return None
    user = User(username=_free_name(claims)) if identity is None else _locked(identity)
    before = audited_values(user) if identity else {}
    user.is_staff, user.is_superuser = bool(roles - {READER}), SUPERUSER in roles
    user.email = _verified_email(claims) or user.email
    user.first_name, user.last_name = (_text(claims, name)[:150] for name in ("given_name", "family_name"))
    if identity is None:
        user.set_unusable_password()
    user.save()
    named = {groups_by_group()[group] for group in _groups(claims) if group in groups_by_group()}
    members = [Group.objects.get_or_create(name=name)[0] for name in sorted(named)]
    user.groups.set([*Group.objects.filter(name__in=roles & ROLES.keys()), *members])
    if identity is None:
        Identity.objects.create(user=user, issuer=issuer, subject=subject)
    action = "user.edit" if identity else "user.create"
    audit.record(by=issuer, action=action, thing=user, before=before, after=audited_values(user))
    return user


def _locked(identity: Identity) -> User:
    return User.objects.select_for_update().get(pk=identity.user_id)


def _text(claims: Claims, name: str) -> str:
    value = claims.get(name)
    return "".join(filter(str.isprintable, value)).strip() if isinstance(value, str) else ""


def _free_name(claims: Claims) -> str:
    """The name that the provider has for the person. With a number where another account has it."""
    said = next(filter(None, (_text(claims, name) for name in ("preferred_username", "email", "sub"))), "person")
    name = re.sub(r"[^\w.@+-]", "-", said)[:MAX_NAME_LENGTH]
    taken = set(User.objects.filter(username__istartswith=name).values_list("username", flat=True))
    lowered = {one.lower() for one in taken}
    number = 1
    while (candidate := name if number == 1 else f"{name}-{number}").lower() in lowered:
        number += 1
    return candidate
