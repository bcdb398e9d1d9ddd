"""`/admin/kb/topics`: who may make and edit topics, and what of them."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from kb_project.configuration.roles import REVIEWER
from kb_project.models import AuditEntry
from tests.factories import make_source, make_staff, make_topic
from tests.topics.keys import client_with_key
from topics.models import Topic

pytestmark = pytest.mark.django_db
PATH = "/admin/kb/topics"
NASTY = 'ביטוח \u200f<script>"A&B\'s"</script>'


@pytest.fixture
def client() -> APIClient:
    return client_with_key(admin=True)


def post(client: APIClient, **fields: Any) -> Any:
    return client.post(PATH, fields, format="json")


def patch(client: APIClient, topic_id: object, **fields: Any) -> Any:
    return client.patch(f"{PATH}/{topic_id}", fields, format="json")


def test_a_topic_is_made_read_and_listed(client: APIClient) -> None:
    response = post(client, name=NASTY, slug="tax", system_prompt_addendum=" In Hebrew.\n")
    assert response.status_code == 201
    made = response.json()
    assert made == {
        "id": made["id"],
        "name": NASTY,
        "slug": "tax",
        "sources": 0,
        "system_prompt_addendum": " In Hebrew.\n",
        "open_to": "everybody",
    }
    make_source(topic=Topic.objects.get(pk=made["id"]))
    assert client.get(f"{PATH}/{made['id']}").json() == {**made, "sources": 1}
    page = client.get(PATH, {"limit": 1, "offset": 1}).json()
    assert (page["count"], page["results"]) == (2, [{**made, "sources": 1}])
    assert AuditEntry.objects.get(action="topic.create").by == "Api-Key test"


def test_a_patch_changes_only_what_it_names(client: APIClient) -> None:
    topic = make_topic(slug="tax", name="Tax")
    response = patch(client, topic.pk, slug="taxes")
    assert response.status_code == 200
    assert (response.json()["name"], response.json()["slug"]) == ("Tax", "taxes")
    assert patch(client, topic.pk).json() == response.json()
    assert patch(client, topic.pk, system_prompt_addendum="x").json()["system_prompt_addendum"] == "x"


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"name": ""}, "invalid", "name"),
        ({"name": " \u200f "}, "invalid", "name"),
        ({"name": None}, "invalid", "name"),
        ({"name": 7}, "invalid", "name"),
        ({"name": "a\u0000b"}, "invalid", "name"),
        ({"name": "a\nb"}, "invalid", "name"),
        ({"name": "x" * 201}, "invalid", "name"),
        ({"slug": "a/b"}, "invalid", "slug"),
        ({"slug": "general"}, "invalid", "slug"),
        ({"slug": "x" * 51}, "invalid", "slug"),
        ({"system_prompt_addendum": "x" * 20_001}, "invalid", "system_prompt_addendum"),
        ({"system_prompt_addendum": None}, "invalid", "system_prompt_addendum"),
        ({"id": 9}, "unknown_parameter", "id"),
        ({"sources": 9}, "unknown_parameter", "sources"),
    ],
)
def test_what_cannot_be_is_refused_by_field(client: APIClient, fields: dict[str, Any], code: str, field: str) -> None:
    topic = make_topic()
    for response in (patch(client, topic.pk, **fields), post(client, **{"name": "n", "slug": "s", **fields})):
        assert (response.status_code, response.json()["code"]) == (400, code)
        assert list(response.json()["errors"]) == [field]
    assert Topic.objects.count() == 2


def test_a_slug_that_another_topic_once_had_is_refused(client: APIClient) -> None:
    assert patch(client, 1, slug="renamed").status_code == 200
    response = post(client, name="New", slug="general")
    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert "once had this slug" in response.json()["errors"]["slug"][0]


@pytest.mark.parametrize("topic_id", ["999", "9" * 30, "x", "-1", "1%00"])
def test_what_is_no_topic_is_404(client: APIClient, topic_id: str) -> None:
    assert client.get(f"{PATH}/{topic_id}").status_code == 404
    assert patch(client, topic_id, name="x").status_code == 404


def test_a_pinned_key_sees_and_edits_its_own_topic_alone() -> None:
    topic = make_topic(slug="mine")
    pinned = client_with_key(admin=True, topic=topic)
    assert [row["slug"] for row in pinned.get(PATH).json()["results"]] == ["mine"]
    assert patch(pinned, topic.pk, name="Mine").json()["name"] == "Mine"
    for other in (1, 999):
        assert pinned.get(f"{PATH}/{other}").status_code == 403
        assert patch(pinned, other, name="x").status_code == 403
    assert post(pinned, name="New", slug="new").status_code == 403
    assert Topic.objects.count() == 2


def test_making_and_editing_is_for_managers() -> None:
    assert APIClient().get(PATH).status_code == 401
    assert client_with_key().get(PATH).status_code == 403
    reviewer = APIClient()
    reviewer.force_login(make_staff(role=REVIEWER))
    assert reviewer.get(f"{PATH}/1").status_code == 200
    assert post(reviewer, name="New", slug="new").status_code == 403
    assert patch(reviewer, 1, name="x").status_code == 403
    manager = APIClient()
    manager.force_login(make_staff("miri"))
    assert post(manager, name="New", slug="new").status_code == 201
    assert AuditEntry.objects.get(action="topic.create").by == "miri"


def test_other_methods_and_parameters_are_refused(client: APIClient) -> None:
    assert client.delete(f"{PATH}/1").status_code == 405
    assert client.put(f"{PATH}/1", {}, format="json").status_code == 405
    assert client.get(PATH, {"topic_id": 1}).json()["code"] == "unknown_parameter"
    assert client.get(f"{PATH}/1", {"x": 1}).json()["code"] == "unknown_parameter"


def test_the_list_costs_the_same_however_many_topics_there_are(
    client: APIClient, django_assert_max_num_queries: Any
) -> None:
    Topic.objects.bulk_create(Topic(name=f"T{n}", slug=f"t-{n}") for n in range(30))
    client.get(PATH)  # notes the use of the key
    with django_assert_max_num_queries(3):
        assert len(client.get(PATH).json()["results"]) == 31
