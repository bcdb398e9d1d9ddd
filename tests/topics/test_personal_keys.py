"""Keys that act as their person: with what they see, and as long as they may enter."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings
from rest_framework.test import APIClient

from tests.factories import make_source, make_staff, make_topic
from tests.topics.keys import authorization
from topics.keys import MAX_PERSONAL_KEYS, keys_of, revoke
from topics.models import OpenTo, Topic, TopicMember, TopicRole

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return User.objects.create_user("reader", password="x")


@pytest.fixture
def hidden() -> Topic:
    topic = make_topic(slug="hidden")
    Topic.objects.filter(pk=topic.pk).update(open_to=OpenTo.MEMBERS)
    return topic


def made(client: Client, **given: Any) -> Any:
    return client.post("/kb/account/keys", {"name": "agent", **given}, content_type="application/json")


def with_key(client: Client, **given: Any) -> APIClient:
    program = APIClient()
    program.credentials(**authorization(made(client, **given).json()["key"]))
    return program


def test_a_key_sees_what_its_person_sees_now_and_later(client: Client, person: User, hidden: Topic) -> None:
    client.force_login(person)
    program, source = with_key(client), make_source(topic=hidden)
    assert program.get(f"/kb/sources/{source.pk}").status_code == 404
    TopicMember.objects.create(topic=hidden, person=person, role=TopicRole.REVIEWER)
    assert program.get(f"/kb/sources/{source.pk}").status_code == 200
    assert program.get("/admin/kb/sources").status_code == 403  # it only reads
    with_rights = with_key(client, with_rights=True)
    assert [one["id"] for one in with_rights.get("/admin/kb/sources").json()["results"]] == [source.pk]
    person.is_active = False
    person.save()
    assert program.get("/kb/topics").status_code == 401


def test_mcp_offers_the_topics_of_the_person(client: Client, person: User, hidden: Topic) -> None:
    client.force_login(person)
    program = with_key(client)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"accept": "application/json, text/event-stream"}
    assert program.post("/mcp/hidden/", message, format="json", headers=headers).status_code == 404
    TopicMember.objects.create(topic=hidden, person=person, role=TopicRole.READER)
    assert program.post("/mcp/hidden/", message, format="json", headers=headers).status_code == 200


def test_keys_are_listed_shown_once_and_revoked_by_their_person_alone(client: Client, person: User) -> None:
    client.force_login(person)
    answer = made(client, name="my agent", last_day="2099-01-01")
    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    listed = client.get("/kb/account/keys").json()["results"]
    assert [(one["name"], one["with_rights"], "key" in one) for one in listed] == [("my agent", False, False)]
    program = APIClient()
    program.credentials(**authorization(answer.json()["key"]))
    assert program.get("/kb/account/keys").status_code == 403  # no key makes keys
    other = Client()
    other.force_login(User.objects.create_user("other", password="x"))
    assert other.delete(f"/kb/account/keys/{answer.json()['id']}").status_code == 404
    assert client.delete(f"/kb/account/keys/{answer.json()['id']}").status_code == 204
    assert program.get("/kb/topics").status_code == 401


def test_managers_see_and_revoke_them(client: Client, person: User) -> None:
    client.force_login(person)
    program = with_key(client)
    key = keys_of(person).get()
    manager = Client()
    manager.force_login(make_staff("head"))
    assert "Those that its maker sees" in manager.get("/keys/").content.decode()
    manager.post(f"/keys/{key.pk}/revoke/", {"sure": "1"})
    assert program.get("/kb/topics").status_code == 401


def test_the_screen_makes_shows_and_revokes(client: Client, person: User) -> None:
    assert client.get("/account/keys/").status_code == 302
    client.force_login(person)
    assert "You have no key" in client.get("/account/keys/").content.decode()
    page = client.post("/account/keys/new/", {"name": "agent", "admin": "1"}).content.decode()
    key = keys_of(person).get()
    assert (key.admin, key.prefix in page) == (True, True)
    assert "agent" in client.get("/account/keys/").content.decode()
    client.post(f"/account/keys/{key.pk}/revoke/", {"sure": "1"})
    assert "You have no key" in client.get("/account/keys/").content.decode()
    assert client.get("/account/keys/999999/revoke/").status_code == 404


def test_keys_of_a_person_have_a_bound_and_one_rate(client: Client, person: User) -> None:
    client.force_login(person)
    first, second = with_key(client), with_key(client)
    for number in range(MAX_PERSONAL_KEYS - 2):
        assert made(client, name=f"agent {number}").status_code == 201
    refused = made(client)
    assert refused.status_code == 409
    assert "Revoke one" in refused.json()["detail"]
    assert client.post("/account/keys/new/", {"name": "mine"}).status_code == 409
    revoke(keys_of(person)[0], by="tests")
    assert made(client).status_code == 201
    with override_settings(REST_FRAMEWORK={**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": "3/h"}}):
        answers = [program.get("/kb/topics").status_code for program in (first, second, client, second, first)]
    assert answers == [200, 200, 200, 429, 429]
