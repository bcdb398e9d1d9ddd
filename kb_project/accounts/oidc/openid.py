"""What the organisation's provider says of itself, the address to sign in at, and a code made into claims.

Authlib speaks the protocol. What it leaves to its user is here: which issuer, audience and algorithms are taken, that
each answer has a bound in bytes and in time, and that no redirect is followed.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.base_client import BaseApp, FrameworkIntegration, OAuth2Mixin, OpenIDMixin
from authlib.integrations.httpx_client import OAuth2Client
from authlib.oidc.core import CodeIDToken, IDToken, ImplicitIDToken
from django.conf import settings
from joserfc import jws, jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError
from joserfc.jwk import Key, KeySet
from joserfc.jws import JWSRegistry

from kb_project.accounts.oidc.provider import Claims, PendingSignIn, ProviderFailed, VerifiedIdentity
from kb_project.clients.addresses import is_metadata
from kb_project.clients.http import trusted_certificates
from kb_project.database.connections import release

MAX_KEYS = 50  # of a provider that are looked at
WRONG_KEY = "No key of the provider has signed this token."
logger = logging.getLogger(__name__)

DISCOVERY = "/.well-known/openid-configuration"
KEYS_AGAIN_S = 60  # in which the keys are asked for before that as often as this:
KEYS_AGAIN = 5
MAX_ANSWER_BYTES = 512 * 1024  # bytes
WITHIN_S = 10.0  # of one answer
MAX_NAME_LENGTH = 255  # of the person, as OpenID Connect has it
LEEWAY_S = 60  # that two clocks may differ
# Only keys that the provider alone has: nothing that is signed with our own secret, and nothing unsigned.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
FURTHER_ENDPOINTS = ("userinfo_endpoint", "end_session_endpoint")
LOGOUT = "http://schemas.openid.net/event/backchannel-logout"


class BoundedClient(OAuth2Client):
    """Ends an answer that is too large or takes too long, also one that comes byte by byte. Follows no redirect.

    No connection of the database is held meanwhile.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, verify=trusted_certificates(), timeout=WITHIN_S, follow_redirects=False)

    def send(self, request: httpx2.Request, **kwargs: Any) -> httpx2.Response:
        release()
        ends, content = time.monotonic() + WITHIN_S, b""
        answer = super().send(request, **{**kwargs, "stream": True})
        try:
            for part in answer.iter_bytes():
                content += part
                if len(content) > MAX_ANSWER_BYTES or time.monotonic() > ends:
                    raise httpx2.ReadError("The answer does not end.", request=request)
        finally:
            answer.close()
        headers = {"Content-Type": answer.headers.get("Content-Type", "")}
        return httpx2.Response(answer.status_code, headers=headers, content=content, request=request)


