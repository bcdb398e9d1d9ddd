"""The provider ends the sessions of whom it signed out, against one that is a process of its own (`site.py`)."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from kb_project.models import AuditEntry
from tests.kb_project.accounts.oidc.acme import GROUPS, Acme

pytestmark = pytest.mark.django_db
SIGNED_OUT = "/sign-in/organisation/signed-out/"


def test_who_signs_out_there_is_signed_out_here(acme: Acme, client: Client) -> None:
    other_tab, stranger = Client(), Client()
    for browser in (client, other_tab):
        acme.enter(browser)
    acme.set(people={"noa": GROUPS, "dan": {**GROUPS, "preferred_username": "dan"}})
    acme.enter(stranger, "dan")
    answer = Client(enforce_csrf_checks=True).post(SIGNED_OUT, {"logout_token": acme.logout_token()})
    assert (answer.status_code, answer.content, "no-store" in answer["Cache-Control"]) == (200, b"", True)
    assert [browser.get("/review/").status_code for browser in (client, other_tab, stranger)] == [302, 302, 200]
    entry = AuditEntry.objects.latest("pk")
    assert (entry.by, entry.after) == (acme.issuer, {"sessions": "ended"})
    acme.enter(client)
    assert client.get("/review/").status_code == 200
    assert Client().post(SIGNED_OUT, {"logout_token": acme.logout_token("nobody")}).status_code == 200


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://elsewhere.example"},
        {"aud": "another-client"},
        {"exp": 1},
        {"exp": None},
        {"sub": None, "sid": "a session"},
        {"events": {}},
        {"events": None},
        {"nonce": "of a sign-in"},
    ],
)
def test_what_is_no_token_of_a_sign_out_signs_nobody_out(acme: Acme, client: Client, claims: dict[str, Any]) -> None:
    acme.enter(client)
    answer = client.post(SIGNED_OUT, {"logout_token": acme.logout_token(**claims)})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert client.get("/review/").status_code == 200


@pytest.mark.parametrize("tamper", ["signature", "unsigned", "secret"])
def test_a_sign_out_that_the_provider_did_not_sign_is_refused(acme: Acme, client: Client, tamper: str) -> None:
    acme.enter(client)
    acme.set(tamper=tamper)
    assert client.post(SIGNED_OUT, {"logout_token": acme.logout_token()}).status_code == 400
    assert client.post(SIGNED_OUT, {"logout_token": "nonsense"}).status_code == 400
    assert client.post(SIGNED_OUT).status_code == 400
    assert client.get("/review/").status_code == 200


def test_an_account_with_a_password_of_its_own_is_not_signed_out(acme: Acme, client: Client) -> None:
    acme.enter(client)
    noa = User.objects.get(username="noa")
    noa.set_password("a long enough password")
    noa.save()
    assert client.post(SIGNED_OUT, {"logout_token": acme.logout_token()}).status_code == 400
    noa.refresh_from_db()
    assert noa.check_password("a long enough password")
