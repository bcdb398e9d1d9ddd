"""`/` as the server makes it, without a script."""

import datetime as dt
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, quote_plus, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from labels import assign
from sources.models import Change, Chunk, Source
from tests.factories import make_label, make_topic
from tests.pages import counted, page, titles
from tests.search.corpus import add_document, add_source, section

pytestmark = pytest.mark.django_db

EVIL = "<img src=x onerror=alert(1)> & \"quoted\" 'too' </textarea>"


def test_first_page_offers_every_topic_and_counts_the_documents(client: Client, library: dict[str, Source]) -> None:
    text = page(client)
    assert ">3 documents</a>" in text
    assert re.findall(r'<option value="(\d*)"', text) == ["", "1", str(library["other"].topic_id)]
    assert re.findall(r'class="t" href="/documents/\?topic=(\d+)"', text) == ["1", str(library["other"].topic_id)]
    text = page(client, versions="all")  # a filter without a query shows what the others would leave
    assert (counted(text, "Law"), counted(text, "Circular"), counted(text, "Tool")) == (2, 1, None)
    assert 'href="/api/docs/"' in text


def test_results_say_where_they_stand_with_the_words_marked(client: Client, library: dict[str, Source]) -> None:
    text = page(client, q="הפיקדון ניכוי")
    assert titles(text) == ["חוק הגנת השוכר"], "section 7 holds less than enough"
    assert "מותר <mark>לנכות</mark> מן <mark>הפיקדון</mark>" in text
    assert "15 Jul 2024" in text
    assert "page 1" in text
    assert re.search(r"סעיף 8 </span><bdi>ניכוי</bdi>", text)
    chunk = Chunk.objects.get(section="8")
    link = re.search(rf'href="(/documents/{library["law"].pk}/\?chunk={chunk.pk}[^"]*)"', text)
    assert link
    assert parse_qs(urlsplit(unescape(link[1])).query)["q"] == ["הפיקדון ניכוי"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"as_of": "2020-03-01"}, 'the law as of <time datetime="2020-03-01"><bdi>1 Mar 2020<'),
        ({"as_of": "2020-03-01", "ask": "1"}, 'the law as of <time datetime="2020-03-01">'),
        ({"versions": "all"}, "versions of all days"),
    ],
)
def test_the_day_whose_law_was_searched_stands_at_the_count(
    client: Client, library: dict[str, Source], asked: dict[str, Any], said: str
) -> None:
    assert f'<span class="quiet">{said}' in page(client, q="הפיקדון", **asked)


def test_a_cited_section_comes_first_and_is_marked_so(client: Client, library: dict[str, Source]) -> None:
    text = page(client, q="סעיף 8 לחוק הגנת השוכר")
    assert text.count("What you cited") == 1
    assert text.index("What you cited") < text.index("סעיף 8 </span>")
    assert re.search(r'<li class="hit cited"', text)


LIBRARIES = "פרק א: כללי\n1. שם\nזה החוק.\n2. השאלה\n(א) ראשון.\n(ב) שני & אחרון.\n(ג) שלישי."


def test_a_cited_clause_is_shown_from_its_first_word(client: Client) -> None:
    law = add_document(LIBRARIES, kind="law", title="חוק הספריות")
    text = page(client, q="סעיף 2(ב) לחוק הספריות")
    assert '<article dir="rtl">' in text  # as the passage runs, not as the page does
    shown = re.search(r'<div class="hit-text"[^>]*>(.*?)</div>', text, re.DOTALL)
    assert shown
    assert re.sub(r"<[^>]+>", "", shown[1]) == "… (ב) שני &amp; אחרון. …"
    assert "<mark>(ב) שני &amp; אחרון.</mark>" in text  # in the whole passage
    assert re.search(rf'<h3><a href="/documents/{law.pk}/\?q=[^"]+#sec_2__subsec_b"', text)


