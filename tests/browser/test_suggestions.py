"""The search box as one types: what it offers, by the keyboard and by the mouse, and how it opens."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from labels import assign
from sources.models import Source
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.search_page import speak
from tests.factories import make_label
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def law(transactional_db: None) -> Source:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    assign.add(law, [make_label("ספריות")], by="test")
    return law


def test_arrows_choose_and_enter_opens_a_section(reader: Page, asgi_server: str, law: Source) -> None:
    page = reader
    page.goto(asgi_server)
    box, options = page.locator("#search-box"), page.locator("#suggestions [role=option]")
    expect(box).to_have_attribute("role", "combobox")
    page.keyboard.type("ספריות")
    expect(options).to_have_text(["חוק הספריות", "ספריות"])
    expect(box).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(box).to_have_attribute("aria-activedescendant", "suggestion-0")
    page.keyboard.press("ArrowUp")
    expect(box).not_to_have_attribute("aria-activedescendant", re.compile("."))
    page.keyboard.press("ArrowUp")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(options).to_have_count(0)
    expect(box).to_have_value("ספריות")
    box.fill("סעיף 3א לחוק ה")
    expect(options.last).to_contain_text("3א. איחור")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{asgi_server}/documents/{law.pk}/#sec_3a")


def test_a_document_opens_by_the_mouse_and_a_label_filters(reader: Page, asgi_server: str, law: Source) -> None:
    page = reader
    page.goto(f"{asgi_server}/?topic=1&kind=law")
    page.locator("#search-box").fill("ספריות")
    page.get_by_role("group", name="Labels").get_by_role("option").click()
    expect(page).to_have_url(re.compile(r"/\?topic=1&kind=law&label=[\w-]+$"))
    expect(page.locator(".filter-chips .chip")).to_have_count(2)
    page.locator("#search-box").fill("חוק")
    page.get_by_role("group", name="Documents").get_by_role("option").click()
    expect(page).to_have_url(f"{asgi_server}/documents/{law.pk}/")


def test_enter_without_a_choice_searches_and_late_answers_show_nothing(
    reader: Page, asgi_server: str, law: Source
) -> None:
    page = reader
    asked: list[Route] = []
    given_up: list[str] = []
    page.route("**/kb/suggest?*", lambda route: asked.append(route))
    page.on("requestfailed", lambda request: given_up.append(request.url))
    page.goto(asgi_server)
    for typed in ("איחור", " ב"):
        with page.expect_request("**/kb/suggest?*"):
            page.keyboard.type(typed, delay=20)
    page.keyboard.press("Enter")
    expect(page.locator(".hit").first).to_be_visible()
    expect(page.locator("#search-box")).to_have_attribute("aria-expanded", "false")
    assert given_up == [route.request.url for route in asked]
    assert len(asked) == 2


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "he"])
def test_axe_finds_nothing_and_nothing_is_cut_off(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source, language: str
) -> None:
    page = reader
    speak(context, asgi_server, language)
    found: list[str] = []
    for _ in both_looks(page):
        page.goto(asgi_server)
        page.locator("#search-box").fill("ספריות")
        expect(page.locator("#suggestions [role=option]")).to_have_count(2)
        page.keyboard.press("ArrowDown")
        found += looks_wrong(page)
        page.goto(f"{asgi_server}/documents/?kind=law")
        found += looks_wrong(page)
    assert found == []
