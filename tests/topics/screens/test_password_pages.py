"""A new password says what acts as the person without one, and asks what becomes of it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.utils.http import urlsafe_base64_encode

from kb_project.models import AuditEntry
from tests.factories import make_topic
from topics.keys import find_usable_key, make_personal_key
from topics.oauth import connections

pytestmark = pytest.mark.django_db
NEW = {"new_password1": "wide green rivers", "new_password2": "wide green rivers"}


@pytest.fixture
def person() -> User:
    return User.objects.create_user("gil", password="x")


def agent_of(person: User) -> Any:
    client = connections.register(name="Agent Smith", redirect_uris=["https://agent.example/"])
    topic = make_topic()
    code = connections.allow(user=person, client=client, topic=topic, redirect_uri="", code_challenge="")
    connection = connections.of_code(code, client)
    assert connection is not None
    token = connections.issue(connection, instead_of={"code_hash": connection.code_hash})
    assert token is not None
    return token["access_token"]


def by_link(client: Client, person: User) -> str:
    """The page of a link for a forgotten password."""
    uid = urlsafe_base64_encode(str(person.pk).encode())
    return str(client.get(f"/password/new/{uid}/{default_token_generator.make_token(person)}/")["Location"])


@pytest.mark.parametrize("forgotten", [False, True])
@pytest.mark.parametrize("choice", ["end", "keep"])
def test_a_new_password_ends_keys_and_agents_or_keeps_them_as_is_said(
    client: Client, person: User, choice: str, forgotten: bool
) -> None:
    _key, plaintext = make_personal_key(person, "scripts", with_rights=True, last_day=None)
    token = agent_of(person)
    if forgotten:
        path, given = by_link(client, person), NEW
    else:
        client.force_login(person)
        path, given = "/password/", {**NEW, "old_password": "x"}
    page = client.get(path).content.decode()
    for shown in ("scripts", "Agent Smith", "End them all"):
        assert shown in page
    unanswered = client.post(path, given)
    assert "Say what becomes of them." in unanswered.content.decode()
    person.refresh_from_db()
    assert person.check_password("x")
    assert client.post(path, {**given, "standing": choice}).status_code == 302
    person.refresh_from_db()
    assert person.check_password("wide green rivers")
    lives = [find_usable_key(plaintext) is not None, connections.of_access_token(token) is not None]
    assert lives == [choice == "keep"] * 2
    ended = AuditEntry.objects.filter(by="gil", action__in=["key.revoke", "agent.revoke"]).count()
    assert ended == (2 if choice == "end" else 0)


def test_who_has_neither_is_asked_nothing(client: Client, person: User) -> None:
    client.force_login(person)
    assert "act as you" not in client.get("/password/").content.decode()
    assert client.post("/password/", {**NEW, "old_password": "x"}).status_code == 302
