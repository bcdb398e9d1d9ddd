"""Filters, labels and counts beside the results of a search."""

import datetime as dt
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client

from labels import assign, naming
from search.shown import filters
from sources.models import Source
from tests.factories import make_label
from tests.pages import counted, page, titles
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db


def test_filters_narrow_and_their_counts_follow_the_others(client: Client, library: dict[str, Source]) -> None:
    first = library["law"].topic_id
    assert titles(page(client, q="deposit")) == ["Circular on deposits", "Waste law"]
    assert titles(page(client, q="deposit", topic=first)) == ["Circular on deposits"]
    assert titles(page(client, q="deposit", kind=["law", "tool"])) == ["Waste law"]
    text = page(client, q="deposit", label="rent", topic=first)
    assert titles(text) == ["Circular on deposits"]
    assert (counted(text, "Law"), counted(text, "Circular")) == (None, 1)
    assert counted(text, "Rent") == 1
    assert "שכירות" not in text, "no document with that label fits the query"
    every = page(client, versions="all")
    assert (counted(every, "Rent"), counted(every, "שכירות")) == (1, 1)
    assert titles(page(client, q="הפיקדון", published_from="2024-07-15", published_to="2024-07-15"))
    assert "Nothing was found" in page(client, q="הפיקדון", published_from="2024-07-16")


def test_counts_are_those_of_the_query_and_lead_to_as_many_documents(
    client: Client, library: dict[str, Source]
) -> None:
    label = make_label("Rent")
    for number in range(3):
        source = add_source("A deposit", title=f"Tool {number}", kind="tool", published_at=dt.date(2020 + number, 1, 2))
        assign.add(source, [label], by="test")
    text = page(client, q="deposit")
    assert (counted(text, "Law"), counted(text, "Circular"), counted(text, "Tool")) == (1, 1, 3)
    assert (counted(text, "Rent"), len(titles(text))) == (4, 5)
    assert len(set(titles(page(client, q="deposit", label="rent")))) == 4
    assert "5 results from 5 documents" in text
    year = re.search(r'href="/(\?[^"]+)"><bdi>2021</bdi></a>', text)
    assert year
    assert titles(client.get("/" + unescape(year[1])).content.decode()) == ["Tool 1"]
    assert counted(page(client, q="zebra", label="rent"), "Rent") == 0, "a chosen label stays to be taken off"


def test_several_labels_are_added_and_taken_off(client: Client, library: dict[str, Source]) -> None:
    text = page(client, q="", label=["rent", make_label("שכירות").slug])
    assert len(re.findall(r'name="label" value="[^"]+" checked', text)) == 2
    chips = re.search(r'<ul class="filter-chips".*?</ul>', page(client, q="deposit", label=["rent", "rent"]), re.DOTALL)
    assert chips
    assert chips[0].count("<li>") == 1
    assert "At most 20 labels." in page(client, status=400, label=[f"l{number}" for number in range(21)])
    assert titles(page(client, q="deposit", label=["", "rent"])) == ["Circular on deposits"]


def test_counts_of_many_documents_are_remembered_for_each_scope(
    client: Client, library: dict[str, Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(filters, "MANY", 0)
    assert counted(page(client, versions="all"), "Law") == 2
    add_source("new", kind="law", title="New")
    assert counted(page(client, versions="all"), "Law") == 2
    assert counted(page(client, versions="all", topic=library["law"].topic_id), "Law") == 2  # two of its own by now
    cache.clear()
    assert counted(page(client, versions="all"), "Law") == 3
    cache.clear()


def test_a_filter_that_is_set_can_be_taken_off_alone(client: Client, library: dict[str, Source]) -> None:
    text = page(client, q="deposit", label="rent", kind="circular", topic=library["law"].topic_id)
    chips = re.search(r'<ul class="filter-chips".*?</ul>', text, re.DOTALL)
    assert chips
    addresses = [parse_qs(urlsplit(unescape(found)).query) for found in re.findall(r'href="([^"]+)"', chips[0])]
    kept = {"q": ["deposit"], "topic": [str(library["law"].topic_id)]}
    assert addresses == [{**kept, "label": ["rent"]}, {**kept, "kind": ["circular"]}]


def test_labels_of_a_result_lead_to_what_has_them(client: Client, library: dict[str, Source]) -> None:
    text = page(client, q="הפיקדון", topic=library["law"].topic_id)
    link = re.search(r'<a class="chip" href="/(\?[^"]+)" dir="auto">שכירות</a>', text)
    assert link
    query = parse_qs(urlsplit(unescape(link[1])).query)
    assert query == {"q": ["הפיקדון"], "topic": [str(library["law"].topic_id)], "label": [make_label("שכירות").slug]}
    assert titles(client.get("/" + unescape(link[1])).content.decode()) == ["חוק הגנת השוכר"] * 2


def test_the_address_of_a_merged_label_still_works(client: Client, library: dict[str, Source]) -> None:
    old, new = make_label("Rent"), make_label("Leases")
    naming.merge(old.pk, new.pk, by="test")
    assert titles(page(client, q="deposit", label="rent")) == ["Circular on deposits"]
