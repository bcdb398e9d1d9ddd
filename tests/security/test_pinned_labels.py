"""To a key that is pinned to a topic, a label that its topic does not know is as unknown as none, on every path."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from rest_framework.test import APIClient

from ingest.job_states import JobStatus
from ingest.models import Job
from labels import assign, naming
from labels.models import Label
from tests.factories import LAW, make_job, make_label, make_source, make_topic
from tests.search.corpus import add_source
from tests.topics.keys import client_with_key
from topics.models import Topic

pytestmark = pytest.mark.django_db
NO_LABEL = 999_999


@pytest.fixture
def mine() -> Topic:
    return make_topic(slug="mine")


@pytest.fixture
def other() -> Topic:
    return make_topic(slug="other")


@pytest.fixture
def key(mine: Topic) -> APIClient:
    return client_with_key(admin=True, topic=mine)


@pytest.fixture
def hidden(other: Topic) -> Label:
    """A label that is in use in another topic only."""
    return used("Secret merger", other)


@pytest.fixture
def shared(mine: Topic, other: Topic) -> Label:
    label = used("Rent", mine)
    use(label, other)
    return label


def used(name: str, topic: Topic) -> Label:
    label = make_label(name)
    use(label, topic)
    return label


def use(label: Label, topic: Topic, times: int = 1) -> None:
    for _ in range(times):
        assign.add(make_source(topic=topic), [label], by="test")


def listed(key: APIClient, **query: Any) -> list[tuple[str, int]]:
    answer = key.get("/admin/kb/labels", query)
    assert answer.status_code == 200
    assert answer.json()["count"] == len(answer.json()["results"])
    return [(row["name"], row["usage_count"]) for row in answer.json()["results"]]


def told(answer: Any, asked: int | str) -> tuple[int, str]:
    """The whole answer but for what was asked about and the request's own id."""
    text = re.sub(r"urn:kb:request:\w+", "", answer.content.decode())
    return answer.status_code, re.sub(rf"(?<!\"status\": )\b{asked}\b", "ASKED", text)


def waiting(topic: Topic, **fields: Any) -> Job:
    key = f"inbox/{topic.slug}/law/{uuid4()}-law.txt"
    default_storage.save(key, ContentFile(LAW.encode()))
    return make_job(topic=topic, status=JobStatus.AWAITING_REVIEW, confirmed=None, file_key=key, **fields)


def commit(key: APIClient, job: Job, *labels: dict[str, Any]) -> Any:
    body = {"kind": "law", "title": "A law", "labels": labels}
    return key.post(f"/admin/kb/jobs/{job.pk}/commit", body, format="json")


def test_list_has_the_labels_of_its_topic_with_the_uses_there(
    key: APIClient, shared: Label, hidden: Label, other: Topic
) -> None:
    make_label("Made by somebody for no topic")
    assert listed(key) == [("Rent", 1)]
    assert listed(key, q="r") == [("Rent", 1)]
    assert listed(client_with_key(admin=True, topic=other)) == [("Rent", 1), ("Secret merger", 1)]
    assert len(listed(client_with_key(admin=True))) == 3


