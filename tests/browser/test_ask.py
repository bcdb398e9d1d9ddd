"""Asking as a reader does: an answer that grows, the way from a citation to its page and back."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from answers.models import AnswerFeedback, AnswerTrace
from kb_project.clients.redis_client import shared_memory
from search.embedders import lacking_vectors, vector_notes
from search.models import ChunkEmbedding
from sources.models import Chunk, Source
from tests.anthropic_server import AnthropicServer, Block, cited, in_place_of_claude
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.languages import EACH
from tests.browser.search_page import FIRST, QUESTION, ask, speak
from tests.search.corpus import add_source, section
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    """Claude, who answers in two sentences, slowly."""
    with in_place_of_claude(settings, monkeypatch) as server:
        blocks = [Block("בתוך 21 ימים.", [cited(0, 0)]), Block(" " + "ומי שאיחר ישלם ריבית. " * 4, [cited(0, 1)])]
        server.will_stream(*blocks, token_s=0.15)
        yield server


def fails_at_first(page: Page, url: str, fail: Callable[[Route], None], *, said: str) -> None:
    """What failed is said, and asking again is answered in full."""
    page.route("**/kb/ask/stream", fail)
    page.goto(url)
    ask(page)
    expect(page.locator("[data-status]")).to_contain_text(said)
    page.unroute("**/kb/ask/stream")
    page.locator("[data-again]").click()
    expect(page.locator("[data-status]")).to_contain_text("ציטוט")


def test_answer_in_hebrew_grows_and_its_citation_opens_the_page(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source, claude: AnthropicServer
) -> None:
    page = reader
    speak(context, asgi_server, "he")
    page.goto(asgi_server)
    ask(page)
    text = page.locator("[data-text]")
    expect(text).to_contain_text("בתוך")
    expect(page.locator("[data-stop]")).to_be_visible()
    begun = text.inner_text()
    expect(page.locator("[data-ask]")).not_to_have_attribute("aria-busy", "true")
    assert len(text.inner_text()) > len(begun)
    expect(page.locator("[data-status]")).to_have_text(
        "2 ציטוטים ממסמך אחד. מודל כתב את התשובה. כל ציטוט הושווה לטקסט השמור."
    )
    expect(page.locator(".citations li")).to_have_count(2)

    page.locator("#feedback-no").click()
    expect(page.locator("#feedback-no")).to_have_attribute("aria-pressed", "true")
    page.locator("#feedback-note").fill("קצר מדי")
    page.locator("#feedback-send").click()
    expect(page.locator(".feedback [role=status]")).to_have_text("תודה. ההערה נשמרה.")
    assert AnswerFeedback.objects.values_list("helpful", "note").get() == (False, "קצר מדי")

    first = text.locator(".cite").first
    first.hover()
    expect(page.locator("#quote-tip")).to_contain_text(FIRST)
    page.keyboard.press("Escape")
    expect(page.locator("#quote-tip")).to_be_hidden()
    first.focus()
    expect(page.locator("#quote-tip")).to_be_visible()

    first.click()
    expect(page).to_have_url(re.compile(rf"/documents/{law.pk}/\?quote=[^#]+#sec_57$"))
    expect(page.locator(".document-text mark")).to_have_text(FIRST)
    expect(page.locator(".document-text mark")).to_be_in_viewport()
    expect(page.locator("#page-29")).to_contain_text("עמוד 29")

    page.go_back()
    expect(page.locator(".citations li")).to_have_count(2)
    expect(page.locator("[data-text]")).to_contain_text("[2]")
    assert len(claude.streams) == 1

    page.locator("#search-box").press("Enter")
    expect(page.locator("[data-ask]")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".citations li")).to_have_count(2)
    assert len(claude.streams) == 2


def test_who_is_signed_in_asks_with_the_token_of_the_page(staff_page: Page, asgi_server: str, law: Source) -> None:
    staff_page.goto(asgi_server)
    ask(staff_page)
    expect(staff_page.locator("[data-status]")).to_contain_text("ציטוט")
    wait_until(AnswerTrace.objects.filter(by="dana").exists)  # written after the last event
    keep = staff_page.locator("#citation-1 [data-keep]")  # in a list of links it is told apart by its name
    expect(keep).to_have_accessible_name(f"{keep.inner_text()}: [1] {law.title}")


def test_a_filter_asks_again_when_told_to(reader: Page, asgi_server: str, others: None) -> None:
    page = reader
    page.goto(asgi_server)
    ask(page, "Within how many days is a deposit returned?")
    expect(page.locator("[data-status]")).to_contain_text("No model has read")
    page.locator("[data-filters] > summary").click()
    page.locator("#kind-law").check()
    expect(page.locator("[data-status]")).to_contain_text("No model has read")
    page.get_by_role("button", name="Ask with these filters").click()
    expect(page.locator("[data-status]")).to_contain_text("Nothing in these documents")
    expect(page).to_have_url(re.compile(r"kind=law.*ask=1|ask=1.*kind=law"))


def test_an_answer_can_be_stopped_and_asked_for_again(
    reader: Page, asgi_server: str, law: Source, claude: AnthropicServer
) -> None:
    page = reader
    page.goto(asgi_server)
    ask(page)
    expect(page.locator("[data-text]")).to_contain_text("בתוך")
    page.locator("[data-stop]").click()
    expect(page.locator("[data-status]")).to_have_text("Stopped. What is here is not the whole answer.")
    expect(page.locator("[data-stop]")).to_be_hidden()
    page.locator("[data-again]").click()
    expect(page.locator("[data-status]")).to_contain_text("2 ציטוטים ממסמך אחד")


def test_an_answer_is_copied_with_its_quotes(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source
) -> None:
    page = reader
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=asgi_server)
    page.goto(asgi_server)
    ask(page)
    expect(page.locator("[data-copy]")).to_be_visible()
    page.locator("[data-copy]").click()
    expect(page.locator("[data-status]")).to_have_text("Copied, with the quotes.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert FIRST in copied.split("[1]")[0]
    assert "[1] חוק הגנת השוכר, ח-12, סעיף 57, page 29\n" in copied
    assert copied.count(FIRST) == 1  # the answer is the quote
    expect(page.locator("[data-citations] li")).to_have_count(1)
    expect(page.locator("[data-citations] blockquote")).to_contain_text(FIRST)
    assert f"{asgi_server}/documents/{law.pk}/?quote=" in copied


def test_no_evidence_is_said_above_the_nearest_passages(reader: Page, asgi_server: str, others: None) -> None:
    page = reader
    add_source(section("7", "Moorings", "7. Moorings\nA deposit is paid at the mooring."), title="Harbour Act")
    page.goto(asgi_server)
    ask(page, "Who won the deposit chess championship of Iceland in spring?")
    expect(page.locator("[data-status]")).to_contain_text(
        "Nothing in these documents comes near the words of the question",
    )
    expect(page.locator(".nearest .hit").first).to_be_visible()
    expect(page.locator(".nearest mark").first).to_have_text("deposit")
    at_mooring = page.locator(".nearest .hit").filter(has_text="at the mooring")
    expect(at_mooring.locator(".hit-text")).to_have_text("A deposit is paid at the mooring.")
    expect(page.locator("[data-text]")).to_be_hidden()


@pytest.mark.parametrize("language", EACH)
def test_that_vectors_are_lacking_is_said_before_a_refusal(
    language: str, reader: Page, context: BrowserContext, asgi_server: str, others: None, settings: Any
) -> None:
    add_source("A deposit is paid at the mooring.", "A mooring is let by the year.", title="Harbour Act")
    settings.KB_EMBEDDER = "local"
    ChunkEmbedding.objects.filter(chunk__text__contains="mooring").delete()
    vector_notes.note_all()
    shared_memory().delete(lacking_vectors.COUNTED_KEY)
    lacking_vectors.count()
    passages = str(Chunk.objects.count())
    speak(context, asgi_server, language)
    page = reader
    page.goto(f"{asgi_server}/?q=deposit")
    said = page.locator(".found > .quiet").first
    for part in ("2", passages):
        expect(said).to_contain_text(part)
    sentence = said.inner_text()
    page.goto(asgi_server)
    ask(page, "Who won the deposit chess championship of Iceland in spring?")
    expect(page.locator("[data-lacking]")).to_have_text(sentence)
    expect(page.locator("[data-lacking] + [data-status]")).to_contain_text("This may change, as some texts")


REFUSALS = [
    (429, "throttled", "Try again in 7 seconds."),
    (502, "provider_error", "The service that writes the answers failed."),
    (503, "unavailable", "A part of the service is down"),
    (500, "internal_error", "The answer could not be given."),
]
BROKEN_OFF = 'event: sources\ndata: {"results": []}\n\nevent: delta\ndata: {"text": "half"}\n\n'
LOSSES = [
    (None, "The server does not answer."),
    (BROKEN_OFF, "The connection was lost"),
    ('event: error\ndata: {"code": "provider_error", "status": 502}\n\n', "The service that writes the answers"),
]


def refuses(status: int, code: str) -> Callable[[Route], None]:
    problem = f'{{"status": {status}, "code": "{code}", "detail": "…"}}'
    return lambda route: route.fulfill(
        status=status, body=problem, headers={"Retry-After": "7"}, content_type="application/problem+json"
    )


def loses(body: str | None) -> Callable[[Route], None]:
    if body is None:
        return lambda route: route.abort()
    return lambda route: route.fulfill(status=200, body=body, content_type="text/event-stream")


def test_a_refused_question_says_why_and_can_be_tried_again(
    reader: Page, asgi_server: str, law: Source, complaints: list[str]
) -> None:
    for status, code, said in REFUSALS:
        fails_at_first(reader, asgi_server, refuses(status, code), said=said)
        assert all(str(status) in complaint for complaint in complaints)
        complaints.clear()


def test_a_lost_connection_says_so_and_can_be_tried_again(
    reader: Page, asgi_server: str, law: Source, complaints: list[str]
) -> None:
    for body, said in LOSSES:
        fails_at_first(reader, asgi_server, loses(body), said=said)
    complaints.clear()


def test_asking_works_without_a_script(browser: Browser, asgi_server: str, law: Source) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(asgi_server)
    page.locator("#search-box").fill(QUESTION)
    page.locator("#search-form [data-ask-button]").click()
    expect(page.locator(".answer-text")).to_contain_text(FIRST)
    page.locator(".citation-source").first.click()
    expect(page.locator(".document-text mark")).to_contain_text(FIRST)
    page.goto(f"{asgi_server}/?ask=1&q={quote(QUESTION)}")
    page.locator("noscript a, a:has-text('Show the answer')").first.click()
    expect(page.locator(".answer-text")).to_contain_text(FIRST)
    context.close()


def test_unquoted_text_is_shown_and_follow_ups_carry_the_answer(
    reader: Page,
    context: BrowserContext,
    asgi_server: str,
    law: Source,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    complaints: list[str],
) -> None:
    page, loose = reader, "😀 השוכר מרוצה."
    speak(context, asgi_server, "he")
    with in_place_of_claude(settings, monkeypatch) as claude:
        claude.will_stream(
            Block("בתוך 21 ימים.", [cited(0, 0)]),
            Block(f" {loose}"),
            Block(" קנס של 700 שקלים. ועוד 800."),
            stop_reason="max_tokens",
        )
        page.goto(asgi_server)
        ask(page)
        text = page.locator("[data-text]")
        expect(text.locator("u.unsupported")).to_have_text(f"{loose} (בלי ציטוט)")
        expect(page.locator("[data-notes] li")).to_have_count(3)
        expect(page.locator("[data-notes]")).to_contain_text("2 משפטים הושמטו")
        expect(text).not_to_contain_text("700")
        found = [wrong for _ in both_looks(page) for wrong in looks_wrong(page)]

        claude.forget_promises()
        claude.will_stream(Block("ריבית.", [cited(0, 1)]))
        page.locator("#further-question").fill("ומה אם איחר המשכיר?")
        page.locator("#further-question").press("Enter")
        expect(page.locator("[data-asked]")).to_be_focused()
        expect(text).to_have_text("ריבית. [1]")
        expect(page.locator("[data-earlier] .asked")).to_have_text(QUESTION)
        expect(page.locator("[data-earlier]")).to_contain_text(f"בתוך 21 ימים. [1] {loose}")
        expect(page.locator("[data-understood]")).to_contain_text("ישיב")  # no model put it, so words were added
        found += [wrong for _ in both_looks(page) for wrong in looks_wrong(page)]

        page.locator(".citation-source").first.click()
        page.go_back()
        expect(page.locator("[data-earlier] .asked")).to_have_text(QUESTION)
        expect(text).to_have_text("ריבית. [1]")
        expect(page.locator("[data-asked]")).to_have_text("ומה אם איחר המשכיר?")
        assert len(claude.streams) == 2
    assert (found, complaints) == ([], [])