def test_the_first_page_has_examples_of_what_is_here_and_the_latest_changes(client: Client) -> None:
    law = add_document(LIBRARIES, kind="law", title="חוק הספריות", valid_from=dt.date(2020, 1, 1))
    Change.objects.create(source=law, ends=False, day=dt.date(2020, 1, 1))
    text = page(client)
    [example] = re.findall(r'<li><a class="chip" href="/(\?q=[^"]+)"><bdi>סעיף 1 לחוק הספריות</bdi>', text)
    assert "What you cited" in client.get("/" + unescape(example)).content.decode()
    changed = text.split('id="changed-title"')[1]
    assert changed.index("in force") < changed.index("1 Jan 2020") < changed.index(f'href="/documents/{law.pk}/"')


def test_what_stands_above_a_passage_is_not_said_again_in_it(client: Client) -> None:
    add_document(LIBRARIES, kind="law", title="חוק הספריות")
    text = page(client, q="שם זה החוק")
    assert 'class="path" lang="he">פרק א' in text
    shown = re.search(r'<div class="hit-text"[^>]*>(.*?)</div>', text, re.DOTALL)
    assert shown
    assert "כללי" not in shown[1]
    assert re.search(r'<a class="no" href="[^"]+" tabindex="-1" aria-hidden="true">1</a>\s*<h3>', text)


def test_what_is_not_there_is_said_above_the_other_passages(client: Client) -> None:
    law = add_document(LIBRARIES, kind="law", title="חוק הספריות & הספר")
    text = page(client, q="סעיף 9 לחוק הספריות & הספר")
    assert "Section 9 does not exist in חוק הספריות &amp; הספר." in text
    assert f'<a href="/documents/{law.pk}/#sec_2"><bdi>2</bdi></a>' in text
    assert text.index("Section 9 does not exist") < text.index("Other results") < text.index('<ol class="hits">')
    assert "What you cited" not in text
    client.cookies["django_language"] = "he"
    assert "אין כאן חיקוק בשם חוק העונשין." in page(client, q="סעיף 2 לחוק העונשין לגבי זה")
    both = page(client, q="סעיף 2 לחוק הספריות & הספר, סעיף 3 לחוק העונשין")
    assert "אין כאן חיקוק" in both
    assert "תוצאות אחרות" not in both
    assert "אין כאן חיקוק בשם חוק העונשין." in page(client, "/ask/", q="מה קובע סעיף 2 לחוק העונשין?")


def test_documents_that_may_be_meant_are_linked_of_those_whose_topic_is_asked(client: Client) -> None:
    code = add_document(
        "1.1 Carts\nA cart.\n1.2 Boats\nA boat.", kind="law", title="Oxbow Municipal Code Title 1 - Carts"
    )
    hidden = make_topic()
    hidden.open_to = "members"
    hidden.save()
    add_document("2.1 Docks\nA dock.", kind="law", title="Oxbow Municipal Code Title 2 - Docks", topic=hidden)
    for path in ("/", "/ask/"):
        text = page(client, path, q="section 3 of the Oxbow Code")
        assert "It is not certain which document is meant by “Oxbow Code”." in text, path
        assert f'<a href="/documents/{code.pk}/"><bdi>{code.title}</bdi></a>' in text, path
        assert "Docks" not in text, path


def test_the_name_of_an_act_leads_with_its_card(client: Client) -> None:
    law = add_document(LIBRARIES, kind="law", title="חוק הספריות", published_at=dt.date(1967, 2, 3))
    assign.add(law, [make_label("תרבות")], by="test")
    text = page(client, q="חוק הספריות")
    card = re.search(r'<section class="act-card".*?</section>', text, re.DOTALL)
    assert card
    assert text.index("act-card") < text.index('<ol class="hits">')
    assert "3 Feb 1967" in card[0]
    assert f'href="/?q={quote_plus("חוק הספריות")}&amp;label={make_label("תרבות").slug}"' in card[0]
    links = re.findall(rf'href="/documents/{law.pk}/(#[^"]*)?"', card[0])
    assert links == ["", "#chp_1", "#sec_1", "#sec_2", ""]
    assert "act-card" not in page(client, q="השאלה")