@pytest.mark.parametrize("typed", ["Secret merger", "secret", "erge", "secret-merger", "takeover"])
def test_typing_finds_no_label_of_another_topic(key: APIClient, hidden: Label, typed: str) -> None:
    former = make_label("Takeover")
    naming.merge(former.pk, hidden.pk, by="test")
    assert listed(key, q=typed) == []
    assert listed(client_with_key(admin=True), q=typed) == [("Secret merger", 1)]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("get", "/admin/kb/labels/{id}", None),
        ("patch", "/admin/kb/labels/{id}", {"name": "Other"}),
        ("delete", "/admin/kb/labels/{id}", None),
        ("get", "/admin/kb/labels/{id}/merge?target_id={known}", None),
        ("post", "/admin/kb/labels/{id}/merge", {"target_id": "{known}"}),
        ("get", "/admin/kb/labels/{known}/merge?target_id={id}", None),
        ("post", "/admin/kb/labels/{known}/merge", {"target_id": "{id}"}),
        ("get", "/admin/kb/sources?label_id={id}", None),
        ("get", "/kb/sources?label_id={id}", None),
        ("post", "/kb/search", {"query": "law", "label_id": "{id}"}),
        ("post", "/kb/ask", {"question": "law", "label_id": "{id}"}),
        ("post", "/kb/ask/stream", {"question": "law", "label_id": "{id}"}),
        ("patch", "/admin/kb/sources/{source}", {"label_ids": ["{id}"]}),
    ],
)
def test_no_path_tells_a_hidden_label_from_none(
    key: APIClient, mine: Topic, shared: Label, hidden: Label, method: str, path: str, body: dict[str, Any] | None
) -> None:
    source = make_source(topic=mine)

    def ask(client: APIClient, label_id: int) -> tuple[int, str]:
        ids = {"id": label_id, "known": shared.pk, "source": source.pk}

        def filled(value: Any) -> Any:
            if isinstance(value, list):
                return [filled(one) for one in value]
            return ids[value[1:-1]] if value in ("{id}", "{known}") else value

        data = {name: filled(value) for name, value in body.items()} if body else None
        sent = {} if method == "get" else {"data": data, "format": "json"}
        return told(getattr(client, method)(path.format(**ids), **sent), label_id)

    for client in (key,) if "/admin/" in path else (key, client_with_key(topic=mine)):
        assert ask(client, hidden.pk) == ask(client, NO_LABEL)
        assert ask(client, hidden.pk)[0] in (400, 403, 404)
    assert not source.labels.exists()
    assert Label.objects.filter(pk=hidden.pk, name="Secret merger").exists()


def test_a_label_of_its_topic_is_there_on_the_same_paths(key: APIClient, mine: Topic, shared: Label) -> None:
    source = make_source(topic=mine)
    assert key.get(f"/admin/kb/labels/{shared.pk}").json()["usage_count"] == 1
    assert key.get("/admin/kb/sources", {"label_id": shared.pk}).json()["count"] == 1
    roofs = add_source("A landlord repairs the roof.", topic=mine)
    assign.add(roofs, [shared], by="test")
    for client in (key, client_with_key(topic=mine)):
        found = client.post("/kb/search", {"query": "roof", "label_id": shared.pk}, format="json")
        assert [hit["source"]["id"] for hit in found.json()["results"]] == [roofs.pk]
        assert client.get("/kb/sources", {"label_id": shared.pk}).json()["count"] == 2
    changed = key.patch(f"/admin/kb/sources/{source.pk}", {"label_ids": [shared.pk]}, format="json")
    assert [label["usage_count"] for label in changed.json()["labels"]] == [3]


def test_everyone_else_is_told_empty_answer_from_unknown_label(hidden: Label) -> None:
    """Who sees every topic may know that a label is there; an admin key lists them all."""
    for client in (APIClient(), client_with_key(), client_with_key(admin=True)):
        statuses = [client.get("/kb/sources", {"label_id": pk}).status_code for pk in (hidden.pk, NO_LABEL)]
        assert statuses == [200, 400]


def test_near_duplicates_are_those_of_its_topic(key: APIClient, mine: Topic, other: Topic) -> None:
    for name, topic in (("insurance", mine), ("contract", mine), ("contracts", mine), ("insurances", other)):
        used(name, topic)
    pairs = key.get("/admin/kb/labels/near-duplicates").json()
    assert [(pair["first"]["name"], pair["second"]["name"]) for pair in pairs["results"]] == [("contract", "contracts")]
    assert pairs["count"] == 1
    assert client_with_key(admin=True).get("/admin/kb/labels/near-duplicates").json()["count"] == 2


