"""`/kb/watches`: beginning, listing and ending, and what is refused."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from rest_framework.test import APIClient

from keeping.models import Watch
from keeping.watches import watching
from keeping.watches.kinds import SearchWatchKind
from labels import naming
from sources.models import Source
from tests.factories import first_topic, make_topic
from tests.keeping.tables.made import BEGINS, table
from tests.keeping.watches.watchers import person, sealed, work
from tests.search.corpus import add_document
from tests.topics.keys import client_with_key
from topics.keys import make_personal_key
from topics.models import OpenTo

pytestmark = pytest.mark.django_db
PATH = "/kb/watches"


@pytest.fixture
def noa() -> User:
    return person()


@pytest.fixture
def client(noa: User) -> APIClient:
    client = APIClient()
    client.force_login(noa)
    return client


@pytest.fixture
def source() -> Source:
    return add_document("1. Quiet\nReaders are quiet.\n2. Light\nIt is light.", title="Rules", kind="regulation")


def post(client: APIClient, body: dict[str, Any]) -> Any:
    return client.post(PATH, body, format="json")


def test_each_kind_is_watched_listed_and_ended(client: APIClient, source: Source) -> None:
    [label, _made] = naming.get_or_create_within([first_topic().pk], "Light", by="test")
    search = {"query": "quiet readers", "topic_id": first_topic().pk, "kind": "regulation", "label_ids": [label.pk]}
    for body, name in (
        ({"topic_id": first_topic().pk}, first_topic().name),
        ({"work_id": source.work_id}, "Rules"),
        ({"work_id": source.work_id, "eid": "sec_2"}, "rule 2 · Rules"),
        ({"label_id": label.pk}, "Light"),
        ({"search": search}, f"quiet readers · {first_topic()}"),
        ({"table_id": table(BEGINS).pk}, "Leases"),
    ):
        answer = post(client, body)
        assert answer.status_code == 201, answer.json()
        assert (answer.json()["name"], answer.json()["how"]) == (name, "page")
        assert client.get(answer.json()["url"].partition("#")[0]).status_code in (200, 302)
    listed = client.get(PATH, {"limit": 3}).json()
    assert (listed["count"], len(listed["results"])) == (6, 3)
    assert [one["kind"] for one in listed["results"]] == ["table", "search", "label"]
    assert listed["results"][1]["search"]["labels"] == ["light"]
    assert listed["results"][2]["label_id"] == label.pk
    gone = f"{PATH}/{listed['results'][0]['id']}"
    assert (client.delete(gone).status_code, client.delete(gone).status_code) == (204, 404)
    assert client.get(PATH).json()["count"] == 5


def test_the_same_again_says_how_it_is_told_now(client: APIClient, settings: Any) -> None:
    settings.EMAIL_URL = "memorymail://"
    body = {"topic_id": first_topic().pk}
    first = post(client, body).json()
    again = post(client, {**body, "how": "mail_daily"})
    assert (again.status_code, again.json()["id"], again.json()["how"]) == (200, first["id"], "mail_daily")


def test_a_renamed_label_is_watched_once(client: APIClient) -> None:
    [label, _made] = naming.get_or_create_within([first_topic().pk], "Libraries", by="test")
    first = post(client, {"label_id": label.pk}).json()
    for name in ("Public libraries", "Reading rooms"):
        naming.rename(label.pk, name, by="test")
        again = post(client, {"label_id": label.pk})
        assert (again.status_code, again.json()["id"], again.json()["name"]) == (200, first["id"], name)
    page = client.get(reverse("documents"), {"label": "reading-rooms"}).content.decode()
    assert "You watch this" in page
    naming.rename(label.pk, "Libraries", by="test")
    assert post(client, {"label_id": label.pk}).json()["id"] == first["id"]
    [other, _made] = naming.get_or_create_within([first_topic().pk], "Reading", by="test")
    assert post(client, {"label_id": other.pk}).status_code == 201


def test_news_are_counted(client: APIClient, source: Source) -> None:
    work()
    post(client, {"topic_id": first_topic().pk})
    add_document("1. Noise\nNobody shouts.", title="Noise Rules", kind="regulation")
    work()
    [one] = client.get(PATH).json()["results"]
    assert one["unread"] == 1
    assert one["last_at"] is not None


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"eid": "sec_1"}, "invalid"),
        ({"topic_id": 1, "label_id": 1}, "invalid"),
        ({"topic_id": 999_999}, "unknown_topic"),
        ({"work_id": 999_999}, "invalid"),
        ({"label_id": 999_999}, "invalid"),
        ({"notebook_id": 999_999}, "invalid"),
        ({"table_id": 999_999}, "invalid"),
        ({"search": {"query": " "}}, "invalid"),
        ({"search": {"query": "x", "topic_id": 999_999}}, "invalid"),
        ({"search": {"query": "x", "label_ids": [999_999]}}, "invalid"),
        ({"search": {"query": "x", "colour": "red"}}, "unknown_parameter"),
        ({"topic_id": 1, "how": "pigeon"}, "invalid"),
        ({"topic_id": 1, "how": "mail_now"}, "invalid"),
        ({"topic_id": 1, "person": 2}, "unknown_parameter"),
    ],
)
def test_what_cannot_be_watched_is_refused(client: APIClient, body: dict[str, Any], code: str) -> None:
    answer = post(client, body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert not Watch.objects.exists()


def test_a_provision_that_is_not_there_is_refused(client: APIClient, source: Source) -> None:
    for eid in ("sec_99", "../sec_1"):
        assert post(client, {"work_id": source.work_id, "eid": eid}).status_code == 400


def test_what_is_hidden_is_as_what_is_not_there(client: APIClient) -> None:
    topic = sealed()
    source = add_document("1. Seal\nIt is sealed.", title="Sealed Rules", kind="regulation", topic=topic)
    [label, _made] = naming.get_or_create_within([topic.pk], "Secrets", by="test")
    for field, value in (("work_id", source.work_id), ("label_id", label.pk), ("topic_id", topic.pk)):
        answers = [post(client, {field: one}).json() | {"instance": ""} for one in (value, 999_999)]
        assert answers[0] == answers[1]
        assert answers[0]["status"] == 400


def test_a_watch_of_what_is_not_seen_any_more_names_nothing(client: APIClient) -> None:
    topic = make_topic(name="Sealed")
    post(client, {"topic_id": topic.pk})
    post(client, {"search": {"query": "seal", "topic_id": topic.pk}})
    topic.open_to = OpenTo.MEMBERS
    topic.save()
    assert [(one["name"], one["url"]) for one in client.get(PATH).json()["results"]] == [(None, None)] * 2
    assert b"Sealed" not in client.get(reverse("watches")).content


def test_watches_are_of_people_and_each_has_their_own(client: APIClient, noa: User) -> None:
    watch_id = post(client, {"topic_id": first_topic().pk}).json()["id"]
    _key, plaintext = make_personal_key(noa, "program", with_rights=False, last_day=None)
    mine = APIClient(headers={"authorization": f"Api-Key {plaintext}"})
    assert mine.get(PATH).json()["count"] == 1
    for other in (APIClient(), client_with_key(), client_with_key(admin=True)):
        assert other.get(PATH).status_code in (401, 403)
        assert post(other, {"topic_id": first_topic().pk}).status_code in (401, 403)
    dan = APIClient()
    dan.force_login(person("dan"))
    assert dan.delete(f"{PATH}/{watch_id}").status_code == 404
    assert dan.get(PATH).json()["count"] == 0


def test_there_is_an_end_to_what_one_person_watches(client: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MAX_WATCHES", 3)
    monkeypatch.setattr(SearchWatchKind, "most", 1)
    answers = [post(client, {"search": {"query": query}}).status_code for query in ("one", "two")]
    answers += [post(client, {"topic_id": make_topic().pk}).status_code for _ in range(3)]
    assert answers == [201, 400, 201, 201, 400]
