"""`/admin/kb/synonyms`: listing, making, changing and deleting, within what the caller may see."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from kb_project.models import AuditEntry
from search.models import Synonym
from search.synonyms import editing
from tests.factories import make_topic
from tests.topics.keys import client_with_key
from topics.models import Topic

pytestmark = pytest.mark.django_db
PATH = "/admin/kb/synonyms"


@pytest.fixture
def key() -> APIClient:
    return client_with_key(admin=True)


@pytest.fixture
def mine() -> Topic:
    return make_topic(slug="mine")


def made(word: str, topic: Topic | None = None) -> Synonym:
    return editing.create(topic=topic, words=[word], means=["other"], by="test")


def words(answer: Any) -> list[str]:
    assert answer.status_code == 200
    return [row["words"][0] for row in answer.json()["results"]]


def test_entry_is_made_changed_and_deleted_and_audit_tells_it(key: APIClient) -> None:
    answer = key.post(PATH, {"words": ["sack", " sack ", "boot"], "means": ["dismissal"]}, format="json")
    assert answer.status_code == 201
    one = answer.json()
    assert one == {"id": one["id"], "topic_id": None, "words": ["sack", "boot"], "means": ["dismissal"], "weight": 0.6}
    changed = key.patch(f"{PATH}/{one['id']}", {"weight": 0}, format="json")
    assert (changed.status_code, changed.json()) == (200, {**one, "weight": 0})
    assert key.delete(f"{PATH}/{one['id']}").status_code == 204
    assert key.delete(f"{PATH}/{one['id']}").status_code == 404
    actions = AuditEntry.objects.filter(object_type="synonym").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["synonym.create", "synonym.edit", "synonym.delete"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"words": []}, "invalid"),
        ({"words": ["x"] * 21}, "invalid"),
        ({"words": ["x" * 101]}, "invalid"),
        ({"words": ["..."]}, "invalid"),
        ({"words": ["one, two"]}, "invalid"),
        ({"words": ["=1+1"]}, "invalid"),
        ({"words": ["nul\0"]}, "invalid"),
        ({"words": "sack"}, "invalid"),
        ({"means": [""]}, "invalid"),
        ({"weight": 1.5}, "invalid"),
        ({"weight": True}, "invalid"),
        ({"words": ["taken"]}, "invalid"),
        ({"topic_id": 999_999}, "unknown_topic"),
        ({"more": 1}, "unknown_parameter"),
    ],
)
def test_what_cannot_be_is_refused(key: APIClient, change: dict[str, Any], code: str) -> None:
    made("taken")
    answer = key.post(PATH, {"words": ["sack"], "means": ["dismissal"], **change}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert Synonym.objects.count() == 1


def test_the_list_is_of_a_topic_and_of_what_is_typed(key: APIClient, mine: Topic) -> None:
    made("common"), made("own_1", mine), made("elsewhere", make_topic(slug="other"))
    assert words(key.get(PATH)) == ["common", "own_1", "elsewhere"]
    assert words(key.get(PATH, {"topic_id": mine.pk})) == ["common", "own_1"]
    assert words(key.get(PATH, {"q": "N_1"})) == ["own_1"]
    assert words(key.get(PATH, {"q": "%"})) == []


def test_a_pinned_key_sees_its_topic_and_changes_nothing_of_all_topics(mine: Topic) -> None:
    common, hidden = made("common"), made("elsewhere", make_topic(slug="other"))
    key = client_with_key(admin=True, topic=mine)
    own = key.post(PATH, {"words": ["own"], "means": ["other"]}, format="json").json()
    assert own["topic_id"] == mine.pk
    assert words(key.get(PATH)) == ["common", "own"]
    for entry, status in ((common.pk, 403), (hidden.pk, 404), (own["id"], 200)):
        assert key.patch(f"{PATH}/{entry}", {"weight": 1}, format="json").status_code == status
    for entry, status in ((common.pk, 403), (hidden.pk, 404), (own["id"], 204)):
        assert key.delete(f"{PATH}/{entry}").status_code == status


def test_a_topic_has_so_many_and_no_more(key: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editing, "MAX_ENTRIES", 1)
    made("first")
    assert key.post(PATH, {"words": ["second"], "means": ["x"]}, format="json").status_code == 400
