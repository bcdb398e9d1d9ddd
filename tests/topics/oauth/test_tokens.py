"""Tokens of agents: of one topic, hashed, changed at each refreshing, and ended with whatever gave them."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.topics.oauth.agent import (
    allow,
    exchange,
    message,
    new_client_id,
    question,
    refresh,
)
from topics.models import OpenTo, Topic
from topics.oauth.models import AgentConnection

pytestmark = pytest.mark.django_db


def test_a_token_opens_its_topic_and_no_other(tokens: dict[str, str]) -> None:
    assert tokens["token_type"] == "Bearer"
    assert message(tokens["access_token"]) == 200
    assert message(tokens["access_token"], slug="harbour") == 403
    assert message(tokens["access_token"], slug="no-such-topic") == 403
    assert message(tokens["refresh_token"]) == 401
    for path in ("/kb/topics", "/admin/kb/jobs"):
        headers = {"Authorization": f"Bearer {tokens['access_token']}"}
        assert Client().get(path, headers=headers, secure=True).status_code == 401, path


def test_of_tokens_only_hashes_are_kept(tokens: dict[str, str]) -> None:
    row = AgentConnection.objects.values().get()
    secrets = [tokens[name].rpartition(".")[2] for name in ("access_token", "refresh_token")]
    assert not any(secret in str(row) for secret in secrets)


def test_a_code_is_for_who_asked_and_works_once(dana: Client) -> None:
    client_id, other = new_client_id(), new_client_id()
    code = allow(dana, question(client_id))
    for changed in (
        {"code_verifier": "b" * 50},
        {"code_verifier": ""},
        {"redirect_uri": "https://agent.example/other"},
        {"client_id": other},
        {"resource": "https://testserver/mcp/harbour"},
        {"client_id": "nobody"},
    ):
        assert exchange(client_id, code, **changed).status_code in (400, 401), changed
    made = exchange(client_id, code, resource="https://testserver/mcp/library/")
    assert made.status_code == 200
    assert made["Cache-Control"] == "no-store"
    assert exchange(client_id, code).status_code == 400
    assert message(made.json()["access_token"]) == 401  # it was in two hands: what came of it has ended


def test_a_code_ends_soon(dana: Client) -> None:
    client_id = new_client_id()
    code = allow(dana, question(client_id))
    AgentConnection.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert exchange(client_id, code).status_code == 400


def test_refreshing_changes_both_tokens_and_a_used_one_ends_the_connection(tokens: dict[str, str]) -> None:
    client_id = tokens["client_id"]
    assert refresh(client_id, tokens["refresh_token"], resource="https://testserver/mcp/harbour").status_code == 400
    second = refresh(client_id, tokens["refresh_token"]).json()
    assert message(tokens["access_token"]) == 401
    assert message(second["access_token"]) == 200
    assert refresh(new_client_id(), second["refresh_token"]).status_code == 400  # not theirs: nothing happens
    assert message(second["access_token"]) == 200
    assert refresh(client_id, tokens["refresh_token"]).status_code == 400
    assert message(second["access_token"]) == 401
    assert refresh(client_id, second["refresh_token"]).status_code == 400


def test_tokens_end(tokens: dict[str, str]) -> None:
    AgentConnection.objects.update(access_ends_at=timezone.now())
    assert message(tokens["access_token"]) == 401
    AgentConnection.objects.update(ends_at=timezone.now())
    assert refresh(tokens["client_id"], tokens["refresh_token"]).status_code == 400


def test_they_end_with_the_account_and_with_the_topic(tokens: dict[str, str]) -> None:
    User.objects.update(is_active=False)
    assert message(tokens["access_token"]) == 401
    assert refresh(tokens["client_id"], tokens["refresh_token"]).status_code == 400
    User.objects.update(is_active=True)
    assert message(tokens["access_token"]) == 200
    User.objects.update(is_staff=False)
    assert message(tokens["access_token"]) == 200
    Topic.objects.filter(slug="library").update(open_to=OpenTo.MEMBERS)
    assert message(tokens["access_token"]) == 401


def test_over_plain_http_a_token_is_refused_and_says_why() -> None:
    answer = Client().post("/oauth/token", {"grant_type": "authorization_code"}, secure=False)
    assert (answer.status_code, answer.json()["error"]) == (400, "insecure_transport")
