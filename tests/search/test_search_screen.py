"""`/`, `/ask/` and `/documents/{id}/` as the server makes them, without a script."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from labels import assign, merge
from search.expansion import expand as expanding
from search.models import AnswerTrace, Chunk
from search.screens import filters
from search.screens.document_views import CHUNKS_A_PART
from search.screens.marked import EXCERPT, WHOLE, excerpt, marked
from sources.models import Source
from tests.anthropic_server import AnthropicServer, Block, cited
from tests.factories import make_label, make_staff, make_topic
from tests.search.corpus import add_source, section

pytestmark = pytest.mark.django_db

EVIL = "<img src=x onerror=alert(1)> & \"quoted\" 'too' </textarea>"


def page(client: Client, path: str = "/", *, status: int = 200, **query: Any) -> str:
    response = client.get(path, query)
    assert response.status_code == status, response.content.decode()[:2000]
    return response.content.decode()


def titles(text: str) -> list[str]:
    return [unescape(title) for title in re.findall(r"<h3><a href=[^>]+><bdi>(.*?)</bdi>", text)]


def counted(text: str, name: str) -> int:
    """The number beside a choice of a filter."""
    found = re.search(rf"<span>(?:<bdi>)?{re.escape(escape(name))}(?:</bdi>)?</span>\s*<bdi[^>]*>(\d+)</bdi>", text)
    assert found, name
    return int(found[1])


@pytest.fixture
def library() -> dict[str, Source]:
    """A law and a circular in the first topic, a law in another."""
    law = add_source(
        section("7", "השבת הפיקדון", "המשכיר ישיב לשוכר את הפיקדון בתוך 21 ימים."),
        section("8", "ניכוי", "מותר לנכות מן הפיקדון שכר דירה שלא שולם."),
        title="חוק הגנת השוכר",
        identifier="ח-12",
        published_at=dt.date(2024, 7, 15),
    )
    circular = add_source("A deposit is returned within 21 days.", kind="circular", title="Circular on deposits")
    other = add_source("A deposit of waste needs a permit.", title="Waste law", topic=make_topic(name="Waste"))
    assign.add(law, [make_label("שכירות")], by="test")
    assign.add(circular, [make_label("Rent")], by="test")
    return {"law": law, "circular": circular, "other": other}


# --- search --------------------------------------------------------------------------------------------------------


def test_the_first_page_offers_every_topic_and_counts_the_documents(client: Client, library: dict[str, Source]) -> None:
    text = page(client)
    assert "3 documents are here." in text
    assert re.findall(r'<option value="(\d*)"', text) == ["", "1", str(library["other"].topic_id)]
    assert (counted(text, "Law"), counted(text, "Circular"), counted(text, "Tool")) == (2, 1, 0)
    assert 'href="/api/docs/"' in text


def test_results_say_where_they_stand_with_the_words_marked(client: Client, library: dict[str, Source]) -> None:
    text = page(client, q="הפיקדון ניכוי")
    assert titles(text) == ["חוק הגנת השוכר"] * 2
    assert "מותר לנכות מן <mark>הפיקדון</mark>" in text
    assert "July 15, 2024" in text
    assert "page 1" in text
    assert re.search(r"Section <bdi>8</bdi></span> · <bdi>ניכוי</bdi>", text)
    chunk = Chunk.objects.get(section="8")
    link = re.search(rf'href="(/documents/{library["law"].pk}/\?chunk={chunk.pk}[^"]*)"', text)
    assert link
    address = urlsplit(unescape(link[1]))
    assert (address.fragment, parse_qs(address.query)["q"]) == (f"chunk-{chunk.pk}", ["הפיקדון ניכוי"])


def test_a_cited_section_comes_first_and_is_marked_so(client: Client, library: dict[str, Source]) -> None:
    text = page(client, q="סעיף 8 לחוק הגנת השוכר")
    assert text.count("What you cited") == 1
    assert text.index("What you cited") < text.index("Section <bdi>8</bdi>")
    assert re.search(r'<li class="hit cited"', text)


def test_filters_narrow_and_their_counts_follow_the_others(client: Client, library: dict[str, Source]) -> None:
    first = library["law"].topic_id
    assert titles(page(client, q="deposit")) == ["Circular on deposits", "Waste law"]
    assert titles(page(client, q="deposit", topic=first)) == ["Circular on deposits"]
    assert titles(page(client, q="deposit", kind=["law", "tool"])) == ["Waste law"]
    text = page(client, q="deposit", label="rent", topic=first)
    assert titles(text) == ["Circular on deposits"]
    assert (counted(text, "Law"), counted(text, "Circular")) == (0, 1)
    assert (counted(text, "Rent"), counted(text, "שכירות")) == (1, 1)
    assert titles(page(client, q="הפיקדון", published_from="2024-07-15", published_to="2024-07-15"))
    assert "Nothing was found" in page(client, q="הפיקדון", published_from="2024-07-16")


def test_counts_of_many_documents_are_remembered_for_each_scope(
    client: Client, library: dict[str, Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(filters, "MANY", 0)
    assert counted(page(client), "Law") == 2
    add_source("new", kind="law", title="New")
    assert counted(page(client), "Law") == 2
    assert counted(page(client, topic=library["law"].topic_id), "Law") == 2  # two of its own by now
    cache.clear()
    assert counted(page(client), "Law") == 3


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
    merge.merge(old.pk, new.pk, by="test")
    assert titles(page(client, q="deposit", label="rent")) == ["Circular on deposits"]


def test_more_passages_come_until_there_are_no_more(client: Client) -> None:
    add_source(*(f"deposit number {n}" for n in range(23)), title="Many")
    text = page(client, q="deposit")
    assert len(titles(text)) == 10
    for expected in (20, 23):
        more = re.search(r'<a class="button" href="/(\?[^"]+)"[^>]*data-more="\d+"', text)
        assert more
        before = titles(text)
        text = client.get("/" + unescape(more[1])).content.decode()
        assert len(titles(text)) == expected
        assert titles(text)[: len(before)] == before
    assert "data-more" not in text


def test_nothing_found_says_what_was_searched_and_offers_to_widen(client: Client, library: dict[str, Source]) -> None:
    text = page(client, q="zebra", topic=library["law"].topic_id, kind="law")
    assert "Nothing was found" in text
    assert "zebra" in text
    assert f'<a class="button" href="/?q=zebra&amp;topic={library["law"].topic_id}">Search without the filters' in text
    assert '<a class="button" href="/?q=zebra">Search all topics without filters' in text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"topic": "999"}, "There is no such topic."),
        ({"topic": "x"}, "There is no such topic."),
        ({"topic": "9" * 40}, "at most 20 characters"),
        ({"label": "no-such"}, "There is no such label."),
        ({"kind": "poem"}, "There is no such kind of document."),
        ({"published_from": "yesterday"}, "Enter a valid date."),
        ({"published_from": "2024-02-01", "published_to": "2024-01-01"}, "This is before the first day."),
        ({"q": "x" * 2001}, "A query has at most 2000 characters; this one has 2001."),
        ({"q": "a\0b"}, "Null characters are not allowed."),
        ({"show": "101"}, "less than or equal to 100"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_a_sentence(
    client: Client, library: dict[str, Source], query: dict[str, str], sentence: str
) -> None:
    for path in ("/", "/ask/"):
        text = page(client, path, status=400, **{"q": "deposit", **query})
        assert sentence in unescape(text)
        assert titles(text) == []


def test_markup_in_documents_topics_labels_and_queries_is_text(client: Client) -> None:
    topic = make_topic(name=EVIL)
    source = add_source(section("1", EVIL, f"evil {EVIL}"), title=EVIL, identifier=EVIL, topic=topic)
    assign.add(source, [make_label(EVIL)], by="test")
    chunk = Chunk.objects.get(source=source)
    paths: list[tuple[str, dict[str, Any]]] = [
        ("/", {"q": f"evil {EVIL}", "topic": topic.pk}),
        ("/", {"q": EVIL, "kind": EVIL, "label": EVIL, "topic": EVIL[:20], "published_from": EVIL}),
        ("/", {"q": EVIL, "ask": 1}),
        ("/ask/", {"q": f"evil {EVIL}"}),
        (f"/documents/{source.pk}/", {"q": EVIL, "chunk": chunk.pk, "part": EVIL, "mark": EVIL}),
    ]
    for path, query in paths:
        text = client.get(path, query).content.decode()
        assert "onerror=alert" in text
        assert "<img" not in text
        assert 'value="<' not in text
        assert "</textarea>" not in text


def test_the_page_speaks_hebrew_from_right_to_left(client: Client, library: dict[str, Source]) -> None:
    client.cookies["django_language"] = "he"
    text = page(client, q="הפיקדון")
    assert '<html lang="he" dir="rtl">' in text
    assert "2 קטעים" in text
    assert "כל התחומים" in text
    assert re.search(r"סעיף <bdi>7</bdi>", text)
    assert "אין תחום כזה." in page(client, status=400, topic="999")


def test_a_page_takes_as_many_queries_for_many_results_as_for_few(client: Client, library: dict[str, Source]) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            page(client, q="deposit", show=50)
        return len(captured)

    few = queries()
    labels = [make_label(f"Label {n}") for n in range(12)]
    for n in range(20):
        assign.add(add_source(f"deposit {n}", title=f"Law {n}"), labels, by="test")
    assert queries() == few


# --- who may ------------------------------------------------------------------------------------------------------


def test_with_a_key_required_only_those_signed_in_see_the_pages(
    client: Client, library: dict[str, Source], settings: Any
) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True
    paths = ["/?q=deposit", "/ask/?q=deposit", f"/documents/{library['law'].pk}/"]
    for path in paths:
        response = client.get(path)
        assert response.status_code == 302
        assert parse_qs(urlsplit(response["Location"]).query)["next"] == [path]
        assert client.get(path, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    client.force_login(make_staff(role=None))
    for path in paths:
        assert client.get(path).status_code == 200


def test_the_pages_are_only_read(client: Client) -> None:
    assert client.post("/").status_code == 405
    assert client.head("/").status_code == 200


@pytest.fixture
def rates(settings: Any) -> Iterator[Any]:
    def set_rates(**given: str) -> None:
        unlimited = {"anon": "", "search": "", "ask": ""}
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {**unlimited, **given}}

    cache.clear()
    yield set_rates
    cache.clear()


def test_searches_on_the_page_and_over_the_api_are_counted_together(
    client: Client, library: dict[str, Source], rates: Any
) -> None:
    rates(search="2/day")
    page(client, q="deposit")
    assert client.post("/kb/search", {"query": "x"}, content_type="application/json").status_code == 200
    response = client.get("/", {"q": "deposit"})
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert "Too many requests came from your address" in response.content.decode()
    page(client)  # a page without a search is not one
    page(client, q="deposit", ask=1)


@pytest.mark.parametrize("path", ["/", "/ask/?q=deposit", "/documents/1/"])
def test_every_page_is_counted(client: Client, rates: Any, path: str) -> None:
    rates(anon="1/day")
    client.get("/kb/topics")
    response = client.get(path)
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0


def test_answers_are_counted_apart(client: Client, library: dict[str, Source], rates: Any) -> None:
    rates(ask="1/day")
    page(client, "/ask/", q="What is a deposit?")
    text = page(client, "/ask/", status=429, q="What is a deposit?")
    assert "Too many requests came from your address" in text
    page(client, q="deposit")


@pytest.fixture
def claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    monkeypatch.setattr(expanding, "_away_until", 0.0)
    with AnthropicServer() as server:
        settings.ANTHROPIC_API_KEY = "test-key"
        settings.ANTHROPIC_BASE_URL = server.url
        yield server


# --- ask ----------------------------------------------------------------------------------------------------------


def test_without_a_script_the_answer_comes_whole_with_its_quotes(client: Client, library: dict[str, Source]) -> None:
    text = page(client, "/ask/", q="בתוך כמה ימים ישיב המשכיר את הפיקדון?", topic=library["law"].topic_id)
    assert "21 ימים" in text
    assert '<a class="cite" href="#citation-1">[1]</a>' in text
    chunk = Chunk.objects.get(section="7")
    link = re.search(rf'<a class="citation-source" href="(/documents/\d+/\?chunk={chunk.pk}&amp;mark=[^"]+)"', text)
    assert link
    assert "<blockquote" in text
    document = client.get(unescape(link[1])).content.decode()
    assert f"<mark>{chunk.text}</mark>" in document
    assert AnswerTrace.objects.get().status == "answered"


def test_the_whole_answer_keeps_its_paragraphs_and_numbers(
    client: Client, library: dict[str, Source], claude: AnthropicServer
) -> None:
    claude.will_stream(Block("21 ימים.", [cited(0, 0)]), Block("\n\nכך <b>נאמר</b> שם.", [cited(0, 0)]))
    text = page(client, "/ask/", q="בתוך כמה ימים ישיב המשכיר את הפיקדון?")
    said = re.search(r'<div class="answer-text" dir="auto">(.*?)</div>', text, re.DOTALL)
    assert said
    assert re.sub(r"</?a[^>]*>", "", said[1]) == "21 ימים. [1]\n\nכך &lt;b&gt;נאמר&lt;/b&gt; שם. [1]"


def test_no_evidence_is_said_with_the_nearest_passages(client: Client, library: dict[str, Source]) -> None:
    text = page(client, "/ask/", q="Who won the deposit chess championship of Iceland in spring?")
    assert "The documents do not answer this question" in text
    assert "The nearest passages" in text
    assert "Circular on deposits" in titles(text)


def test_a_failing_provider_is_told_and_can_be_tried_again(
    client: Client, library: dict[str, Source], claude: AnthropicServer
) -> None:
    claude.will_stream(status=400)
    text = page(client, "/ask/", status=502, q="בתוך כמה ימים ישיב המשכיר את הפיקדון?")
    assert "The service that writes the answers failed." in text
    assert ">Try again</a>" in text


def test_with_a_script_the_page_holds_what_to_ask_and_asks_nothing(client: Client, library: dict[str, Source]) -> None:
    text = page(
        client,
        q='מה "זה"?',
        ask=1,
        topic=library["law"].topic_id,
        label="rent",
        kind=["law", "circular"],
        published_from="2024-01-01",
    )
    body = re.search(r'data-body="([^"]*)"', text)
    assert body
    response = client.post("/kb/ask", unescape(body[1]), content_type="application/json")
    assert response.status_code == 200, response.content
    assert AnswerTrace.objects.count() == 1
    assert 'data-ask="/kb/ask/stream"' in text
    assert re.search(r'<noscript>.*?href="/ask/\?q=', text, re.DOTALL)


def test_an_answer_comes_from_documents_of_the_dates_asked_for(client: Client, library: dict[str, Source]) -> None:
    question = "בתוך כמה ימים ישיב המשכיר את הפיקדון?"
    for dates, status in (
        ({"published_from": "2024-07-15"}, "answered"),
        ({"published_to": "2024-07-14"}, "insufficient"),
    ):
        response = client.post("/kb/ask", {"question": question, **dates}, content_type="application/json")
        assert response.json()["status"].startswith(status)
        shown = page(client, "/ask/", q=question, **dates)
        assert ("do not answer this question" in shown) is (status != "answered")


def test_asking_nothing_leads_to_the_box(client: Client) -> None:
    assert client.get("/ask/")["Location"] == "/"
    assert "Search and ask" in page(client, ask=1)


# --- a document -----------------------------------------------------------------------------------------------------


@pytest.fixture
def long_document() -> Source:
    """100 passages, two on each page."""
    drafts = [section(str(n), f"Heading {n}", f"Text {n} of all.") for n in range(100)]
    source = add_source(*drafts, title="Long", filename="long.pdf", file_key="processed/long.pdf", pages=50)
    for chunk in Chunk.objects.filter(source=source):
        Chunk.objects.filter(pk=chunk.pk).update(page=chunk.seq // 2 + 1)
    return source


def test_a_document_opens_at_a_passage_with_the_words_marked(client: Client, long_document: Source) -> None:
    chunk = Chunk.objects.get(source=long_document, seq=77)
    text = page(client, f"/documents/{long_document.pk}/", chunk=chunk.pk, q="text of")
    assert f'<section class="passage chosen" id="chunk-{chunk.pk}"' in text
    assert "<mark>Text</mark> 77 of all." in text
    assert "Part 2 of 3" in text
    assert 'id="page-39"' in text
    assert f'href="/kb/sources/{long_document.pk}/file#page=39"' in text
    numbers = [int(n) for n in re.findall(r"</mark> (\d+) of all", text)]
    assert numbers == list(range(CHUNKS_A_PART, 2 * CHUNKS_A_PART))


def test_a_document_opens_at_a_page(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/", page=45)
    assert 'id="page-45"' in text
    assert "Part 3 of 3" in text


def test_parts_follow_each_other(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/", q="text")
    assert "Part 1 of 3" in text
    following = re.search(r'rel="next" href="(\?[^"]+)"', text)
    assert following
    after = client.get(f"/documents/{long_document.pk}/{unescape(following[1])}").content.decode()
    assert "Part 2 of 3" in after
    assert "<mark>" in after


def test_a_passage_that_is_gone_is_told(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/", chunk=10**15)
    assert "That passage is not there any more" in text
    assert "Part 1 of 3" in text
    other = add_source("elsewhere", title="Other")
    foreign = Chunk.objects.get(source=other)
    assert "That passage is not there any more" in page(client, f"/documents/{long_document.pk}/", chunk=foreign.pk)


@pytest.mark.parametrize("mark", ["5-2", "0-99999", "x", "-1-4", "999999999-999999999"])
def test_a_range_that_is_none_marks_at_most_what_there_is(client: Client, long_document: Source, mark: str) -> None:
    chunk = Chunk.objects.get(source=long_document, seq=0)
    text = page(client, f"/documents/{long_document.pk}/", chunk=chunk.pk, mark=mark)
    assert text.count("<mark>") == (1 if mark == "0-99999" else 0)


def test_there_is_a_page_for_a_document_that_is_not_there(client: Client) -> None:
    assert "There is no such document" in page(client, "/documents/999/", status=404)
    assert "There is no such document" in page(client, f"/documents/{10**30}/", status=404)


# --- marking --------------------------------------------------------------------------------------------------------


def test_every_piece_of_a_marked_text_is_escaped() -> None:
    assert marked("<a> & <b>", [(0, 3), (6, 9)]) == "<mark>&lt;a&gt;</mark> &amp; <mark>&lt;b&gt;</mark>"


def test_an_excerpt_holds_the_words_that_were_found_and_cuts_none() -> None:
    words = [f"word{n}" for n in range(300)]
    text = " ".join(words)
    at = text.index("word200")
    start, end = excerpt(text, [(0, 5), (at, at + 7), (at + 8, at + 15)])
    assert start <= at
    assert at + 15 <= end
    assert end - start <= EXCERPT
    assert set(text[start:end].split()) <= set(words)
    assert excerpt("short", [(0, 5)]) == (0, 5)
    assert excerpt(text, [])[0] == 0
    unbroken = "x" * (WHOLE * 3)
    start, end = excerpt(unbroken, [(WHOLE, WHOLE + 3)])
    assert start <= WHOLE < WHOLE + 3 <= end
