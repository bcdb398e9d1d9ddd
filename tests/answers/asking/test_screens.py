"""`/ask/` as the server makes it, without a script."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from answers.models import AnswerTrace
from sources.models import Chunk, Source
from tests.anthropic_server import AnthropicServer, Block, cited
from tests.pages import page, titles

pytestmark = pytest.mark.django_db


def test_without_script_the_answer_comes_whole_with_its_quotes(client: Client, library: dict[str, Source]) -> None:
    text = page(client, "/ask/", q="בתוך כמה ימים ישיב המשכיר את הפיקדון?", topic=library["law"].topic_id)
    assert "21 ימים" in text
    assert '<a class="cite" href="#citation-1">[1]</a>' in text
    chunk = Chunk.objects.get(section="7")
    link = re.search(rf'<a class="citation-source" href="(/documents/\d+/\?chunk={chunk.pk}&amp;quote=[^"]+)"', text)
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
    said = re.search(r'<div class="answer-text" dir="auto"[^>]*>(.*?)</div></div>', text, re.DOTALL)
    assert said
    assert "<blockquote" in text
    assert re.sub(r"</?(a|div)\b[^>]*>", "", said[1]) == "21 ימים. [1]\n\nכך &lt;b&gt;נאמר&lt;/b&gt; שם. [1]"


def test_no_evidence_is_said_with_the_nearest_passages(client: Client, library: dict[str, Source]) -> None:
    text = page(client, "/ask/", q="Who won the deposit chess championship of Iceland in spring?")
    assert "Nothing in these documents comes near the words of the question" in text
    assert "What comes nearest" in text
    assert "Circular on deposits" in titles(text)


def test_a_failing_provider_is_told_and_can_be_tried_again(
    client: Client, library: dict[str, Source], claude: AnthropicServer
) -> None:
    claude.will_stream(status=400)
    text = page(client, "/ask/", status=502, q="בתוך כמה ימים ישיב המשכיר את הפיקדון?")
    assert "The service that writes the answers failed." in text
    assert ">Try again</a>" in text


def test_with_script_page_holds_what_to_ask_and_asks_nothing(client: Client, library: dict[str, Source]) -> None:
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
    tried: list[tuple[dict[str, Any], str]] = [
        ({"published_from": "2024-07-15"}, "answered"),
        ({"published_to": "2024-07-14"}, "insufficient"),
    ]
    for dates, status in tried:
        response = client.post("/kb/ask", {"question": question, **dates}, content_type="application/json")
        assert response.json()["status"].startswith(status)
        shown = page(client, "/ask/", q=question, **dates)
        assert ("data-outcome" in shown or "message warning" in shown) is (status != "answered")


def test_asking_nothing_leads_to_the_box(client: Client) -> None:
    assert client.get("/ask/")["Location"] == "/"
    assert "Search and ask" in page(client, ask=1)
