"""A request sees the topics it may see; a topic that does not exist is refused before anything else."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tests.topics.keys import client_with_key
from topics.models import Topic

pytestmark = [pytest.mark.urls("tests.kb_project.api.probes"), pytest.mark.django_db]


@pytest.fixture
def pinned() -> Topic:
    return Topic.objects.create(name="Pinned", slug="pinned")


@pytest.fixture
def other() -> Topic:
    return Topic.objects.create(name="Other", slug="other")


def search(client: APIClient, **fields: Any) -> Any:
    return client.post("/kb/search", {"query": "q", **fields}, format="json")


def test_a_request_is_about_the_topic_it_names(pinned: Topic) -> None:
    assert search(APIClient(), topic_id=pinned.pk).json() == {"topic": pinned.pk}
    assert APIClient().get(f"/kb/search?query=q&topic_id={pinned.pk}").json() == {"topic": pinned.pk}


def test_a_request_that_names_none_is_about_all() -> None:
    assert search(APIClient()).json() == {"topic": None}


@pytest.mark.parametrize("topic_id", [0, -1, 999_999, 2**31, 2**63, -(2**63) - 1, 10**30, 10**400])
def test_an_unknown_topic_is_refused(topic_id: int) -> None:
    answers = [search(APIClient(), topic_id=topic_id)]
    if topic_id < 10**400:
        answers.append(APIClient().get(f"/kb/search?query=q&topic_id={topic_id}"))
    for response in answers:
        assert response.status_code == 400
        assert response.json()["code"] == "unknown_topic"
        assert "topic_id" in response.json()["errors"]


def test_an_unknown_topic_is_told_before_anything_else() -> None:
    for client in (APIClient(), client_with_key(topic=Topic.objects.create(name="Pin", slug="pin"))):
        response = client.post("/kb/search", {"query": " ", "nope": 1, "topic_id": 999_999}, format="json")
        assert response.json()["code"] == "unknown_topic"
        response = client.get("/kb/search?nope=1&topic_id=999999")
        assert response.json()["code"] == "unknown_topic"


@pytest.mark.parametrize("topic_id", ["1", "x", "", True, 1.5, [1], {"id": 1}, "\ud800"])
def test_a_topic_that_is_no_integer_is_invalid(topic_id: Any) -> None:
    text = json.dumps({"query": "q", "topic_id": topic_id})
    response = APIClient().generic("POST", "/kb/search", text, content_type="application/json")
    assert response.status_code == 400
    assert response.json()["code"] == ("unknown_topic" if topic_id == "999" else "invalid")
    assert list(response.json()["errors"]) == ["topic_id"]


def test_a_pinned_key_is_always_about_its_topic(pinned: Topic, other: Topic) -> None:
    client = client_with_key(topic=pinned)
    assert search(client).json() == {"topic": pinned.pk}
    assert search(client, topic_id=pinned.pk).json() == {"topic": pinned.pk}


def test_a_pinned_key_that_names_another_topic_is_403(pinned: Topic, other: Topic) -> None:
    client = client_with_key(topic=pinned)
    for response in (search(client, topic_id=other.pk), client.get(f"/kb/search?query=q&topic_id={other.pk}")):
        assert response.status_code == 403
        assert response.json()["code"] == "permission_denied"


def test_a_pinned_admin_key_is_pinned_on_admin_paths_too(pinned: Topic, other: Topic) -> None:
    client = client_with_key(topic=pinned, admin=True)
    assert client.post("/admin/kb/upload", {}, format="json").json() == {"topic": pinned.pk}
    assert client.post("/admin/kb/upload", {"topic_id": other.pk}, format="json").status_code == 403


def test_what_lies_in_one_topic_lies_in_the_first_by_default(other: Topic) -> None:
    Topic.objects.get_or_create(pk=1, defaults={"name": "General", "slug": "general"})
    client = client_with_key(admin=True)
    assert client.post("/admin/kb/upload", {}, format="json").json() == {"topic": 1}
    assert client.post("/admin/kb/upload", {"topic_id": other.pk}, format="json").json() == {"topic": other.pk}
    unknown = client.post("/admin/kb/upload", {"topic_id": 999_999}, format="json")
    assert unknown.json()["code"] == "unknown_topic"


def test_a_pinned_key_sees_only_rows_of_its_topic(pinned: Topic, other: Topic) -> None:
    page = client_with_key(topic=pinned).get("/kb/pages").json()
    assert [row["slug"] for row in page["results"]] == ["pinned"]
    assert page["count"] == 1
    assert client_with_key().get("/kb/pages").json()["count"] >= 2


def test_the_topic_that_a_body_names_is_read_with_the_key(other: Topic) -> None:
    client = client_with_key()
    search(client)  # notes the key's use
    with CaptureQueriesContext(connection) as asked:
        assert search(client, topic_id=other.pk).json() == {"topic": other.pk}
    assert len(asked) == 1


@pytest.mark.parametrize(
    "before", ['"query": "\\"topic_id\\": %s",', '"limit": {"topic_id": %s},', '"topic_\\u0069d": %s,', ""]
)
def test_what_only_looks_like_topic_of_body_is_not_taken_for_it(before: str, pinned: Topic, other: Topic) -> None:
    body = "{" + (before % pinned.pk if before else "") + f'"query": "q", "topic_id": {other.pk}' + "}"
    with_a_key, without = (
        client.post("/kb/search", body, content_type="application/json") for client in (client_with_key(), APIClient())
    )
    assert with_a_key.status_code == without.status_code
    assert (with_a_key.json() == {"topic": other.pk}) == (with_a_key.status_code == 200)


def test_a_body_without_json_is_refused_to_key_holders() -> None:
    for body in (b'{"topic_id": 1', b"\xff", b'{"topic_id": 1, "topic_id": 2}'):
        refused = [
            client.post("/kb/search", body, content_type="application/json").status_code
            for client in (client_with_key(), APIClient(HTTP_AUTHORIZATION="Api-Key false"))
        ]
        assert refused == [400, 401]
