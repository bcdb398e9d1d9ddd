"""Scopes of agents: each has a name, a sentence and methods. Who asks for none has the first, and is told of none."""

import pytest
from django.test import Client
from django.utils.translation import override

from tests.topics.oauth.agent import allow, exchange, new_client_id, question, refresh
from topics.oauth.models import AgentConnection
from topics.oauth.scopes import READ, SCOPES, AgentScope

pytestmark = pytest.mark.django_db
OPENED = {"read": {"GET", "HEAD", "OPTIONS"}}
KEEP = AgentScope("keep", "It may keep notes.", frozenset({"DELETE"}))


def test_each_scope_opens_what_is_written_here_and_is_asked_for_in_each_language(dana: Client) -> None:
    assert {name: scope.methods for name, scope in SCOPES.items()} == OPENED
    for name, scope in SCOPES.items():
        for language in ("en", "he"):
            address = question(new_client_id(), scope=name)
            page = dana.get(address, headers={"Accept-Language": language}, secure=True).content.decode()
            with override(language):
                assert str(scope.sentence) in page, (name, language)
                assert scope is READ or str(READ.sentence) in page, (name, language)
        with override("en"):
            english = str(scope.sentence)
        with override("he"):
            assert str(scope.sentence) != english, name


@pytest.mark.parametrize(
    ("name", "sentence", "methods"),
    [("", "x", {"GET"}), ("two words", "x", {"GET"}), ("keep", "", {"GET"}), ("keep", "x", set())],
)
def test_a_scope_that_lacks_a_part_is_none(name: str, sentence: str, methods: set[str]) -> None:
    with pytest.raises(ValueError, match="needs a name"):
        AgentScope(name, sentence, frozenset(methods))


@pytest.mark.parametrize(
    ("asked", "told"), [("", None), ("openid offline_access", None), ("read", "read"), ("keep read no", "read keep")]
)
def test_a_client_is_told_the_scopes_that_it_named(
    dana: Client, monkeypatch: pytest.MonkeyPatch, asked: str, told: str | None
) -> None:
    monkeypatch.setitem(SCOPES, KEEP.name, KEEP)
    client_id = new_client_id()
    page = dana.get(question(client_id, scope=asked), secure=True).content.decode()
    assert ("It may keep notes." in page) == ("keep" in asked)
    tokens = exchange(client_id, allow(dana, question(client_id, scope=asked))).json()
    again = refresh(client_id, tokens["refresh_token"]).json()
    assert (tokens.get("scope"), again.get("scope")) == (told, told)


def test_a_connection_without_a_name_goes_on_when_its_client_names_the_first(tokens: dict[str, str]) -> None:
    assert AgentConnection.objects.get().scope == ""
    assert refresh(tokens["client_id"], tokens["refresh_token"], scope="keep").status_code == 400
    assert refresh(tokens["client_id"], tokens["refresh_token"], scope="read").status_code == 200


def test_an_agent_calls_what_its_scopes_open(dana: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCOPES, KEEP.name, KEEP)

    def status_of_deleting(scope: str) -> int:
        client_id = new_client_id()
        token = exchange(client_id, allow(dana, question(client_id, scope=scope))).json()["access_token"]
        headers = {"Authorization": f"Bearer {token}"}
        assert Client().get("/kb/notebooks", headers=headers, secure=True).status_code == 200
        return Client().delete("/kb/notebooks/1", headers=headers, secure=True).status_code

    assert [status_of_deleting(scope) for scope in ("", "read", "keep")] == [403, 403, 404]  # there is no notebook
