"""`/documents/`: what is there, to browse."""

import datetime as dt
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from labels import assign
from sources.models import Source, Work
from tests.factories import make_label, make_source, make_topic
from tests.pages import facets, page, titles
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db


@pytest.fixture
def shelf() -> list[Source]:
    """Two laws and a circular in the first topic, a law in another."""
    books = make_source(title="חוק הספרים", published_at=dt.date(1975, 3, 1))
    music = make_source(title='"תווים" – חוק', published_at=dt.date(2020, 1, 1))
    fees = make_source(title="fees", kind="circular", published_at=dt.date(2020, 5, 5))
    waste = make_source(title="Waste", topic=make_topic(name="Waste & water"))
    assign.add(books, [make_label("Reading")], by="test")
    assign.add(fees, [make_label("Reading"), make_label("Money")], by="test")
    return [books, music, fees, waste]


def test_every_document_is_there_with_true_counts(client: Client, shelf: list[Source]) -> None:
    text = page(client, "/documents/")
    assert sorted(titles(text)) == sorted(source.title for source in shelf)
    assert f'4 documents, <span class="quiet">the law as of <time datetime="{dt.date.today()}">' in text
    assert facets(text, "kind") == {"Law": 3, "Circular": 1}
    assert facets(text, "label") == {"Reading": 2, "Money": 1}
    assert facets(text, "year") == {"2020": 2, "1975": 1}
    assert facets(text, "letter") == {"F": 1, "W": 1, "ה": 1, "ת": 1}
    assert facets(text, "topic") == {"General": 3, "Waste & water": 1}
    assert 'aria-current="page">Documents' in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"kind": "circular"}, ["fees"]),
        ({"label": "reading"}, ["fees", "חוק הספרים"]),
        ({"label": "reading", "kind": "law"}, ["חוק הספרים"]),
        ({"year": "2020"}, ["fees", '"תווים" – חוק']),
        ({"letter": "f"}, ["fees"]),
        ({"letter": "ת"}, ['"תווים" – חוק']),
        ({"letter": "ת", "kind": "circular"}, []),
        ({"topic": "1", "letter": "W"}, []),
    ],
)
def test_filters_narrow_together(client: Client, shelf: list[Source], query: dict[str, Any], found: list[str]) -> None:
    assert sorted(titles(page(client, "/documents/", **query))) == sorted(found)


def test_a_facet_counts_beside_the_others_and_its_links_say_so(client: Client, shelf: list[Source]) -> None:
    text = page(client, "/documents/", label="reading", kind="law")
    assert facets(text, "kind") == {"Law": 1, "Circular": 1}
    assert facets(text, "label") == {"Reading": 1}
    for address in re.findall(r'<li><a href="(/documents/\?[^"]*)"[^>]*><bdi>Circular', text):
        assert titles(page(client, unescape(address))) == ["fees"]
    assert '<a href="/documents/?label=reading" aria-current="true"><bdi>Law' in text


def test_a_topics_documents_are_counted_by_year_and_kind(client: Client) -> None:
    topic = make_topic(name="Boats")
    for year, kind in ((2019, "law"), (2021, "law"), (2021, "law"), (2021, "tool")):
        make_source(topic=topic, kind=kind, published_at=f"{year}-05-01")
    years = client.get("/documents/", {"topic": topic.pk}).context["years"]
    assert years.rows == [(2021, [2, 1]), (2019, [1, 0])]
    assert [name for _, name in years.kinds] == ["Law", "Tool"]
    assert client.get("/documents/", {"topic": topic.pk, "year": 2019}).context["years"] is None


def test_pages_follow_one_another_by_title(client: Client) -> None:
    works = Work.objects.bulk_create(Work(topic_id=1, kind="law") for _ in range(120))
    Source.objects.bulk_create(
        Source(topic_id=1, kind="law", title=f"Law {n:03}", work=work) for n, work in enumerate(works)
    )
    numbers: list[str] = []
    address = "/documents/?kind=law"
    while address:
        text = page(client, address)
        numbers += titles(text)
        following = re.search(r'rel="next" href="([^"]+)"', text)
        address = f"/documents/{unescape(following[1])}" if following else ""
    assert numbers == [f"Law {n:03}" for n in range(120)]
    assert titles(page(client, "/documents/", kind="law", page="x" * 20)) == numbers[:50]


@pytest.mark.parametrize(
    "query", [{"kind": "poem"}, {"label": "none"}, {"topic": "999999"}, {"year": "x"}, {"letter": "ab"}]
)
def test_what_is_not_there_is_told(client: Client, shelf: list[Source], query: dict[str, str]) -> None:
    text = page(client, "/documents/", status=400, **query)
    assert 'role="alert"' in text
    assert 'href="/documents/">Show all' in text


def test_nothing_there_is_told_too(client: Client) -> None:
    assert "There are no documents here yet." in page(client, "/documents/")
    assert "No document fits the filters." in page(client, "/documents/", year="1999")


def test_a_document_leads_to_its_like(client: Client, shelf: list[Source]) -> None:
    text = page(client, f"/documents/{shelf[2].pk}/")
    assert 'href="/documents/?topic=1&amp;kind=circular"' in text


@pytest.mark.parametrize(
    ("title", "letter"),
    [
        ("חוק הגנים", "ה"),
        ("תקנות בתי הקפה (אגרות)", "ב"),
        ("צו המכס", "ה"),
        ("פקודת היערות", "ה"),
        ("חוק־יסוד: הגנן", "ה"),
        ("חוקת הגנים", "ח"),
        ("חוק", "ח"),
        ('"חוק"', "ח"),
        ("צוואות", "צ"),
        ("Act on kennels", "A"),
        ("Kennels Act", "K"),
    ],
)
def test_the_letter_is_that_of_what_a_law_is_about(client: Client, title: str, letter: str) -> None:
    make_source(title=title)
    make_source(title="Zoo")  # a list of one letter shows none
    assert set(facets(page(client, "/documents/"), "letter")) == {letter, "Z"}


def test_a_law_without_a_day_says_so_and_a_judgment_has_none_to_say(client: Client) -> None:
    add_document("Ferries Act 1990\n1. A ferry is safe.", kind="law", title="Ferries Act 1990")
    for kind, times in (("law", 1), ("caselaw", 0)):
        Source.objects.update(kind=kind)
        assert client.get("/documents/").content.decode().count("no day stated") == times


def test_a_title_in_another_language_than_the_page_says_so(client: Client, shelf: list[Source]) -> None:
    books, _music, fees, _waste = shelf
    assert f'<a href="/documents/{books.pk}/" lang="he">' in page(client, "/documents/")
    assert f'<a href="/documents/{fees.pk}/">' in page(client, "/documents/")
    hebrew = client.get("/documents/", headers={"Accept-Language": "he"}).content.decode()
    assert f'<a href="/documents/{fees.pk}/" lang="en">' in hebrew
    assert f'<a href="/documents/{books.pk}/">' in hebrew
