"""The library's list: finding sources, and labels for many."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from labels import assign, naming
from labels.models import Label
from sources.models import Source
from tests.factories import make_label, make_source, make_topic

pytestmark = pytest.mark.django_db


def listed(client: Client, **query: Any) -> list[int]:
    """The ids of the sources on the page, in its order."""
    answer = client.get(reverse("library"), query)
    assert answer.status_code == 200
    return [source.pk for source in answer.context["rows"]]


def url_of(source: Source, name: str = "library-source") -> str:
    return reverse(name, args=[source.pk])


def test_sources_are_listed_the_newest_first_with_their_labels(staff_client: Client) -> None:
    older, newer = make_source(title="Older", identifier="ID 1"), make_source(title="חוק", chunk_count=12)
    assign.add(older, [make_label("Rent")], by="test")
    assert listed(staff_client) == [newer.pk, older.pk]
    page = staff_client.get(reverse("library")).content.decode()
    for shown in ("2 sources", "<bdi>ID 1</bdi>", 'href="?label=rent" dir="auto">Rent</a>', url_of(newer), " 12</td>"):
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


def test_the_list_comes_in_pages_with_the_same_number_of_queries(
    staff_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    label = make_label("Rent")
    for _number in range(55):
        assign.add(make_source(), [label], by="test")
    with django_assert_max_num_queries(9):
        assert len(listed(staff_client)) == 50
    assert len(listed(staff_client, page=2)) == 5
    assert len(listed(staff_client, page="nonsense")) == 50


def change_labels(client: Client, action: str, sources: list[Source | int], labels: list[str], **more: str) -> str:
    ids = [source if isinstance(source, int) else source.pk for source in sources]
    sent = {"action": action, "sources": ids, "labels": labels, "next": "/library/?kind=law", **more}
    answer = client.post(reverse("library-labels"), sent)
    assert answer.headers["Location"] == "/library/?kind=law"
    return client.get("/library/").content.decode()


def test_labels_are_put_on_many_and_it_is_said_how_many_changed(staff_client: Client) -> None:
    first, second, third = make_source(), make_source(), make_source()
    rent = make_label("Rent")
    assign.add(first, [rent], by="test")
    page = change_labels(staff_client, "add", [first, second, 999_999], ["slug:rent"])
    assert "1 source was changed. 1 was so already. 1 is not there any more." in page
    page = change_labels(staff_client, "add", [first, third], [], more_labels="Deposit, פיקדון")
    assert "2 sources were changed." in page
    assert sorted(label.name for label in third.labels.all()) == ["Deposit", "פיקדון"]
    rent.refresh_from_db()
    assert rent.usage_count == 2


def test_labels_are_taken_off_many(staff_client: Client) -> None:
    first, second = make_source(), make_source()
    rent = make_label("Rent")
    assign.add(first, [rent], by="test")
    page = change_labels(staff_client, "remove", [first, second], ["slug:rent", "name:No such label"])
    assert "1 source was changed. 1 was so already." in page
    rent.refresh_from_db()
    assert rent.usage_count == 0
    assert Label.objects.count() == 1


def test_nothing_selected_no_label_or_one_that_is_gone_changes_nothing(staff_client: Client) -> None:
    source = make_source()
    assert "No sources were selected." in change_labels(staff_client, "add", [], ["slug:rent"])
    assert "Choose a label first." in change_labels(staff_client, "add", [source], [])
    assert "There is no label “gone”." in change_labels(staff_client, "add", [source], ["slug:gone"])
    assert "alert" not in change_labels(staff_client, "burn", [source], ["name:x"])
    assert not source.labels.exists()