def test_chapters_with_names_stand_for_their_sections_in_the_card(client: Client) -> None:
    act = add_document(
        "Part 1 Carts\n1. Brakes\nA cart has brakes.\nPart 2 Boats\n2. Oars\nA boat has oars.\n",
        kind="law",
        title="Vessels Act",
    )
    links = re.findall(rf'href="/documents/{act.pk}/(#[^"]*)"', page(client, q="Vessels Act").split("</section>")[0])
    assert links == ["#part_1", "#part_2"]


def test_documents_come_once_and_by_date_where_that_is_chosen(client: Client, library: dict[str, Source]) -> None:
    add_source("הפיקדון", title="ישן", published_at=dt.date(1999, 1, 2))
    grouped = page(client, q="הפיקדון", group="document", sort="oldest")
    assert titles(grouped) == ["ישן", "חוק הגנת השוכר"]
    assert "2 documents, <span" in grouped
    assert "1 more result in this document" in grouped
    assert re.search(r'name="group" value="document" checked', grouped)
    assert '<option value="oldest" selected>' in grouped
    assert "group=document" in grouped[grouped.index('class="hits"') :], "labels of a hit keep the order"
    nothing = page(client, q="zebra", group="document", sort="newest")
    assert re.findall(r'type="hidden" form="search-form" name="(\w+)" value="(\w+)"', nothing) == [
        ("group", "document"),
        ("sort", "newest"),
    ]
    assert titles(page(client, q="הפיקדון", group="passage", sort="relevance"))
    page(client, status=400, q="הפיקדון", sort="best")


def test_a_phrase_that_stands_nowhere_says_so(client: Client, library: dict[str, Source]) -> None:
    assert titles(page(client, q='"returned within" deposit')) == ["Circular on deposits"]
    text = page(client, q='deposit "within returned"')
    assert "Nowhere do these words stand next to each other, in this order:" in text
    assert '<q dir="auto">within returned</q>' in text
    assert 'href="/?q=deposit+within+returned">Search without the quotation marks' in text
    client.cookies["django_language"] = "he"
    assert "חיפוש בלי המירכאות" in page(client, q='"within returned"')


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
    assert "2 תוצאות" in text
    assert "כל התחומים" in text
    assert "סעיף 7 </span>" in text
    assert "אין תחום כזה." in page(client, status=400, topic="999")


def test_page_takes_as_many_queries_for_many_results_as_for_few(client: Client, library: dict[str, Source]) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            page(client, q="deposit", show=50)
        return len(captured)

    page(client, q="zebra")  # reads the synonyms
    few = queries()
    labels = [make_label(f"Label {n}") for n in range(12)]
    for n in range(20):
        assign.add(add_source(f"deposit {n}", title=f"Law {n}"), labels, by="test")
    assert queries() == few


@pytest.mark.parametrize(
    ("query", "said"),
    [
        *((query, "Words cannot be left out") for query in ("הפיקדון NOT ניכוי", "הפיקדון -ניכוי", "NOT סנאים")),
        *((query, "Words are not joined with") for query in ("הפיקדון AND ניכוי", "הפיקדון | ניכוי", "+הפיקדון")),
        ("פיקד*", "A star does not stand for letters"),
        ("title:הפיקדון", "names no field"),
    ],
)
def test_operators_are_said_to_be_none(client: Client, library: dict[str, Source], query: str, said: str) -> None:
    assert said in page(client, q=query)
    assert said not in page(client, q="הפיקדון ניכוי")


def test_a_misspelt_word_shows_the_results_of_the_right_one(client: Client, library: dict[str, Source]) -> None:
    text = page(client, q="ניכוי הפיקדום")
    assert 'Showing results for <q dir="auto">ניכוי הפיקדון</q>' in text
    assert "<mark>הפיקדון</mark>" in text
    assert "Showing results for" not in page(client, q="ניכוי הפיקדון")
