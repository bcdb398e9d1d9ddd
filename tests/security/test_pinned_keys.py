"""A key that is pinned to a topic learns nothing of the others, not even that something is there."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from labels import assign
from labels.models import Label
from tests.factories import make_label, make_source, make_topic
from tests.search.corpus import add_source
from tests.topics.keys import client_with_key
from topics.models import Topic

pytestmark = pytest.mark.django_db
NO_LABEL = 999_999


@pytest.fixture
def mine() -> Topic:
    return make_topic(slug="mine")


@pytest.fixture
def hidden() -> Label:
    """A label that is in use in another topic only."""
    label = make_label("Secret merger")
    assign.add(make_source(topic=make_topic(slug="other")), [label], by="test")
    return label


def without_id(answer: Any) -> dict[str, Any]:
    return {name: value for name, value in answer.json().items() if name != "instance"}


@pytest.mark.parametrize("path", ["/kb/search", "/kb/ask", "/kb/ask/stream"])
def test_a_label_of_another_topic_is_as_unknown_as_none(mine: Topic, hidden: Label, path: str) -> None:
    client = client_with_key(topic=mine)
    answers = []
    for label_id in (hidden.pk, NO_LABEL):
        asked = {"query": "law", "question": "law"}
        body = {"query" if path == "/kb/search" else "question": asked["query"], "label_id": label_id}
        answers.append(client.post(path, body, format="json"))
    assert [answer.status_code for answer in answers] == [400, 400]
    assert without_id(answers[0]) == without_id(answers[1])


def test_nor_does_the_list_of_sources_tell(mine: Topic, hidden: Label) -> None:
    client = client_with_key(topic=mine)
    answers = [client.get("/kb/sources", {"label_id": label_id}) for label_id in (hidden.pk, NO_LABEL)]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert without_id(answers[0]) == without_id(answers[1])


def test_a_label_in_use_in_its_own_topic_is_known(mine: Topic) -> None:
    label = make_label("Rent")
    source = add_source("A landlord repairs the roof.", topic=mine)
    assign.add(source, [label], by="test")
    client = client_with_key(topic=mine)
    found = client.post("/kb/search", {"query": "roof", "label_id": label.pk}, format="json")
    assert [hit["source"]["id"] for hit in found.json()["results"]] == [source.pk]
    assert client.get("/kb/sources", {"label_id": label.pk}).json()["count"] == 1


def test_everyone_else_is_told_an_empty_answer_from_an_unknown_label(hidden: Label) -> None:
    """Who sees every topic may know that a label is there; an admin key lists them all."""
    for client in (APIClient(), client_with_key(), client_with_key(admin=True)):
        statuses = [client.get("/kb/sources", {"label_id": pk}).status_code for pk in (hidden.pk, NO_LABEL)]
        assert statuses == [200, 400]


def use(label: Label, topic: Topic, times: int) -> None:
    for _ in range(times):
        assign.add(make_source(topic=topic), [label], by="test")


def test_the_order_of_labels_does_not_follow_hidden_counts(mine: Topic) -> None:
    other = make_topic(slug="other")
    quiet, busy, elsewhere = make_label("aa quiet"), make_label("ab busy"), make_label("ac elsewhere")
    use(quiet, mine, 2)
    use(busy, mine, 1)
    use(busy, other, 5)
    use(elsewhere, other, 9)
    client = client_with_key(admin=True, topic=mine)
    for query in ({}, {"q": "a"}):
        shown = [(row["name"], row["usage_count"]) for row in client.get("/admin/kb/labels", query).json()["results"]]
        assert shown == [("aa quiet", 2), ("ab busy", 1)]
    everything = client_with_key(admin=True).get("/admin/kb/labels").json()["results"]
    assert [row["name"] for row in everything] == ["ac elsewhere", "ab busy", "aa quiet"]


def test_nor_does_the_order_of_near_duplicates(mine: Topic) -> None:
    other = make_topic(slug="other")
    names = ("insurances", "insurance", "contracts", "contract")
    first, second, third, fourth = (make_label(name) for name in names)
    for label, times in ((first, 2), (second, 1), (third, 2), (fourth, 1)):
        use(label, mine, times)
    use(third, other, 7)
    use(second, other, 3)
    pairs = client_with_key(admin=True, topic=mine).get("/admin/kb/labels/near-duplicates").json()["results"]
    assert [pair["first"]["name"] for pair in pairs] == ["insurances", "contracts"]
    use(fourth, other, 9)
    again = client_with_key(admin=True, topic=mine).get("/admin/kb/labels/near-duplicates").json()["results"]
    assert [pair["first"]["name"] for pair in again] == ["insurances", "contracts"]
