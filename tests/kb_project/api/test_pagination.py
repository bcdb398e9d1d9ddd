"""Lists come in pages that never overlap; a page that cannot be is refused."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from kb_project.api.pagination import Cursor, in_total_order
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


def walked(url: str, *, by: str = "next", between: Callable[[], object] = lambda: None) -> list[int]:
    """The ids of all pages from this one on. `between` is done before each further page."""
    seen: list[int] = []
    following: str | None = url
    while following:
        page = APIClient().get(following).json()
        ids = [row["id"] for row in page["results"]]
        seen = seen + ids if by == "next" else ids + seen
        following = page[by]
        between()
    return seen


def test_pages_neither_repeat_nor_leave_out_what_stays_while_others_come_and_go(many_topics: set[int]) -> None:
    going = iter(sorted(many_topics)[1::2])
    came: list[int] = []

    def meanwhile() -> None:
        Topic.objects.filter(pk__in=[next(going, None), next(going, None)]).delete()
        came.append(Topic.objects.create(name=f"Name {len(came) % 4}", slug=f"new-{len(came)}").pk)

    seen = walked("/kb/pages?limit=7", between=meanwhile)
    there = [pk for pk in Topic.objects.order_by("-name", "-pk").values_list("pk", flat=True) if pk not in came]
    assert len(came) > 10
    assert len(seen) == len(set(seen))
    assert [pk for pk in seen if pk in there] == there


def test_the_row_that_a_page_begins_behind_may_be_gone(many_topics: set[int]) -> None:
    order = list(Topic.objects.order_by("-name", "-pk").values_list("pk", flat=True))
    page = get("?limit=5").json()
    Topic.objects.filter(pk__in=order[3:6]).delete()
    following = APIClient().get(page["next"]).json()
    assert [row["id"] for row in following["results"]] == order[6:11]
    assert following["count"] == len(many_topics) - 3
    assert walked(following["previous"], by="previous") == order[:3]


def test_both_ways_lead_through_the_same_rows(many_topics: set[int]) -> None:
    order = list(Topic.objects.order_by("-name", "-pk").values_list("pk", flat=True))
    for limit in (1, 7, 60, 200):
        last = get(f"?limit={limit}&offset=1000").json()
        assert (last["results"], last["next"]) == ([], None)
        assert walked(last["previous"], by="previous") == order
    middle = get("?limit=7&offset=10").json()
    assert [row["id"] for row in middle["results"]] == order[10:17]
    assert walked(middle["next"]) == order[17:]
    assert walked(middle["previous"], by="previous") == order[:10]
    assert "offset" not in middle["next"]


def test_behind_the_end_the_way_back_is_open(many_topics: set[int]) -> None:
    order = list(Topic.objects.order_by("-name", "-pk").values_list("pk", flat=True))
    page = get(f"?limit={len(order) - 2}").json()
    Topic.objects.filter(pk__in=order[-2:]).delete()
    empty = APIClient().get(page["next"]).json()
    assert (empty["results"], empty["next"]) == ([], None)
    assert walked(empty["previous"], by="previous") == order[:-2]


def test_a_damaged_cursor_is_refused_with_a_sentence(many_topics: set[int]) -> None:
    cursor = parse_qs(urlsplit(get("?limit=5").json()["next"]).query)["cursor"][0]
    assert get(f"?cursor={quote(cursor)}").status_code == 200
    damaged = [cursor[:-1], cursor[1:], cursor + "x", cursor.upper(), cursor.replace(":", ""), "x", "א:ב", "a:b:c", ""]
    damaged.append(cursor[:10] + ("a" if cursor[10] != "a" else "b") + cursor[11:])
    damaged.append(Cursor([1]).written("topics.Topic:-pk"))  # of another order
    damaged.append("x" * 4001)
    for text in damaged:
        response = get(f"?cursor={quote(text)}")
        assert response.status_code == 400, text
        assert response.json()["code"] == "invalid"
        assert list(response.json()["errors"]) == ["cursor"]
    assert "damaged" in get(f"?cursor={quote(damaged[0])}").json()["detail"]


def test_a_cursor_and_an_offset_contradict_each_other(many_topics: set[int]) -> None:
    response = get(f"?offset=0&cursor={quote(parse_qs(urlsplit(get('?limit=5').json()['next']).query)['cursor'][0])}")
    assert response.status_code == 400
    assert "not both" in response.json()["detail"]


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
