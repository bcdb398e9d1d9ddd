"""The organisation's provider, and what comes of a sign-in with it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from kb_project.accounts.oidc.openid import Provider

KNOWN_FOR_S = 3600  # how long what a provider says of itself is believed, its keys too
Claims = Mapping[str, Any]


class ProviderFailed(Exception):
    """The provider does not answer, or answers what cannot be believed. The message is for the log."""


@dataclass(frozen=True, slots=True)
class PendingSignIn:
    """A sign-in under way: the address to go to, and what must be known when the person comes back."""

    url: str
    state: str
    nonce: str
    code_verifier: str


@dataclass(frozen=True, slots=True)
class VerifiedIdentity:
    """Who signed in. `id_token` is the signed form of the claims, which a sign-out at the provider names."""

    claims: Claims
    id_token: str


def provider() -> Provider:
    """The one that the settings name. The same for an hour, so that its metadata and keys are asked for seldom."""
    return _made(
        settings.KB_OIDC_ISSUER,
        settings.KB_OIDC_CLIENT_ID,
        settings.KB_OIDC_CLIENT_SECRET,
        " ".join(settings.KB_OIDC_SCOPES),
        int(time.time() / KNOWN_FOR_S),
    )


@lru_cache(maxsize=1)
def _made(issuer: str, client_id: str, client_secret: str, scopes: str, hour: int) -> Provider:
    from kb_project.accounts.oidc.openid import Provider  # 9 MB of libraries, which few installations need

    return Provider(issuer=issuer, client_id=client_id, client_secret=client_secret, scopes=scopes)
