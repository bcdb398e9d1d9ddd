"""Passkeys, by WebAuthn. Yubico's `fido2` speaks the protocol, and says what is wrong as a ValueError."""

import base64
import ipaddress
import json
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from kb_project.accounts.second_factor import factors
from kb_project.models import SecondFactor

BEGUN = "passkey_begun"  # in the session: what the next answer of a passkey must answer to
NAME = "Legal knowledge base"
MAX_ANSWER_LENGTH = 16 * 1024  # characters


class PasskeyRefused(Exception):
    """The browser's answer proves nothing. The message is for the log."""


def can_have(request: HttpRequest) -> bool:
    """Whether this address can have passkeys. Browsers give none to an address in digits."""
    try:
        ipaddress.ip_address(_host(request).strip("[]"))
    except ValueError:
        return True
    return False


def begin_adding(request: HttpRequest, user: User) -> str:
    """What the browser is asked for, in JSON."""
    person = PublicKeyCredentialUserEntity(
        id=str(user.pk).encode(), name=user.get_username(), display_name=user.get_full_name() or user.get_username()
    )
    options, request.session[BEGUN] = _server(request).register_begin(
        person,
        [key for key, _row in _keys_of(user)],
        resident_key_requirement=ResidentKeyRequirement.DISCOURAGED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return json.dumps(dict(options))


def finish_adding(request: HttpRequest, user: User, *, name: str, answer: str) -> list[str] | None:
    """Keep the passkey that the browser made. As `factors.add_app`. Raises PasskeyRefused and Conflict."""
    try:
        made = _server(request).register_complete(_begun(request), _parsed(answer))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PasskeyRefused(str(error)) from error
    key = made.credential_data
    if key is None:
        raise PasskeyRefused("The answer holds no key.")
    text = base64.b64encode(bytes(key)).decode()
    return factors.add_passkey(user, name=name, public_key=text, counter=made.counter)


def begin_showing(request: HttpRequest, user: User) -> str:
    """What the browser is asked for, in JSON, or "" if the person has no passkey that works at this address."""
    keys = [key for key, _row in _keys_of(user)]
    if not keys or not can_have(request):
        return ""
    options, request.session[BEGUN] = _server(request).authenticate_begin(
        keys, user_verification=UserVerificationRequirement.PREFERRED
    )
    return json.dumps(dict(options))


def finish_showing(request: HttpRequest, user: User, *, answer: str) -> None:
    """Raises PasskeyRefused unless one of the person's passkeys has signed what was asked."""
    keys = _keys_of(user)
    try:
        parsed = _parsed(answer)
        found = _server(request).authenticate_complete(_begun(request), [key for key, _row in keys], parsed)
        counter = _counter(parsed)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PasskeyRefused(str(error)) from error
    row = next(row for key, row in keys if key.credential_id == found.credential_id)
    # Many keep no count, and always say 0. One that counts and goes back is a copy.
    if not counter and not row.counter:
        SecondFactor.objects.filter(pk=row.pk).update(last_used_at=timezone.now())
    elif not factors.take_count(row, counter):
        raise PasskeyRefused("The passkey’s own count went back.")


def _server(request: HttpRequest) -> Fido2Server:
    origin = f"{request.scheme}://{request.get_host()}"
    party = PublicKeyCredentialRpEntity(id=_host(request), name=NAME)
    return Fido2Server(party, verify_origin=lambda said: said == origin)


def _host(request: HttpRequest) -> str:
    host = request.get_host()
    return host if host.endswith("]") else host.partition(":")[0] if host.count(":") == 1 else host


def _keys_of(user: User) -> list[tuple[AttestedCredentialData, SecondFactor]]:
    rows = factors.factors_of(user).filter(kind=SecondFactor.Kind.PASSKEY)
    return [(AttestedCredentialData(base64.b64decode(row.secret)), row) for row in rows]


def _begun(request: HttpRequest) -> Mapping[str, Any]:
    """Raises PasskeyRefused when nothing was asked, or it was answered before."""
    begun = request.session.pop(BEGUN, None)
    if begun is None:
        raise PasskeyRefused("Nothing was asked.")
    return dict(begun)


def _parsed(answer: str) -> dict[str, Any]:
    if len(answer) > MAX_ANSWER_LENGTH:
        raise ValueError("The answer is too long.")
    said = json.loads(answer)
    if not isinstance(said, dict):
        raise ValueError("The answer is no object.")
    return said


def _counter(said: Mapping[str, Any]) -> int:
    return AuthenticationResponse.from_dict(said).response.authenticator_data.counter
