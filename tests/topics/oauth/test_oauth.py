"""Agents that act for a person: registering, consent, tokens of one topic, revoking. Nothing of it when it is off."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from kb_project.configuration.roles import REVIEWER
from kb_project.models import AuditEntry
from tests.factories import make_staff
from tests.topics.oauth.agent import (
    BACK,
    message,
    new_client_id,
    onward,
    question,
    register,
)
from topics.models import OpenTo, Topic
from topics.oauth.models import AgentClient, AgentConnection

pytestmark = pytest.mark.django_db


def test_off_all_of_it_is_404_and_mcp_says_nothing_of_it(dana: Client, settings: Any) -> None:
    settings.KB_OAUTH = False
    for path in (
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource/mcp/library",
        "/oauth/authorize/",
        "/account/agents/",
    ):
        assert dana.get(path, secure=True).status_code == 404, path
    for path in ("/oauth/register", "/oauth/token", "/oauth/revoke"):
        assert Client().post(path, {}, secure=True).status_code == 404, path
    refused = Client().post("/mcp/library/", "{}", content_type="application/json", secure=True)
    assert refused["WWW-Authenticate"] == 'Bearer realm="kb"'
    assert "Connected agents" not in dana.get("/review/", secure=True).content.decode()


def test_who_is_refused_is_told_where_to_ask() -> None:
    for path in ("/mcp/library/", "/mcp/library", "/mcp/no-such-topic/"):
        refused = Client().post(path, "{}", content_type="application/json", secure=True)
        slug = path.strip("/").partition("/")[2]
        where = f"https://testserver/.well-known/oauth-protected-resource/mcp/{slug}"
        assert (refused.status_code, refused["WWW-Authenticate"]) == (
            401,
            f'Bearer realm="kb", resource_metadata="{where}"',
        )
    for end in ("", "/"):
        said = Client().get(f"/.well-known/oauth-protected-resource/mcp/library{end}", secure=True).json()
        assert said["resource"] == f"https://testserver/mcp/library{end}"
        assert said["authorization_servers"] == ["https://testserver"]
    server_says = Client().get("/.well-known/oauth-authorization-server", secure=True).json()
    assert server_says["issuer"] == "https://testserver"
    assert server_says["code_challenge_methods_supported"] == ["S256"]


def test_a_client_registers_itself_and_gets_no_secret() -> None:
    made = register(token_endpoint_auth_method="client_secret_post", grant_types=["client_credentials"])
    said = made.json()
    assert made.status_code == 201
    assert (said["token_endpoint_auth_method"], "client_secret" in said) == ("none", False)
    assert said["grant_types"] == ["authorization_code", "refresh_token"]
    for uris in (
        [],
        "https://a.example/",
        ["http://agent.example/"],
        ["javascript:alert(1)"],
        ["https://a.example/#x"],
        ["cursor://x/y"],
        [1],
        ["https:///x"],
        ["https://claude.ai@a.example/"],
        ["https://a.example/"] * 11,
    ):
        refused = register(redirect_uris=uris)
        assert refused.status_code == 400, uris
        assert refused.json()["error"] in ("invalid_redirect_uri", "invalid_client_metadata")
    for body in ("", "{", "[]", "3", '{"redirect_uris": null}'):
        refused = Client().post("/oauth/register", body, content_type="application/json", secure=True)
        assert refused.status_code == 400, body
    assert AgentClient.objects.count() == 1
    for loopback in ("http://127.0.0.1:4321/callback", "http://localhost/callback", "http://[::1]:1/"):
        assert register(redirect_uris=[loopback]).status_code == 201, loopback


@pytest.mark.parametrize(
    ("language", "asked", "topic"),
    [("en", "asks to be let into the topic", "Libraries"), ("he", "מבקש להיכנס לתחום", "Libraries")],
)
def test_the_person_is_asked_by_name_of_the_topic(dana: Client, language: str, asked: str, topic: str) -> None:
    page = dana.get(question(new_client_id()), headers={"Accept-Language": language}, secure=True).content.decode()
    assert asked in page
    assert all(word in page for word in (topic, "Agent Smith", "agent.example", "dana"))
    assert "Harbours" not in page
    assert AgentConnection.objects.count() == 0


def test_who_is_not_signed_in_signs_in_first_and_comes_back(client: Client) -> None:
    address = question(new_client_id())
    answer = client.get(address, secure=True)
    assert answer.status_code == 302
    make_staff()
    back = client.post(answer["Location"], {"username": "dana", "password": "x"}, secure=True)
    assert back["Location"] == address


def test_a_denial_is_sent_back(dana: Client) -> None:
    answer = onward(dana.post(question(new_client_id()), {"deny": "1"}, secure=True).content.decode())
    assert (answer["error"], answer["state"]) == ("access_denied", "xyz")
    assert AgentConnection.objects.count() == 0


def test_consent_cannot_be_forged_by_another_site() -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(make_staff())
    assert strict.post(question(new_client_id()), {"allow": "1"}, secure=True).status_code == 403


@pytest.mark.parametrize(
    "changed",
    [
        {"client_id": "nobody"},
        {"redirect_uri": "https://thief.example/"},
        {"code_challenge": ""},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": ""},
        {"response_type": "token"},
        {"resource": ""},
        {"resource": "https://testserver/mcp/no-such-topic"},
        {"resource": "https://other.example/mcp/library"},
        {"resource": "https://testserver/library/"},
        {"resource": "https://testserver/mcp/library?x=1"},
        {"resource": "https://[testserver/mcp/library"},
    ],
)
def test_what_may_not_be_allowed_is_said_here_and_led_nowhere(dana: Client, changed: dict[str, str]) -> None:
    address = question(changed.pop("client_id", "") or new_client_id(), **changed)
    for answer in (dana.get(address, secure=True), dana.post(address, {"allow": "1"}, secure=True)):
        assert answer.status_code == 400
        page = answer.content.decode()
        assert "The agent cannot be let in" in page
        assert 'href="https://thief' not in page
        assert "http-equiv" not in page
    assert AgentConnection.objects.count() == 0


def test_a_topic_that_the_person_may_not_see_is_as_one_that_is_not_there(dana: Client) -> None:
    User.objects.update(is_staff=False)
    Topic.objects.filter(slug="harbour").update(open_to=OpenTo.MEMBERS)
    client_id = new_client_id()
    hidden, missing = (
        dana.get(question(client_id, slug=slug), secure=True).content.decode() for slug in ("harbour", "no-such-topic")
    )
    assert "Harbours" not in hidden
    assert hidden.partition("<main")[2] == missing.partition("<main")[2]
    assert dana.get(question(client_id), secure=True).status_code == 200


def test_the_agent_can_give_it_back(tokens: dict[str, str]) -> None:
    other = Client().post(
        "/oauth/revoke", {"client_id": new_client_id(), "token": tokens["refresh_token"]}, secure=True
    )
    assert other.status_code == 400
    assert message(tokens["access_token"]) == 200
    answer = Client().post(
        "/oauth/revoke", {"client_id": tokens["client_id"], "token": tokens["refresh_token"]}, secure=True
    )
    assert answer.status_code == 200
    assert message(tokens["access_token"]) == 401


def test_a_person_sees_and_revokes_their_own_and_a_manager_everybodys(tokens: dict[str, str], dana: Client) -> None:
    path = f"/account/agents/{AgentConnection.objects.get().pk}/revoke/"
    page = dana.get("/account/agents/?show=all", secure=True).content.decode()
    assert "Agent Smith" in page
    assert "Libraries" in page
    assert "Everybody’s" not in page
    other, boss = Client(), Client()
    other.force_login(make_staff("avi", role=REVIEWER))
    boss.force_login(make_staff("boss"))
    assert "Agent Smith" not in other.get("/account/agents/?show=all", secure=True).content.decode()
    assert other.post(path, secure=True).status_code == 404
    assert "Agent Smith" not in boss.get("/account/agents/", secure=True).content.decode()
    assert "dana" in boss.get("/account/agents/?show=all", secure=True).content.decode()
    assert message(tokens["access_token"]) == 200
    assert boss.post(path, secure=True)["Location"] == "/account/agents/?show=all"
    assert message(tokens["access_token"]) == 401
    assert "Agent Smith" not in dana.get("/account/agents/", secure=True).content.decode()
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "by")) == [
        ("agent.connect", "dana"),
        ("agent.revoke", "boss"),
    ]
    assert BACK not in str(AuditEntry.objects.values())


def test_registering_is_throttled_by_address(settings: Any) -> None:
    from rest_framework.settings import api_settings

    settings.REST_FRAMEWORK = {
        **settings.REST_FRAMEWORK,
        "DEFAULT_THROTTLE_RATES": {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "register": "0/h"},
    }
    api_settings.reload()
    try:
        assert register().status_code == 429
    finally:
        api_settings.reload()


def test_a_topic_that_was_lost_is_not_named_to_who_lost_it(tokens: dict[str, str], dana: Client) -> None:
    User.objects.update(is_staff=False)
    assert "Libraries" in dana.get("/account/agents/", secure=True).content.decode()
    Topic.objects.filter(slug="library").update(open_to=OpenTo.MEMBERS)
    page = dana.get("/account/agents/", secure=True).content.decode()
    assert "Agent Smith" in page  # it can still be taken back
    assert "Libraries" not in page


@pytest.mark.parametrize("host", ["\u0441laude.ai", "xn--laude-0ye.ai"])
def test_a_host_that_looks_like_another_is_shown_as_it_is_looked_up(dana: Client, host: str) -> None:
    back = f"https://{host}/callback"
    client_id = register(redirect_uris=[back]).json()["client_id"]
    page = dana.get(question(client_id, redirect_uri=back), secure=True).content.decode()
    assert "<bdi>xn--laude-0ye.ai</bdi>" in page
    assert "letters that look like others" in page
    assert "letters that look like others" not in dana.get(question(new_client_id()), secure=True).content.decode()


def test_a_port_that_nobody_configured_is_no_issuer(settings: Any) -> None:
    path = "/.well-known/oauth-authorization-server"

    def issuer(**headers: str) -> Any:
        answer = Client().get(path, secure=True, headers=headers)
        return answer.json().get("issuer") if answer.status_code == 200 else answer.status_code

    assert issuer() == "https://testserver"
    assert issuer(host="testserver:443") == "https://testserver:443"
    assert issuer(host="testserver:6666") == 400
    assert issuer(host="localhost:6666") == "https://localhost:6666"
    settings.KB_PUBLIC_URL = "https://kb.example.org:8443"
    assert issuer(host="testserver:6666") == "https://kb.example.org:8443"
