"""`GET /kb/topics` lists the topics that the caller may see, with their number of sources."""

import urllib.error
import urllib.request
from typing import Any

import pytest
from rest_framework.test import APIClient

from sources.models import Source
from tests.topics.keys import authorization, client_with_key
from topics.keys import issue_key
from topics.models import Topic

pytestmark = pytest.mark.django_db


@pytest.fixture
def insurance() -> Topic:
    topic = Topic.objects.create(name="ביטוח", slug="insurance", system_prompt_addendum="Only for answers.")
    Source.objects.create(topic=topic, kind="law", title="One")
    Source.objects.create(topic=topic, kind="circular", title="Two")
    return topic


def test_topics_have_the_contract_s_fields(insurance: Topic) -> None:
    page = APIClient().get("/kb/topics").json()
    assert page["count"] == Topic.objects.count()
    rows = {row["slug"]: row for row in page["results"]}
    assert rows["insurance"] == {"id": insurance.pk, "name": "ביטוח", "slug": "insurance", "sources": 2}


def test_the_first_topic_is_seeded() -> None:
    first = APIClient().get("/kb/topics").json()["results"][0]
    assert first["id"] == 1
    assert first["sources"] == 0


def test_a_new_topic_gets_another_id() -> None:
    assert Topic.objects.create(name="Next", slug="next").pk > 1


def test_a_pinned_key_lists_only_its_topic(insurance: Topic) -> None:
    page = client_with_key(topic=insurance).get("/kb/topics").json()
    assert [row["slug"] for row in page["results"]] == ["insurance"]


def test_parameters_that_do_not_exist_are_refused() -> None:
    assert APIClient().get("/kb/topics?topic=1").json()["code"] == "unknown_parameter"
    assert APIClient().get("/kb/topics?limit=201").json()["code"] == "invalid"


def test_the_list_costs_the_same_however_many_topics_there_are(django_assert_num_queries: Any) -> None:
    Topic.objects.bulk_create(Topic(name=f"T{n}", slug=f"t-{n}") for n in range(30))
    with django_assert_num_queries(2):
        APIClient().get("/kb/topics")


def test_changing_topics_is_not_public() -> None:
    for method in ("post", "put", "patch", "delete"):
        assert getattr(APIClient(), method)("/kb/topics").status_code == 405


@pytest.mark.django_db(transaction=True)
def test_a_real_server_gives_the_same_answer(live_server: Any) -> None:
    _key, plaintext = issue_key(name="real", by="tests")
    headers = {"Authorization": authorization(plaintext)["HTTP_AUTHORIZATION"]}
    request = urllib.request.Request(f"{live_server.url}/kb/topics", headers=headers)
    with urllib.request.urlopen(request) as response:
        assert response.status == 200
        assert response.headers["Content-Type"] == "application/json"
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{live_server.url}/kb/topics?nope=%00%FF")
    assert refused.value.code == 400
    assert refused.value.headers["Content-Type"] == "application/problem+json"
