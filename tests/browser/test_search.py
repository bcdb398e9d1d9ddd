"""Search and ask as a reader does: filters, an answer that grows, the way from a citation to its page and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from labels import assign
from search.expansion import expand as expanding
from search.models import AnswerTrace, Chunk
from sources.models import Source
from tests.anthropic_server import AnthropicServer, Block, cited
from tests.browser.test_accessibility import NARROW, WIDE, complaints_of_axe
from tests.factories import make_label, make_topic
from tests.search.corpus import add_source, section
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "בתוך כמה ימים ישיב המשכיר את הפיקדון?"
FIRST = "המשכיר ישיב לשוכר את הפיקדון בתוך 21 ימים."
SECOND = "איחר המשכיר, ישלם לשוכר ריבית על הפיקדון."
TEN_SECONDS = 10_000


@pytest.fixture
def law(transactional_db: None) -> Source:
    """A law of 60 sections on 30 pages; section 57 is about deposits."""
    drafts = [section(str(n), f"כותרת {n}", f"הוראה {n} בעניין אחר.\n" * 6) for n in range(1, 61)]
    drafts[56] = section("57", "השבת הפיקדון", f"{FIRST} {SECOND}")
    source = add_source(*drafts, title="חוק הגנת השוכר", identifier="ח-12", pages=30)
    for chunk in Chunk.objects.filter(source=source):
        Chunk.objects.filter(pk=chunk.pk).update(page=chunk.seq // 2 + 1)
    assign.add(source, [make_label("שכירות")], by="test")
    return source


@pytest.fixture
def others(law: Source) -> None:
    """An English circular, and a law in another topic."""
    circular = add_source("A deposit is returned within 21 days.", kind="circular", title="Circular on deposits")
    assign.add(circular, [make_label("Rent")], by="test")
    add_source("A deposit of waste needs a permit.", title="Waste law", topic=make_topic(name="Waste"))


@pytest.fixture
def claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    """Claude, who answers in two sentences, slowly."""
    monkeypatch.setattr(expanding, "_away_until", 0.0)
    with AnthropicServer() as server:
        settings.ANTHROPIC_API_KEY = "test-key"
        settings.ANTHROPIC_BASE_URL = server.url
        blocks = [Block("בתוך 21 ימים.", [cited(0, 0)]), Block(" " + "ומי שאיחר ישלם ריבית. " * 4, [cited(0, 1)])]
        server.will_stream(*blocks, token_s=0.15)
        yield server


@pytest.fixture
def reader(page: Page, context: BrowserContext, asgi_server: str, complaints: list[str]) -> Iterator[Page]:
    """A page of someone who is not signed in; at its end the browser must have had nothing to complain of."""
    yield page
    assert complaints == []


def speak(context: BrowserContext, url: str, language: str) -> None:
    context.add_cookies([{"name": "django_language", "value": language, "url": url}])


def ask(page: Page, question: str = QUESTION) -> None:
    page.locator("#search-box").fill(question)
    page.locator("#search-form [data-ask-button]").click()


def test_an_answer_in_hebrew_grows_and_its_citation_opens_the_page(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source, claude: AnthropicServer
) -> None:
    page = reader
    speak(context, asgi_server, "he")
    page.goto(asgi_server)
    ask(page)
    text = page.locator("[data-text]")
    expect(text).to_contain_text("בתוך", timeout=TEN_SECONDS)
    expect(page.locator("[data-stop]")).to_be_visible()
    begun = text.inner_text()
    expect(page.locator("[data-ask]")).not_to_have_attribute("aria-busy", "true", timeout=TEN_SECONDS)
    assert len(text.inner_text()) > len(begun)
    expect(page.locator("[data-status]")).to_have_text("התשובה הושלמה, עם 2 ציטוטים.")
    expect(page.locator(".citations li")).to_have_count(2)

    first = text.locator(".cite").first
    first.hover()
    expect(page.locator("#quote-tip")).to_contain_text(FIRST)
    page.keyboard.press("Escape")
    expect(page.locator("#quote-tip")).to_be_hidden()
    first.focus()
    expect(page.locator("#quote-tip")).to_be_visible()

    first.click()
    chunk = Chunk.objects.get(section="57")
    expect(page).to_have_url(
        re.compile(rf"/documents/{law.pk}/\?chunk={chunk.pk}&mark=0-{len(FIRST)}#chunk-{chunk.pk}$")
    )
    expect(page.locator(f"#chunk-{chunk.pk} mark")).to_have_text(FIRST)
    expect(page.locator(f"#chunk-{chunk.pk} mark")).to_be_in_viewport()
    expect(page.locator("#page-29")).to_contain_text("עמוד 29")

    page.go_back()
    expect(page.locator(".citations li")).to_have_count(2)
    expect(page.locator("[data-text]")).to_contain_text("[2]")
    assert len(claude.streams) == 1

    page.locator("#search-box").press("Enter")
    expect(page.locator("[data-ask]")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".citations li")).to_have_count(2, timeout=TEN_SECONDS)
    assert len(claude.streams) == 2


def test_who_is_signed_in_asks_with_the_token_of_the_page(staff_page: Page, asgi_server: str, law: Source) -> None:
    staff_page.goto(asgi_server)
    ask(staff_page)
    expect(staff_page.locator("[data-status]")).to_contain_text("The answer is complete", timeout=TEN_SECONDS)
    wait_until(AnswerTrace.objects.filter(by="dana").exists)  # written after the last event


def test_a_filter_asks_again_when_told_to(reader: Page, asgi_server: str, others: None) -> None:
    page = reader
    page.goto(asgi_server)
    ask(page, "Within how many days is a deposit returned?")
    expect(page.locator("[data-status]")).to_contain_text("The answer is complete", timeout=TEN_SECONDS)
    page.locator("#kind-law").check()
    expect(page.locator("[data-status]")).to_contain_text("The answer is complete")
    page.get_by_role("button", name="Ask with these filters").click()
    expect(page.locator("[data-status]")).to_contain_text("do not answer this question", timeout=TEN_SECONDS)
    expect(page).to_have_url(re.compile(r"kind=law.*ask=1|ask=1.*kind=law"))


def test_an_answer_can_be_stopped_and_asked_for_again(
    reader: Page, asgi_server: str, law: Source, claude: AnthropicServer
) -> None:
    page = reader
    page.goto(asgi_server)
    ask(page)
    expect(page.locator("[data-text]")).to_contain_text("בתוך", timeout=TEN_SECONDS)
    page.locator("[data-stop]").click()
    expect(page.locator("[data-status]")).to_have_text("Stopped. What is here is not the whole answer.")
    expect(page.locator("[data-stop]")).to_be_hidden()
    page.locator("[data-again]").click()
    expect(page.locator("[data-status]")).to_have_text("The answer is complete, with 2 quotes.", timeout=TEN_SECONDS)


def test_an_answer_is_copied_with_its_quotes(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source
) -> None:
    page = reader
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=asgi_server)
    page.goto(asgi_server)
    ask(page)
    expect(page.locator("[data-copy]")).to_be_visible(timeout=TEN_SECONDS)
    page.locator("[data-copy]").click()
    expect(page.locator("[data-status]")).to_have_text("Copied, with the quotes.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert FIRST in copied.split("[1]")[0]
    assert f"[1] חוק הגנת השוכר, ח-12, Section 57, page 29: “{FIRST}" in copied
    assert f"{asgi_server}/documents/{law.pk}/?chunk=" in copied


def test_no_evidence_is_said_above_the_nearest_passages(reader: Page, asgi_server: str, others: None) -> None:
    page = reader
    page.goto(asgi_server)
    ask(page, "Who won the deposit chess championship of Iceland in spring?")
    expect(page.locator("[data-status]")).to_contain_text(
        "The documents do not answer this question", timeout=TEN_SECONDS
    )
    expect(page.locator(".nearest .hit").first).to_be_visible()
    expect(page.locator(".nearest mark").first).to_have_text("deposit")
    expect(page.locator("[data-text]")).to_be_hidden()


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (429, "throttled", "Try again in 7 seconds."),
        (502, "provider_error", "The service that writes the answers failed."),
        (503, "unavailable", "A part of the service is down"),
        (500, "internal_error", "The answer could not be given."),
    ],
)
def test_a_refused_question_says_why_and_can_be_tried_again(
    reader: Page, asgi_server: str, law: Source, complaints: list[str], status: int, code: str, said: str
) -> None:
    page = reader
    problem = f'{{"status": {status}, "code": "{code}", "detail": "…"}}'

    def refuse(route: Route) -> None:
        route.fulfill(
            status=status, body=problem, headers={"Retry-After": "7"}, content_type="application/problem+json"
        )

    page.route("**/kb/ask/stream", refuse)
    page.goto(asgi_server)
    ask(page)
    expect(page.locator("[data-status]")).to_contain_text(said)
    page.unroute("**/kb/ask/stream")
    page.locator("[data-again]").click()
    expect(page.locator("[data-status]")).to_contain_text("The answer is complete", timeout=TEN_SECONDS)
    assert all(str(status) in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (None, "The server does not answer."),
        (
            'event: sources\ndata: {"results": []}\n\nevent: delta\ndata: {"text": "half"}\n\n',
            "The connection was lost",
        ),
        ('event: error\ndata: {"code": "provider_error", "status": 502}\n\n', "The service that writes the answers"),
    ],
)
def test_a_lost_connection_says_so_and_can_be_tried_again(
    reader: Page, asgi_server: str, law: Source, complaints: list[str], body: str | None, said: str
) -> None:
    page = reader

    def lose(route: Route) -> None:
        if body is None:
            route.abort()
        else:
            route.fulfill(status=200, body=body, content_type="text/event-stream")

    page.route("**/kb/ask/stream", lose)
    page.goto(asgi_server)
    ask(page)
    expect(page.locator("[data-status]")).to_contain_text(said)
    page.unroute("**/kb/ask/stream")
    page.locator("[data-again]").click()
    expect(page.locator("[data-status]")).to_contain_text("The answer is complete", timeout=TEN_SECONDS)
    complaints.clear()


@pytest.mark.parametrize(("language", "found"), [("en", "1 passage from 1 document"), ("he", "קטע אחד מתוך מסמך אחד")])
def test_filters_apply_themselves_and_the_address_holds_everything(
    reader: Page, context: BrowserContext, asgi_server: str, others: None, language: str, found: str
) -> None:
    page = reader
    speak(context, asgi_server, language)
    page.goto(asgi_server)
    page.keyboard.press("Tab")
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(page.locator("#search-box")).to_be_focused()
    page.keyboard.type("deposit")
    page.keyboard.press("Enter")
    expect(page.locator(".hit")).to_have_count(2)
    expect(page).to_have_url(f"{asgi_server}/?q=deposit")
    page.locator("#search-topic").select_option("1")
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator("[data-announce]")).to_have_text(found)
    page.locator("#kind-circular").check()
    expect(page).to_have_url(f"{asgi_server}/?topic=1&q=deposit&kind=circular")
    expect(page.locator("#kind-circular")).to_be_focused()
    page.locator("#label-rent").check()
    expect(page).to_have_url(f"{asgi_server}/?topic=1&q=deposit&kind=circular&label=rent")
    expect(page.locator(".filter-chips .chip")).to_have_count(2)
    page.locator("#published-from").fill("2030-01-01")
    expect(page.locator(".nothing")).to_be_visible()
    page.go_back()
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator("#published-from")).to_have_value("")
    page.reload()
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator("#label-rent")).to_be_checked()
    page.locator(".filter-chips .chip").first.click()
    expect(page).to_have_url(f"{asgi_server}/?q=deposit&topic=1&label=rent")


def test_more_passages_come_below_and_the_focus_goes_to_the_first_of_them(
    reader: Page, asgi_server: str, law: Source
) -> None:
    page = reader
    page.goto(f"{asgi_server}/?q={quote('הוראה')}")
    expect(page.locator(".hit")).to_have_count(10)
    page.locator("[data-more]").click()
    expect(page.locator(".hit")).to_have_count(20)
    expect(page.locator(".hit").nth(10).locator("h3 a")).to_be_focused()
    expect(page).to_have_url(re.compile("show=20"))


def test_a_refused_search_says_why_and_a_lost_one_too(
    reader: Page, asgi_server: str, others: None, complaints: list[str], settings: Any
) -> None:
    page = reader
    page.goto(f"{asgi_server}/?q=deposit")
    page.locator("#search-topic").evaluate("topic => { topic.options[1].value = '999'; }")
    page.locator("#search-topic").select_option("999")
    expect(page.locator("#results")).to_contain_text("There is no such topic.")
    page.route("**/?q=*", lambda route: route.abort())
    page.route("**/?topic=*", lambda route: route.abort())
    page.locator("#search-form .primary").click()
    expect(page.locator("#results")).to_contain_text("The search could not be done")
    complaints.clear()


def test_the_key_can_be_switched_off(reader: Page, asgi_server: str, law: Source) -> None:
    page = reader
    page.goto(f"{asgi_server}/?q=x")
    page.locator("[data-keys-on]").uncheck()
    page.reload()
    expect(page.locator("[data-keys-on]")).not_to_be_checked()
    page.keyboard.press("/")
    expect(page.locator("#search-box")).not_to_be_focused()


@pytest.mark.parametrize("language", ["en", "he"])
def test_axe_finds_nothing_and_nothing_is_cut_off(
    reader: Page, context: BrowserContext, asgi_server: str, others: None, complaints: list[str], language: str
) -> None:
    page = reader
    speak(context, asgi_server, language)
    chunk = Chunk.objects.get(section="57")
    paths = [
        "/",
        "/?q=deposit&kind=circular",
        f"/?q={quote('סעיף 57 לחוק הגנת השוכר')}",
        "/?q=zebra&topic=1&kind=law",
        "/?q=deposit&topic=999",
        f"/?ask=1&q={quote(QUESTION)}",
        "/?ask=1&q=Who+won+the+deposit+chess+championship+of+Iceland",
        f"/ask/?q={quote(QUESTION)}",
        f"/documents/{chunk.source_id}/?chunk={chunk.pk}&q=%D7%94%D7%A4%D7%99%D7%A7%D7%93%D7%95%D7%9F",
        "/documents/9999/",
    ]
    found: list[str] = []
    for size, scheme in ((WIDE, "light"), (NARROW, "dark")):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for path in paths:
            page.goto(asgi_server + path)
            if "ask=1" in path:
                expect(page.locator(".nearest")).to_be_visible(timeout=TEN_SECONDS)
            if page.locator(".filter-panel > summary").is_visible():
                page.locator(".filter-panel > summary").click()
            for cite in page.locator(".cite[data-cited]").all()[:1]:
                cite.focus()
            found += complaints_of_axe(page)
            if page.evaluate("document.documentElement.scrollWidth") > size["width"]:
                found.append(f"{path} is too wide for {size['width']}")
    assert found == []
    assert all("404" in complaint or "400" in complaint for complaint in complaints)
    complaints.clear()


def test_asking_works_without_a_script(browser: Browser, asgi_server: str, law: Source) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(asgi_server)
    page.locator("#search-box").fill(QUESTION)
    page.locator("#search-form [data-ask-button]").click()
    expect(page.locator(".answer-text")).to_contain_text(FIRST)
    page.locator(".citation-source").first.click()
    expect(page.locator(".passage.chosen mark")).to_contain_text(FIRST)
    page.goto(f"{asgi_server}/?ask=1&q={quote(QUESTION)}")
    page.locator("noscript a, a:has-text('Show the answer')").first.click()
    expect(page.locator(".answer-text")).to_contain_text(FIRST)
    context.close()