class Provider(OAuth2Mixin, OpenIDMixin, BaseApp):
    """One issuer with its metadata and keys, loaded when they are first needed."""

    client_cls = BoundedClient

    def __init__(self, *, issuer: str, client_id: str, client_secret: str, scopes: str) -> None:
        self.issuer = issuer
        self._asked_again: deque[float] = deque([-math.inf] * KEYS_AGAIN, maxlen=KEYS_AGAIN)  # when, the oldest first
        super().__init__(
            FrameworkIntegration("kb"),
            client_id=client_id,
            client_secret=client_secret,
            server_metadata_url=issuer.rstrip("/") + DISCOVERY,
            client_kwargs={"scope": scopes, "code_challenge_method": "S256"},
        )

    def begin(self, *, redirect_uri: str, **asked: Any) -> PendingSignIn:
        """`asked` are further parameters of the address: `prompt`, `max_age`. Raises ProviderFailed."""
        with _failing("to say where to sign in"):
            return PendingSignIn(**self.create_authorization_url(redirect_uri, **asked))

    def verify(self, *, code: str, redirect_uri: str, begun: Mapping[str, str]) -> VerifiedIdentity:
        """Exchange the code, and verify what comes: signature, issuer, audience, nonce and times.

        Raises ProviderFailed. Claims that the ID token lacks are taken from the userinfo endpoint, if there is one.
        """
        with _failing("to say who signed in"):
            token = self.fetch_access_token(redirect_uri, code=code, code_verifier=begun["code_verifier"])
            if not isinstance(token.get("id_token"), str):
                raise ProviderFailed("The provider sent no ID token.")
            kind = CodeIDToken if "access_token" in token else ImplicitIDToken
            known = {"access_token": token["access_token"]} if "access_token" in token else {}
            claims = dict(self._proven(token["id_token"], kind, nonce=begun["nonce"], **known))
            if (
                not (isinstance(claims["sub"], str) and claims["sub"].isprintable())
                or len(claims["sub"]) > MAX_NAME_LENGTH
            ):
                raise ProviderFailed("The provider's name for the person cannot be kept.")
            return VerifiedIdentity({**self._further(claims, token), **claims}, token["id_token"])

    def _proven(self, id_token: str, kind: type[IDToken], **known: Any) -> IDToken:
        """The claims of a token that the provider has signed. `known` is what they must agree with.

        Keys are asked for again where none of those that are known has signed it, a few times a minute at most: a token
        may come from anybody. Raises JoseError.
        """
        algorithms = self.load_server_metadata()["id_token_signing_alg_values_supported"]
        try:
            token = decoded(id_token, keys=self.fetch_jwk_set(), algorithms=algorithms)
        except (BadSignatureError, InvalidKeyIdError):
            if time.monotonic() < self._asked_again[0] + KEYS_AGAIN_S:
                raise
            self._asked_again.append(time.monotonic())
            token = decoded(id_token, keys=self.fetch_jwk_set(force=True), algorithms=algorithms)
        claims = kind(token.claims, token.header, self._expected, {"client_id": self.client_id, **known})
        claims.validate(leeway=LEEWAY_S)
        return claims

    @property
    def _expected(self) -> dict[str, Any]:
        """Of whom and for whom a token must be."""
        return {
            "iss": {"essential": True, "value": self.issuer},
            "aud": {"essential": True, "value": self.client_id},
            "sub": {"essential": True},
        }

    def verify_logout(self, token: str) -> str:
        """The subject whom a logout token of the provider signs out (OpenID Connect Back-Channel Logout 1.0, 2.6).

        Raises ProviderFailed for what is none, also for one that names a session alone: none is known here by it.
        """
        with _failing("to say who signed out"):
            claims = self._proven(token, IDToken, nonce=None)
            if "nonce" in claims or LOGOUT not in claims.get("events", {}):
                raise ProviderFailed("What was sent is no logout token.")
            return str(claims["sub"])

    def sign_out_address(self, *, id_token: str, back: str) -> str:
        """Where the person's session with the provider ends, or "" where it offers none, or does not answer."""
        try:
            with _failing("to say where to sign out"):
                if "end_session_endpoint" not in self.load_server_metadata():
                    return ""
                return str(self.create_logout_url(back, id_token, client_id=self.client_id)["url"])
        except ProviderFailed:
            return ""

    def load_server_metadata(self) -> dict[str, Any]:
        """What the provider says of itself, of which only what is used here is kept. Raises ProviderFailed."""
        if "_loaded_at" not in self.server_metadata:
            with self._get_session() as session:
                answer = session.request("GET", self._server_metadata_url, withhold_token=True)
                answer.raise_for_status()
                self.server_metadata.update(self._believed(answer.json()), _loaded_at=time.time())
        return dict(self.server_metadata)

    def _believed(self, said: Any) -> dict[str, Any]:
        if not isinstance(said, dict) or said.get("issuer") != self.issuer:
            raise ProviderFailed(f"The provider does not say that it is {self.issuer}.")
        kept = {name: said[name] for name in (*ENDPOINTS, *FURTHER_ENDPOINTS) if name in said}
        for name in ENDPOINTS:
            if name not in kept:
                raise ProviderFailed(f"The provider names no {name}.")
        for name, url in kept.items():
            if not self._may_call(url):
                raise ProviderFailed(f"The provider's {name} is no address that may be called.")
        offered = said.get("id_token_signing_alg_values_supported") or ["RS256"]
        methods = said.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        algorithms = [one for one in ALGORITHMS if one in offered]
        if not algorithms:
            raise ProviderFailed("The provider signs with no key of its own.")
        basic = "client_secret_basic" in methods
        return {
            **kept,
            "issuer": self.issuer,
            "id_token_signing_alg_values_supported": algorithms,
            "token_endpoint_auth_method": "client_secret_basic" if basic else "client_secret_post",
        }

    def _may_call(self, url: Any) -> bool:
        """As encrypted as the issuer is, and not what tells a machine its credentials."""
        parts = urlsplit(url if isinstance(url, str) else "")
        schemes = ("https",) if urlsplit(self.issuer).scheme == "https" else ("https", "http")
        host = parts.hostname or ""
        return bool(host) and parts.scheme in schemes and (settings.KB_ALLOW_LINK_LOCAL or not is_metadata(host))

    def _further(self, claims: Claims, token: Mapping[str, Any]) -> Claims:
        """What the userinfo endpoint says of the same person, when the token lacks a claim that is needed."""
        needed = {settings.KB_OIDC_GROUPS_CLAIM, *(("email",) if settings.KB_OIDC_ALLOWED_DOMAINS else ())}
        if needed <= claims.keys() or "userinfo_endpoint" not in self.load_server_metadata():
            return {}
        said = self.userinfo(token=token)
        if said.get("sub") != claims["sub"]:
            raise ProviderFailed("The userinfo endpoint speaks of somebody else.")
        return dict(said)


