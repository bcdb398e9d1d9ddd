"""What a result of `/` says of where its passage stands."""

import re

import pytest
from django.test import Client

from tests.pages import page
from tests.search.corpus import add_document, add_source, section

pytestmark = pytest.mark.django_db


def test_a_judgment_is_shown_and_found_by_its_paragraph(client: Client) -> None:
    add_source(
        *(section(str(number), "", f"{number}. הטענה מס' {number} נדחית.") for number in range(11, 14)),
        title="לוי נגד כהן",
        kind="caselaw",
    )
    text = page(client, q="פסקה 12 לוי נגד כהן")
    assert text.index("What you cited") < text.index("פסקה 12 </span>")


def test_a_heading_between_others_is_not_of_the_section_below_it(client: Client, db: None) -> None:
    text = "Establishment and membership\n3. Association established\n(1) A walrus association is established.\n"
    add_source(section("3", "Association established", text), title="Walrus Act")
    told = re.search(r'<div class="hit-text">(.*?)</div>', page(client, q="section 3 of the Walrus Act"), re.DOTALL)
    assert told
    assert told[1].strip().startswith("(1) A")


def test_passages_of_a_document_stand_below_its_headings(client: Client, db: None) -> None:
    ferry = add_document(
        "1. Walrus fares\nA walrus pays for a walrus ticket of the ferry walrus.\n2. Ropes\nNo walrus chews ropes.",
        kind="law",
        title="Ferry Act",
    )
    add_document("1. Berths\nA walrus has a walrus berth.", kind="law", title="Harbour Act")
    text = page(client, q="walrus")
    shown = re.findall(r'<li class="hit([^"]*)".*?href="/documents/(\d+)/', text, re.DOTALL)
    own = [source == str(ferry.pk) for _, source in shown]
    assert own in ([True, True, False], [False, True, True])
    assert [" continues" in css for css, _ in shown] == [False, own[0], not own[0]]
    told = "".join(re.findall(r'<div class="hit-text"[^>]*>(.*?)</div>', text, re.DOTALL))
    assert "fares" not in told
    assert "…" not in told
    assert text.count("fares") >= 1, "it is said above"


@pytest.mark.parametrize(
    ("title", "kind", "named"),
    [
        ("Rental Deposit (Scheme Operators) Rules 2025", "regulation", "Rule 3"),
        ("Regulation (EU) 2016/679", "law", "Article 3"),
        ("Deposit Regulations 2021", "regulation", "Regulation 3"),
        ("Deposit Act 2020 (Amendment) Rules Order", "law", "Section 3"),
        ("תקנות הפיקדון", "regulation", "תקנה 3"),
        ("כללי הפיקדון", "regulation", "כלל 3"),
        ("צו הפיקדון", "regulation", "סעיף 3"),
    ],
)
def test_a_section_is_called_what_its_document_calls_it(client: Client, title: str, kind: str, named: str) -> None:
    add_source(section("3", "", "3. A deposit is a פיקדון."), title=title, kind=kind)
    for language in ("en", "he"):
        text = page(client, q="deposit", headers={"Accept-Language": language})
        assert f'<span class="section" dir="auto">{named} </span>' in text
        assert '<div class="hit-text">A <mark>deposit</mark> is' in text, "the number stands above"
    sent = {"query": "deposit", "topic_id": 1}
    (hit,) = client.post("/kb/search", sent, content_type="application/json").json()["results"]
    assert hit["place"].capitalize() == named
