"""Lists come in pages that never overlap; a page that cannot be is refused."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from kb_project.api.pagination import in_total_order
from topics.models import Topic

pytestmark = [pytest.mark.urls("tests.kb_project.api.probes"), pytest.mark.django_db]


@pytest.fixture
def many_topics() -> set[int]:
    Topic.objects.bulk_create(Topic(name=f"Name {n % 3}", slug=f"slug-{n}") for n in range(120))
    return set(Topic.objects.values_list("pk", flat=True))


def get(query: str = "") -> Any:
    return APIClient().get(f"/kb/pages{query}")


def test_a_page_has_the_contract_s_form(many_topics: set[int]) -> None:
    page = get().json()
    assert set(page) == {"count", "next", "previous", "results"}
    assert page["count"] == len(many_topics)
    assert len(page["results"]) == 50
    assert page["previous"] is None


def test_following_next_visits_every_row_once_though_the_order_has_ties(many_topics: set[int]) -> None:
    seen: list[int] = []
    url: str | None = "/kb/pages?limit=7"
    while url:
        page = APIClient().get(url).json()
        seen += [row["id"] for row in page["results"]]
        url = page["next"]
    assert len(seen) == len(many_topics)
    assert set(seen) == many_topics


def test_following_previous_leads_back_to_the_start(many_topics: set[int]) -> None:
    page = get("?limit=50&offset=100").json()
    assert len(page["results"]) == len(many_topics) - 100
    assert page["next"] is None
    page = APIClient().get(page["previous"]).json()
    assert APIClient().get(page["previous"]).json()["previous"] is None


@pytest.mark.parametrize("query", ["?limit=1", "?limit=200", "?offset=2147483647", "?limit=200&offset=0"])
def test_the_limits_themselves_are_allowed(query: str) -> None:
    assert get(query).status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=ten",
        "limit=",
        "limit=1.5",
        "limit=5&limit=6",
        "limit=99999999999999999999",
        "offset=-1",
        "offset=2147483648",
        "offset=x",
        "offset=",
        "offset=9223372036854775808",
    ],
)
def test_out_of_range_is_refused_not_bent(query: str) -> None:
    response = get(f"?{query}")
    assert response.status_code == 400
    assert query.partition("=")[0] in response.json()["errors"]


def test_an_offset_beyond_the_end_is_an_empty_page() -> None:
    page = get("?offset=1000").json()
    assert (page["results"], page["next"]) == ([], None)


def test_ties_are_broken_in_the_direction_of_the_first_field() -> None:
    assert list(in_total_order(Topic.objects.order_by("-name")).query.order_by) == ["-name", "-pk"]
    assert list(in_total_order(Topic.objects.order_by("name")).query.order_by) == ["name", "pk"]
    assert list(in_total_order(User.objects.all()).query.order_by) == ["pk"]


def test_an_order_that_is_total_is_left_alone() -> None:
    assert list(in_total_order(Topic.objects.order_by("-id")).query.order_by) == ["-id"]
    assert list(in_total_order(Topic.objects.all()).query.order_by) == []