@contextmanager
def _failing(to: str) -> Iterator[None]:
    """Whatever goes wrong with what the provider sends is a ProviderFailed, and in the log."""
    try:
        yield
    except ProviderFailed as error:
        logger.error("The provider failed %s: %s", to, error)
        raise
    except (AuthlibBaseError, JoseError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        logger.error("The provider failed %s: %s: %s", to, type(error).__name__, error)
        raise ProviderFailed(str(error)) from error
    except (ValueError, TypeError, KeyError, AttributeError, RuntimeError) as error:  # nonsense in the place of JSON
        logger.error("The provider failed %s", to, exc_info=error)
        raise ProviderFailed(str(error)) from error


def decoded(token: str, *, keys: Mapping[str, Any], algorithms: Sequence[str]) -> jwt.Token:
    """The token, its signature verified. `keys` is a JWK set. Raises JoseError, ValueError, KeyError and TypeError.

    Authlib looks for the one key of the token's id, and for the only key where the token names none. Providers also
    publish several and name none, or renew a key under the id it had.
    """
    registry = JWSRegistry(algorithms=[*algorithms], strict_check_header=False)
    failure: JoseError = InvalidKeyIdError(WRONG_KEY)
    for key in _fitting(keys, jws.extract_compact(token.encode()).headers()):
        try:
            return jwt.decode(token, key=key, registry=registry)
        except JoseError as error:
            failure = error
    raise failure


def _fitting(keys: Mapping[str, Any], header: Mapping[str, Any]) -> Iterator[Key]:
    """The keys of the token's id. All that may sign so, where it names none."""
    for key in KeySet.import_key_set({**keys, "keys": keys["keys"][:MAX_KEYS]}).keys:  # type: ignore[typeddict-item]
        if "kid" in header:
            fits = key.kid == header["kid"]
        else:
            fits = key.get("use") in (None, "sig") and key.get("alg") in (None, header.get("alg"))
        if fits:
            yield key
