"""The second factors of an account: making, checking and removing them. Each change is in the audit."""

import base64
import hashlib
import secrets
import time

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor import InvalidToken
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.accounts.notices import Notice, send_notice
from kb_project.configuration.roles import IN_TOPIC, MANAGER, REVIEWER, ROLES, holds
from kb_project.errors import Conflict, NotFound
from kb_project.models import SecondFactor

Kind = SecondFactor.Kind
ISSUER = "Legal knowledge base"  # what an app shows beside the user name
STEP_S = 30
DIGITS = 6
SECRET_BYTES = 20
RECOVERY_CODES = 10
MAX_NAME_LENGTH = 80  # of a passkey
MAX_FACTORS = 20  # apps and passkeys of one account


def factors_of(user: User) -> QuerySet[SecondFactor]:
    """Apps and passkeys. Recovery codes only stand in for them."""
    return SecondFactor.objects.filter(user=user).exclude(kind=Kind.RECOVERY)


def codes_left(user: User) -> int:
    return SecondFactor.objects.filter(user=user, kind=Kind.RECOVERY).count()


def is_required(user: User) -> bool:
    """Whether this account needs one: it may do anything that a reviewer may not, in any topic, and it is asked for.

    `KB_REQUIRE_MFA` asks for it. Where that is not set, it is asked for once another who manages the service has one.
    """
    if settings.KB_REQUIRE_MFA is False or not _may_more_than_a_reviewer(user):
        return False
    return bool(settings.KB_REQUIRE_MFA) or _is_used_by_others(user)


def _may_more_than_a_reviewer(user: User) -> bool:
    if user.is_staff and (user.is_superuser or not user.get_all_permissions() <= set(ROLES[REVIEWER])):
        return True
    return any(holds(user, right) for right in IN_TOPIC[MANAGER] - IN_TOPIC[REVIEWER])


def _is_used_by_others(user: User) -> bool:
    managers = User.objects.filter(Q(is_superuser=True) | Q(groups__name=MANAGER), is_active=True, is_staff=True)
    others = managers.exclude(pk=user.pk).values("pk")
    return SecondFactor.objects.filter(user__in=others).exclude(kind=Kind.RECOVERY).exists()


def new_secret() -> str:
    """What an app makes its codes from, as one types it."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def app_address(user: User, secret: str) -> str:
    """What the picture for an app says."""
    return _totp(secret).get_provisioning_uri(user.get_username(), ISSUER)


def _totp(secret: str) -> TOTP:
    # SHA-1 is what apps have in common. RFC 6238 asks for no more of it than that it cannot be run backwards.
    return TOTP(base64.b32decode(secret), DIGITS, SHA1(), STEP_S, enforce_key_length=False)


def _step_of(secret: str, code: str) -> int | None:
    """The time step that the code belongs to: this one, the one before or the one after."""
    totp, now = _totp(secret), int(time.time())
    for at in (now, now - STEP_S, now + STEP_S):
        try:
            totp.verify(code.encode(), at)
        except InvalidToken:
            continue
        return at // STEP_S
    return None


@transaction.atomic
def add_app(user: User, *, secret: str, code: str) -> list[str] | None:
    """Keep an app that has shown a right code. The recovery codes if this is the first factor, or None.

    Raises Conflict for a wrong code, and for more than `MAX_FACTORS` factors.
    """
    step = _step_of(secret, code)
    if step is None:
        raise Conflict(_("This code is not the one that the app shows now."))
    return _add(SecondFactor(user=user, kind=Kind.APP, secret=secret, counter=step))


@transaction.atomic
def add_passkey(user: User, *, name: str, public_key: str, counter: int) -> list[str] | None:
    """Keep a passkey that was verified. As `add_app`."""
    row = SecondFactor(user=user, kind=Kind.PASSKEY, name=name[:MAX_NAME_LENGTH], secret=public_key, counter=counter)
    return _add(row)


def _add(factor: SecondFactor) -> list[str] | None:
    user = _held(factor.user)
    there = factors_of(user).count()
    if there >= MAX_FACTORS:
        raise Conflict(_("An account has at most %d second factors.") % MAX_FACTORS)
    factor.save()
    _record(user, f"added: {factor.kind}", by=user)
    return None if there else _renew_codes(user)


def _held(user: User) -> User:
    return User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _record(user: User, change: str, *, by: User) -> None:
    audit.record(by=by.get_username(), action="user.edit", thing=user, after={"second_factor": change})
    send_notice(user, Notice.FACTOR)


@transaction.atomic
def renew_codes(user: User) -> list[str]:
    """New recovery codes, to be shown this once. The former ones open nothing any more."""
    held = _held(user)
    _record(held, "recovery codes made", by=held)
    return _renew_codes(held)


def _renew_codes(user: User) -> list[str]:
    SecondFactor.objects.filter(user=user, kind=Kind.RECOVERY).delete()
    codes = [base64.b32encode(secrets.token_bytes(10)).decode().lower() for _n in range(RECOVERY_CODES)]
    SecondFactor.objects.bulk_create(SecondFactor(user=user, kind=Kind.RECOVERY, secret=_hash(code)) for code in codes)
    return ["-".join(code[n : n + 4] for n in range(0, len(code), 4)) for code in codes]


def _hash(code: str) -> str:
    """80 random bits need no slow hash."""
    return hashlib.sha256(code.encode()).hexdigest()


@transaction.atomic
def remove(user: User, factor_id: int) -> None:
    """Remove one of one's own. With the last one the recovery codes go.

    Raises NotFound, and Conflict where the account must keep one.
    """
    held = _held(user)
    factor = factors_of(held).filter(pk=factor_id).first()
    if factor is None:
        raise NotFound(_("There is no such second factor."))
    is_last = factors_of(held).count() == 1
    if is_last and is_required(held):
        raise Conflict(_("Your role needs a second factor. Add another one first."))
    factor.delete()
    if is_last:
        SecondFactor.objects.filter(user=held).delete()
    _record(held, f"removed: {factor.kind}", by=held)


@transaction.atomic
def remove_all(user: User, *, by: User) -> None:
    """For somebody who has lost theirs. `people.editing` has looked whether `by` may."""
    if SecondFactor.objects.filter(user=_held(user)).delete()[0]:
        _record(user, "removed: all", by=by)


def take_code(user: User, typed: str) -> bool:
    """Whether this is a code of one of the person's apps, or one of their recovery codes. None is taken twice."""
    code = "".join(typed.split()).replace("-", "").lower()
    if len(code) == DIGITS and code.isascii() and code.isdecimal():
        return any(_take_step(app, code) for app in factors_of(user).filter(kind=Kind.APP))
    return _take_recovery_code(user, code)


def _take_step(app: SecondFactor, code: str) -> bool:
    step = _step_of(app.secret, code)
    return step is not None and take_count(app, step)


def take_count(factor: SecondFactor, count: int) -> bool:
    """Note that the factor was shown with this count. False if that, or a later one, was taken meanwhile."""
    newer = SecondFactor.objects.filter(pk=factor.pk, counter__lt=count)
    return newer.update(counter=count, last_used_at=timezone.now()) == 1


@transaction.atomic
def _take_recovery_code(user: User, code: str) -> bool:
    taken, _rows = SecondFactor.objects.filter(user=user, kind=Kind.RECOVERY, secret=_hash(code)).delete()
    if taken:
        _record(user, "recovery code used", by=user)
    return bool(taken)
