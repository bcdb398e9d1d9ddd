"""What the provider says is believed where it is signed by a key of its own, meant for us, and comes in time."""

import json
from typing import Any

import pytest
import requests
from authlib.integrations.httpx_client import OAuth2Client
from django.contrib.auth.models import User
from django.test import Client
from jwcrypto import jwk

from kb_project.accounts.oidc import openid, provider
from tests.kb_project.accounts.oidc.acme import GROUPS, Acme

KEYS = "/o/.well-known/jwks.json"
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "tamper",
    [
        *("signature", "unsigned", "secret", "audience", "issuer", "nonce", "no_nonce", "expired"),
    ],
)
def test_a_token_that_cannot_be_believed_lets_nobody_in(acme: Acme, client: Client, tamper: str) -> None:
    acme.set(tamper=tamper)
    refused = acme.enter(client)
    assert refused.status_code == 502
    assert "does not work at the moment" in refused.content.decode()
    assert not User.objects.exists()
    assert client.get("/review/").status_code == 302


@pytest.mark.parametrize("sub", ["x" * 256, "a\0b", "\ud83d", 7, ["noa"]])
def test_a_name_that_cannot_be_kept_lets_nobody_in(acme: Acme, client: Client, sub: Any) -> None:
    acme.set(people={"noa": {**GROUPS, "sub": sub}})
    assert acme.enter(client).status_code == 502


def test_what_it_says_of_itself_is_held_against_the_settings(acme: Acme, client: Client) -> None:
    said = provider.provider().load_server_metadata()
    assert "HS256" not in said["id_token_signing_alg_values_supported"]
    believed = provider.provider()._believed
    right = {"issuer": acme.issuer, "jwks_uri": "https://acme.example/keys", "token_endpoint": "https://acme.example/t"}
    right |= {"authorization_endpoint": "https://acme.example/a"}
    assert believed(right)["jwks_uri"] == "https://acme.example/keys"
    for wrong in (
        {"jwks_uri": "http://169.254.169.254/keys"},
        {"token_endpoint": "file:///etc/passwd"},
        {"token_endpoint": 7},
        {"userinfo_endpoint": "http://[::1"},
        {"id_token_signing_alg_values_supported": ["none", "HS256"]},
        {"issuer": acme.issuer + "/"},
    ):
        with pytest.raises((provider.ProviderFailed, ValueError)):
            believed(right | wrong)


def other_key(**said: str) -> dict[str, Any]:
    """A public key that has signed nothing, as a provider publishes it."""
    return dict(jwk.JWK.generate(kty="RSA", size=2048, alg="RS256", use="sig", **said).export_public(as_dict=True))


def test_a_key_renewed_under_its_id_is_asked_for_once_more(acme: Acme) -> None:
    provider._made.cache_clear()
    [right] = requests.get(acme.url + KEYS, timeout=60).json()["keys"]
    for _n in range(2):  # also where it was set up anew a second time, a moment later
        acme.set(answers={KEYS: {"content": json.dumps({"keys": [other_key(kid=right["kid"])]})}})
        assert provider.provider().fetch_jwk_set(force=True)["keys"][0]["n"] != right["n"]
        acme.set(answers={})
        assert acme.enter(Client()).status_code == 302
        assert provider.provider().fetch_jwk_set()["keys"][0]["n"] == right["n"]


def test_a_token_that_names_no_key_is_held_against_all(acme: Acme) -> None:
    provider._made.cache_clear()
    [right] = requests.get(acme.url + KEYS, timeout=60).json()["keys"]
    acme.set(tamper="no_kid", answers={KEYS: {"content": json.dumps({"keys": [other_key(kid="a"), right]})}})
    assert acme.enter(Client()).status_code == 302
    provider._made.cache_clear()
    acme.set(answers={KEYS: {"content": json.dumps({"keys": [other_key(kid="a"), other_key(kid="b")]})}})
    assert acme.enter(Client()).status_code == 502


def test_forged_tokens_have_the_keys_asked_for_a_few_times_and_not_each_time(
    acme: Acme, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, send = list[str](), OAuth2Client.send

    def watched(self: OAuth2Client, request: Any, **options: Any) -> Any:
        asked.append(request.url.path)
        return send(self, request, **options)

    monkeypatch.setattr(OAuth2Client, "send", watched)
    provider._made.cache_clear()
    acme.set(tamper="signature")
    for _n in range(openid.KEYS_AGAIN + 3):
        told = client.post("/sign-in/organisation/signed-out/", {"logout_token": acme.logout_token()})
        assert told.status_code == 400
    assert asked.count(KEYS) == 1 + openid.KEYS_AGAIN