@pytest.mark.parametrize("name", ["Secret merger", "A new one"])
def test_who_names_a_label_brings_it_into_the_topic(key: APIClient, hidden: Label, name: str) -> None:
    """Slugs are one for the whole service, so the label is shared; the answer is that of a new one."""
    made = key.post("/admin/kb/labels", {"name": name}, format="json")
    assert (made.status_code, made.json()["name"], made.json()["usage_count"]) == (201, name, 0)
    label_id = made.json()["id"]
    assert key.get(f"/admin/kb/labels/{label_id}").status_code == 200
    assert listed(key) == [(name, 0)]
    assert key.get("/kb/sources", {"label_id": label_id}).json()["count"] == 0
    again = key.post("/admin/kb/labels", {"name": name}, format="json")
    assert (again.status_code, again.json()["id"]) == (200, label_id)
    assert listed(client_with_key(admin=True, topic=make_topic())) == []


def test_a_label_of_elsewhere_tells_its_spelling_alone(
    key: APIClient, mine: Topic, hidden: Label, other: Topic
) -> None:
    naming.merge(used("Takeover", other).pk, hidden.pk, by="test")
    known, new = (
        key.post("/admin/kb/labels", {"name": name}, format="json") for name in ("secret-MERGER", "no-SECRET")
    )
    assert (known.status_code, known.json().keys()) == (new.status_code, new.json().keys())
    told_of = {"id": hidden.pk, "slug": "secret-merger", "name": "Secret merger"}
    assert known.json() == {**new.json(), **told_of}
    (label,) = commit(key, waiting(mine), {"name": "SECRET merger"}).json()["confirmed"]["labels"]
    assert label == {"slug": "secret-merger", "name": "Secret merger"}


def test_a_commit_by_slug_takes_the_labels_of_the_topic_alone(
    key: APIClient, mine: Topic, shared: Label, hidden: Label
) -> None:
    job = waiting(mine)
    answers = [told(commit(key, job, {"slug": slug}), slug) for slug in (hidden.slug, "there-is-none")]
    assert answers[0] == answers[1]
    assert answers[0][0] == 400
    assert commit(key, job, {"slug": shared.slug}).status_code == 202


def test_a_label_that_a_commit_named_is_known_before_its_source_is_there(key: APIClient, mine: Topic) -> None:
    answer = commit(key, waiting(mine), {"name": "New in here"})
    (label,) = answer.json()["confirmed"]["labels"]
    assert commit(key, waiting(mine), {"slug": label["slug"]}).status_code == 202
    assert listed(key) == [("New in here", 0)]


def test_a_person_may_commit_any_label(staff_client: Any, mine: Topic, hidden: Label, key: APIClient) -> None:
    job = waiting(mine)
    body = {"kind": "law", "title": "A law", "labels": [{"slug": hidden.slug}]}
    path = f"/admin/kb/jobs/{job.pk}/commit"
    assert staff_client.post(path, body, content_type="application/json").status_code == 202
    assert listed(key) == [("Secret merger", 0)]


def test_no_proposal_shows_a_label_of_another_topic(key: APIClient, mine: Topic, shared: Label, hidden: Label) -> None:
    proposed = [
        {"slug": shared.slug, "name": shared.name, "existing": True},
        {"slug": hidden.slug, "name": hidden.name, "existing": True},
        {"slug": "brand-new", "name": "Brand new", "existing": False},
    ]
    job = waiting(mine, ai_suggestions={"title": "A law", "labels": proposed}, batch_id=uuid4())
    shown = {
        "one": key.get(f"/admin/kb/jobs/{job.pk}").json(),
        "list": key.get("/admin/kb/jobs").json()["results"][0],
        "batch": key.get(f"/admin/kb/batch/{job.batch_id}").json()["jobs"][0],
        "committed": commit(key, job).json(),
    }
    for where, row in shown.items():
        assert [label["slug"] for label in row["ai_suggestions"]["labels"]] == [shared.slug, "brand-new"], where
        assert row["ai_suggestions"]["title"] == "A law"
    everything = client_with_key(admin=True).get(f"/admin/kb/jobs/{job.pk}").json()
    assert everything["ai_suggestions"]["labels"] == proposed


