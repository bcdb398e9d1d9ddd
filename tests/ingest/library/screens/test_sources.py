"""The library's list: finding and sorting sources, and what is to be checked."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from ingest.models import Similar
from labels import assign, naming
from sources.models import Source
from tests.factories import make_job, make_label, make_source, make_topic
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db


def listed(client: Client, **query: Any) -> list[int]:
    """The ids of the sources on the page, in its order."""
    answer = client.get(reverse("library"), query)
    assert answer.status_code == 200
    return [row.source.pk for row in answer.context["rows"]]


def url_of(source: Source, name: str = "library-source") -> str:
    return reverse(name, args=[source.pk])


def test_sources_are_listed_the_newest_first_with_their_labels(staff_client: Client) -> None:
    older, newer = make_source(title="Older", identifier="ID 1"), make_source(title="חוק")
    assign.add(older, [make_label("Rent")], by="test")
    assert listed(staff_client) == [newer.pk, older.pk]
    page = staff_client.get(reverse("library")).content.decode()
    for shown in ("2 sources", "<bdi>ID 1</bdi>", 'href="?label=rent" dir="auto">Rent</a>', url_of(newer)):
        assert shown in page


def test_each_filter_leaves_what_fits_and_they_hold_together(staff_client: Client) -> None:
    other = make_topic(name="Housing")
    law = make_source(title="Rent law", published_at="2020-05-01")
    tool = make_source(title="Rent tool", kind="tool", published_at="2021-05-01", topic=other)
    label = make_label("Rent")
    assign.add(tool, [label], by="test")
    assert listed(staff_client, topic=other.pk) == [tool.pk]
    assert listed(staff_client, kind="law") == [law.pk]
    assert listed(staff_client, label="rent") == [tool.pk]
    assert listed(staff_client, label_name="rENT") == [tool.pk]
    assert listed(staff_client, q="rent t") == [tool.pk]
    assert listed(staff_client, published_from="2020-05-02") == [tool.pk]
    assert listed(staff_client, published_to="2020-05-01") == [law.pk]
    assert listed(staff_client, published_from="2020-05-01", published_to="2020-05-01") == [law.pk]
    assert listed(staff_client, topic=other.pk, kind="law") == []


def test_each_column_sorts_both_ways_and_says_so(staff_client: Client) -> None:
    one = make_source(title="A", kind="tool", published_at="2020-05-01", pages=9)
    two = make_source(title="b", kind="law")
    three = make_source(title="ת", kind="circular", published_at="2021-05-01", pages=2)
    for sort, order in {
        "title": [one, two, three],
        "-title": [three, two, one],
        "kind": [three, two, one],
        "date": [one, three, two],
        "-date": [three, one, two],
        "indexed": [one, two, three],
        "-indexed": [three, two, one],
        "pages": [three, one, two],
        "-pages": [one, three, two],
    }.items():
        assert listed(staff_client, sort=sort) == [source.pk for source in order], sort
    page = staff_client.get("/library/?kind=law&sort=-date&page=1").content.decode()
    assert '<th scope="col" aria-sort="descending"><a href="?kind=law&amp;sort=date">Date</a></th>' in page
    assert '<th scope="col"><a href="?kind=law&amp;sort=title">Title</a></th>' in page
    assert '<option value="-date" selected>' in page
    assert listed(staff_client, sort="; drop table") == []


def test_what_is_to_be_checked_is_found_and_similar_ones_named(staff_client: Client) -> None:
    unread = make_source(title="Unread", published_at="2020-05-01", pages=3, unread_pages=[2])
    unknown = make_source(title="Unknown", published_at="2020-05-01", pages=3)
    undated = make_source(title="Undated", pages=3, unread_pages=[])
    first, second, third = (make_source(title=f"Twin {n}", published_at="2020-05-01") for n in (1, 2, 3))
    jobs = [make_job(source=source, status="done") for source in (first, second, third, unread)]
    Similar.objects.create(job=jobs[1], source=first, similarity=0.9)
    Similar.objects.create(job=jobs[2], other=jobs[1], similarity=0.8)
    Similar.objects.create(job=jobs[3], source=unread, similarity=1)  # it replaced that one
    assert listed(staff_client, check="unread") == [unread.pk]
    assert listed(staff_client, check="unknown") == [unknown.pk]
    assert listed(staff_client, check="no_date") == [undated.pk]
    assert listed(staff_client, check="similar") == [third.pk, second.pk, first.pk]
    rows = staff_client.get("/library/", {"check": "similar"}).context["rows"]
    assert [row.similar for row in rows] == [[second], [first, third], [second]]
    api = client_with_key(admin=True)
    for name, found in (("unread_pages", [unread]), ("no_date", [undated]), ("similar", [third, second, first])):
        answer = api.get("/admin/kb/sources", {name: "true"}).json()["results"]
        assert [one["id"] for one in answer] == [source.pk for source in found], name
        assert api.get("/admin/kb/sources", {name: "false"}).json()["count"] == 6 - len(found), name
        assert api.get("/kb/sources", {name: "true"}).json()["code"] == "unknown_parameter"


def test_a_merged_label_still_filters_by_its_old_address(staff_client: Client) -> None:
    source, label, target = make_source(), make_label("Rents"), make_label("Rent")
    assign.add(source, [label], by="test")
    naming.merge(label.pk, target.pk, by="test")
    assert listed(staff_client, label="rents") == [source.pk]


@pytest.mark.parametrize(
    "query",
    [
        {"kind": "poem"},
        {"topic": "999999"},
        {"topic": "x"},
        {"label": "nothing"},
        {"published_from": "yesterday"},
        {"published_from": "2021-01-02", "published_to": "2021-01-01"},
        {"q": "a\x00b"},
    ],
)
def test_a_filter_that_cannot_be_understood_is_said_and_shows_nothing(
    staff_client: Client, query: dict[str, str]
) -> None:
    make_source()
    assert listed(staff_client, **query) == []
    assert 'class="error"' in staff_client.get(reverse("library"), query).content.decode()


def test_list_comes_in_pages_with_the_same_number_of_queries(
    staff_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    label = make_label("Rent")
    for _number in range(55):
        assign.add(make_source(), [label], by="test")
    with django_assert_max_num_queries(14):
        assert len(listed(staff_client)) == 50
    assert len(listed(staff_client, page=2)) == 5
    assert len(listed(staff_client, page="nonsense")) == 50
