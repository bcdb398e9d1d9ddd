"""`/admin/kb/labels` and `/kb/labels`."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from kb_project.configuration.roles import MANAGER, REVIEWER
from kb_project.models import AuditEntry
from labels import assign
from labels.models import Label, LabelAlias
from tests.factories import first_topic, make_label, make_source, make_staff, make_topic
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db
LABELS = "/admin/kb/labels"


@pytest.fixture
def admin() -> APIClient:
    return client_with_key(admin=True)


@pytest.fixture
def used() -> dict[str, Any]:
    """`both` is on two sources of the first topic and one of another, `elsewhere` on one of the other."""
    other = make_topic()
    both, elsewhere, nowhere = make_label("both"), make_label("elsewhere"), make_label("nowhere")
    here = [make_source(), make_source()]
    there = make_source(topic=other)
    for source in here:
        assign.start_with(source, [both])
    assign.start_with(there, [both, elsewhere])
    return {"other": other, "both": both, "elsewhere": elsewhere, "nowhere": nowhere, "source": here[0]}


def counts(response: Any) -> dict[str, int]:
    assert response.status_code == 200, response.content
    return {label["slug"]: label["usage_count"] for label in response.json()["results"]}


def problem(response: Any, status: int) -> str:
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    return str(response.json()["code"])


def test_the_list_has_the_contracts_form_and_order(admin: APIClient, used: dict[str, Any]) -> None:
    LabelAlias.objects.create(label=used["both"], slug="all-of-it", name="All of it")
    page = admin.get(LABELS).json()
    assert page["count"] == 3
    assert page["results"][0] == {
        "id": used["both"].pk,
        "slug": "both",
        "name": "both",
        "usage_count": 3,
        "aliases": ["all-of-it"],
    }
    assert [label["slug"] for label in page["results"]] == ["both", "elsewhere", "nowhere"]
    assert counts(admin.get(LABELS, {"q": "WHERE"})) == {"elsewhere": 1, "nowhere": 0}
    assert counts(admin.get(LABELS, {"q": "all of"})) == {"both": 3}
    assert counts(admin.get(LABELS, {"q": ""})) == {"both": 3, "elsewhere": 1, "nowhere": 0}
    assert counts(admin.get(LABELS, {"limit": 1, "offset": 1})) == {"elsewhere": 1}


def test_a_topic_narrows_the_list_to_labels_in_use_there(admin: APIClient, used: dict[str, Any]) -> None:
    assert counts(admin.get(LABELS, {"topic_id": 1})) == {"both": 3}
    assert counts(admin.get(LABELS, {"topic_id": used["other"].pk, "q": "else"})) == {"elsewhere": 1}
    assert problem(admin.get(LABELS, {"topic_id": 999}), 400) == "unknown_topic"


def test_a_pinned_key_sees_the_counts_of_its_topic_everywhere(used: dict[str, Any]) -> None:
    pinned = client_with_key(admin=True, topic=first_topic())
    assert counts(pinned.get(LABELS)) == {"both": 2}
    assert counts(pinned.get(LABELS, {"topic_id": 1})) == {"both": 2}
    assert problem(pinned.get(LABELS, {"topic_id": used["other"].pk}), 403) == "permission_denied"
    assert pinned.get(f"{LABELS}/{used['both'].pk}").json()["usage_count"] == 2
    assert pinned.post(LABELS, {"name": "Both"}, format="json").json()["usage_count"] == 2
    assert counts(pinned.get("/kb/labels")) == {"both": 2}
    for path in ("/kb/sources", f"/kb/sources/{used['source'].pk}"):
        answer = pinned.get(path).json()
        source = answer["results"][0] if "results" in answer else answer
        assert [label["usage_count"] for label in source["labels"]] == [2]
    assert client_with_key().get("/kb/sources").json()["results"][0]["labels"][0]["usage_count"] == 3


def test_public_list_has_labels_in_use_with_counts_of_the_topic(client: Client, used: dict[str, Any]) -> None:
    assert counts(client.get("/kb/labels")) == {"both": 3, "elsewhere": 1}
    assert counts(client.get("/kb/labels", {"topic_id": 1})) == {"both": 2}
    assert counts(client.get("/kb/labels", {"topic_id": used["other"].pk})) == {"both": 1, "elsewhere": 1}
    page = client.get("/kb/labels", {"topic_id": used["other"].pk, "limit": 1, "offset": 1})
    assert (counts(page), page.json()["count"]) == ({"elsewhere": 1}, 2)
    assert problem(client.get("/kb/labels", {"topic_id": 999}), 400) == "unknown_topic"
    assert problem(client.get("/kb/labels", {"q": "b"}), 400) == "unknown_parameter"
    assert problem(client.get("/kb/labels", {"limit": 0}), 400) == "invalid"


def test_a_new_name_is_201_and_a_known_one_200_with_its_label(admin: APIClient) -> None:
    made = admin.post(LABELS, {"name": " ביטוח  חיים "}, format="json")
    assert (made.status_code, made.json()["name"], made.json()["slug"]) == (201, "ביטוח חיים", "byttvch-chyym")
    again = admin.post(LABELS, {"name": "ביטוח-חיים"}, format="json")
    assert (again.status_code, again.json()) == (200, made.json())
    LabelAlias.objects.create(label_id=made.json()["id"], slug="life-insurance", name="Life insurance")
    alias = admin.post(LABELS, {"name": "Life Insurance"}, format="json")
    assert (alias.status_code, alias.json()["slug"]) == (200, "byttvch-chyym")
    assert AuditEntry.objects.get(action="label.create").by == "Api-Key test"


@pytest.mark.parametrize(
    "sent", [{}, {"name": ""}, {"name": " "}, {"name": None}, {"name": 7}, {"name": "\0"}, {"name": "x" * 121}, []]
)
def test_a_name_that_is_none_is_refused(admin: APIClient, sent: Any) -> None:
    assert problem(admin.post(LABELS, sent, format="json"), 400) == "invalid"
    assert not Label.objects.exists()


def test_a_field_that_is_not_there_is_refused(admin: APIClient) -> None:
    assert problem(admin.post(LABELS, {"name": "a", "slug": "b"}, format="json"), 400) == "unknown_parameter"


def test_a_label_is_shown_renamed_and_deleted(admin: APIClient) -> None:
    label = make_label("ביטוח")
    path = f"{LABELS}/{label.pk}"
    assert admin.get(path).json()["slug"] == "byttvch"
    renamed = admin.patch(path, {"name": "Insurance"}, format="json")
    assert (renamed.status_code, renamed.json()["slug"], renamed.json()["aliases"]) == (200, "insurance", ["byttvch"])
    make_label("Assurance")
    refused = admin.patch(path, {"name": "assurance"}, format="json")
    assert problem(refused, 400) == "invalid"
    assert list(refused.json()["errors"]) == ["name"]
    assert problem(admin.patch(path, {}, format="json"), 400) == "invalid"
    assert admin.delete(path).status_code == 204
    assert problem(admin.delete(path), 404) == "not_found"
    assert problem(admin.get(path), 404) == "not_found"
    assert problem(admin.patch(path, {"name": "x"}, format="json"), 404) == "not_found"
    assert problem(admin.get(f"{LABELS}/{10**30}"), 404) == "not_found"
    assert problem(admin.get(f"{LABELS}/x"), 404) == "not_found"


def test_a_label_in_use_is_409(admin: APIClient, used: dict[str, Any]) -> None:
    refused = admin.delete(f"{LABELS}/{used['both'].pk}")
    assert problem(refused, 409) == "label_in_use"
    assert refused.json()["usage_count"] == 3


def test_a_merge_is_seen_before_it_is_done(admin: APIClient, used: dict[str, Any]) -> None:
    path = f"{LABELS}/{used['elsewhere'].pk}/merge"
    seen = admin.get(path, {"target_id": used["both"].pk}).json()
    assert (seen["label"]["slug"], seen["target"]["slug"]) == ("elsewhere", "both")
    assert (seen["moving"], seen["already"], seen["aliases"]) == (0, 1, ["elsewhere"])
    merged = admin.post(path, {"target_id": used["both"].pk}, format="json")
    assert merged.status_code == 200
    assert merged.json() == {
        "id": used["both"].pk,
        "slug": "both",
        "name": "both",
        "usage_count": 3,
        "aliases": ["elsewhere"],
    }
    assert problem(admin.post(path, {"target_id": used["both"].pk}, format="json"), 404) == "not_found"
    assert problem(admin.get("/kb/sources", {"label_id": used["elsewhere"].pk}), 400) == "invalid"
    by_old_name = admin.post(LABELS, {"name": "Elsewhere"}, format="json")
    assert (by_old_name.status_code, by_old_name.json()["slug"]) == (200, "both")


def test_a_merge_into_itself_is_400_and_into_nothing_404(admin: APIClient) -> None:
    label = make_label("a")
    path = f"{LABELS}/{label.pk}/merge"
    for send in (lambda data: admin.get(path, data), lambda data: admin.post(path, data, format="json")):
        assert problem(send({"target_id": label.pk}), 400) == "invalid"
        assert problem(send({"target_id": label.pk + 1}), 404) == "not_found"
        assert problem(send({}), 400) == "invalid"
        assert problem(send({"target_id": "x"}), 400) == "invalid"
        assert problem(send({"target_id": 1, "x": 1}), 400) == "unknown_parameter"


def test_near_duplicates_are_listed_with_their_reason(admin: APIClient) -> None:
    for name in ("תקנה", "תקנות", "אחר"):
        make_label(name)
    page = admin.get(f"{LABELS}/near-duplicates").json()
    assert page["count"] == 1
    (pair,) = page["results"]
    assert (pair["first"]["name"], pair["second"]["name"], pair["reason"]) == ("תקנה", "תקנות", "forms")


def test_who_may_do_what() -> None:
    label, other = make_label("label"), make_label("other")
    assign.add(make_source(), [label], by="test")
    path = f"{LABELS}/{label.pk}"

    def statuses(caller: APIClient) -> list[int]:
        answers = [
            caller.get(LABELS),
            caller.get(path),
            caller.get(f"{LABELS}/near-duplicates"),
            caller.post(LABELS, {"name": "label"}, format="json"),
            caller.patch(path, {"name": "Label"}, format="json"),
            caller.get(f"{path}/merge", {"target_id": other.pk}),
            caller.post(f"{path}/merge", {"target_id": label.pk}, format="json"),
            caller.delete(f"{LABELS}/0"),
        ]
        return [answer.status_code for answer in answers]

    def staff(username: str, role: str | None) -> APIClient:
        caller = APIClient()
        caller.force_authenticate(make_staff(username, role=role))
        return caller

    everything = [200, 200, 200, 200, 200, 200, 400, 404]
    assert statuses(staff("manager", MANAGER)) == statuses(client_with_key(admin=True)) == everything
    assert statuses(staff("reviewer", REVIEWER)) == [200, 200, 200, 200, 200, 403, 403, 403]
    pinned = client_with_key(admin=True, topic=first_topic())
    assert statuses(pinned) == [200, 200, 200, 200, 403, 403, 403, 403]
    assert statuses(staff("none", None)) == statuses(client_with_key()) == [403] * 8
    assert statuses(APIClient()) == [401] * 8


def test_the_number_of_queries_does_not_grow_with_the_labels(admin: APIClient) -> None:
    source = make_source()

    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert admin.get(path).status_code == 200
        return len(captured)

    paths = [LABELS, f"{LABELS}?q=label", f"{LABELS}?topic_id=1", "/kb/labels", "/kb/labels?topic_id=1"]
    assign.start_with(source, [make_label("label one")])
    queries(LABELS)  # notes the use of the key
    few = [queries(path) for path in paths]
    labels = [make_label(f"label {number}") for number in range(20)]
    for label in labels:
        LabelAlias.objects.create(label=label, slug=f"alias-{label.slug}", name="alias")
    assign.start_with(source, labels)
    assert [queries(path) for path in paths] == few