def test_a_merge_takes_the_topics_along(key: APIClient, mine: Topic, hidden: Label) -> None:
    made = key.post("/admin/kb/labels", {"name": "Takeover"}, format="json").json()
    key.post("/admin/kb/labels", {"name": "Stays"}, format="json")
    assert ("Takeover", 0) in listed(key)
    naming.merge(made["id"], hidden.pk, by="test")
    assert listed(key) == [("Secret merger", 0), ("Stays", 0)]
    naming.merge(Label.objects.get(name="Stays").pk, hidden.pk, by="test")
    assert listed(key) == [("Secret merger", 0)]


def test_another_name_that_a_label_has_elsewhere_is_not_told(
    key: APIClient, mine: Topic, other: Topic, shared: Label
) -> None:
    own, former = used("Lease", mine), used("Takeover", other)
    naming.merge(own.pk, shared.pk, by="test")
    naming.merge(former.pk, shared.pk, by="test")
    naming.rename(shared.pk, "Rents", by="test")  # known to both by what it was called

    def aliases(client: APIClient) -> list[str]:
        return sorted(client.get(f"/admin/kb/labels/{shared.pk}").json()["aliases"])

    assert aliases(key) == ["lease", "rent"]
    assert aliases(client_with_key(admin=True, topic=other)) == ["rent", "takeover"]
    assert aliases(client_with_key(admin=True)) == ["lease", "rent", "takeover"]
    assert [listed(key, q=typed) for typed in ("lease", "takeover")] == [[("Rents", 2)], []]
    refused = [told(commit(key, waiting(mine), {"slug": slug}), slug)[0] for slug in ("takeover", "no-such")]
    assert refused == [400, 400]
    assert commit(key, waiting(mine), {"slug": "lease"}).status_code == 202


@pytest.mark.parametrize("path", ["label", "commit"])
def test_a_name_that_leads_elsewhere_makes_a_label_of_its_own(
    key: APIClient, mine: Topic, hidden: Label, other: Topic, path: str
) -> None:
    naming.merge(used("Takeover", other).pk, hidden.pk, by="test")
    if path == "label":
        made = key.post("/admin/kb/labels", {"name": "Takeover"}, format="json")
        assert (made.status_code, made.json()["name"]) == (201, "Takeover")
    else:
        (label,) = commit(key, waiting(mine), {"name": "Takeover"}).json()["confirmed"]["labels"]
        assert label == {"slug": "takeover", "name": "Takeover"}
    assert listed(key) == [("Takeover", 0)]
    assert naming.find("takeover") != hidden


def test_the_order_of_labels_does_not_follow_hidden_counts(key: APIClient, mine: Topic, other: Topic) -> None:
    quiet, busy, elsewhere = make_label("aa quiet"), make_label("ab busy"), make_label("ac elsewhere")
    use(quiet, mine, 2)
    use(busy, mine, 1)
    use(busy, other, 5)
    use(elsewhere, other, 9)
    for query in ({}, {"q": "a"}):
        shown = [(row["name"], row["usage_count"]) for row in key.get("/admin/kb/labels", query).json()["results"]]
        assert shown == [("aa quiet", 2), ("ab busy", 1)]
    everything = client_with_key(admin=True).get("/admin/kb/labels").json()["results"]
    assert [row["name"] for row in everything] == ["ac elsewhere", "ab busy", "aa quiet"]


def test_nor_does_the_order_of_near_duplicates(key: APIClient, mine: Topic, other: Topic) -> None:
    names = ("insurances", "insurance", "contracts", "contract")
    first, second, third, fourth = (make_label(name) for name in names)
    for label, times in ((first, 2), (second, 1), (third, 2), (fourth, 1)):
        use(label, mine, times)
    use(third, other, 7)
    use(second, other, 3)
    pairs = key.get("/admin/kb/labels/near-duplicates").json()["results"]
    assert [pair["first"]["name"] for pair in pairs] == ["insurances", "contracts"]
    use(fourth, other, 9)
    again = key.get("/admin/kb/labels/near-duplicates").json()["results"]
    assert [pair["first"]["name"] for pair in again] == ["insurances", "contracts"]
