"""The keyboard alone: a list of keys on every screen, ways through lists and changes, a focus that is never lost."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sources.models import Source
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db(transaction=True)

SCREENS = ("/", "/documents/", "/changes/", "/review/", "/review/upload/", "/library/", "/labels/", "/status/")


def keys_told(page: Page) -> list[str]:
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    told = page.locator("#keys dt:visible").all_text_contents()
    page.keyboard.press("Escape")
    return [" ".join(keys.split()) for keys in told]


def test_every_screen_tells_the_keys_that_work_there(staff_page: Page, asgi_server: str, law: Source) -> None:
    page = staff_page
    for screen in SCREENS:
        page.goto(asgi_server + screen)
        page.locator("h1").click()  # out of the search box
        told = keys_told(page)
        assert {"/", "Esc", "?"} <= set(told), screen
        assert len(told) == len(set(told)), screen
    page.goto(f"{asgi_server}/documents/")
    assert "j k" in keys_told(page)
    assert "h" not in keys_told(page)


def test_from_a_search_to_a_quote_by_keys_alone(
    staff_page: Page, context: BrowserContext, asgi_server: str, law: Source
) -> None:
    page = staff_page
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(asgi_server)
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("הפיקדון")
    page.keyboard.press("Enter")
    expect(page.locator(".hits h3 a").first).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.locator(".hits h3 a").first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/documents/"))
    expect(page.locator("[data-where]")).to_contain_text("הפיקדון")
    page.keyboard.press("c")
    expect(page.locator("#toast")).to_contain_text("Copied.")
    assert "57" in page.evaluate("navigator.clipboard.readText()")
    page.keyboard.press("u")
    page.wait_for_url(re.compile(r"\?q="))


def test_rows_are_chosen_by_keys(staff_page: Page, asgi_server: str, sources: list[Source]) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/library/")
    chosen = page.locator('input[name="sources"]:checked')
    page.keyboard.press("j")
    page.keyboard.press("Space")
    expect(chosen).to_have_count(1)
    page.keyboard.press("Shift+J")
    page.keyboard.press("Shift+J")
    expect(chosen).to_have_count(3)
    page.keyboard.press("a")
    expect(chosen).to_have_count(0)


def test_changes_are_gone_through_by_keys(staff_page: Page, asgi_server: str, transactional_db: None) -> None:
    text = "\n".join(f"{n}. Heading {n}\nWords {n} of this section.\n" for n in range(1, 30))
    before = add_document(text, kind="law", title="Before")
    after = add_document(text.replace("Words 3 ", "Letters 3 ").replace("Words 20 ", "Letters 20 "), kind="law")
    page = staff_page
    page.goto(f"{asgi_server}/documents/{before.pk}/compare/{after.pk}/")
    page.keyboard.press("n")
    expect(page.locator("#change-1")).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator("#change-2")).to_be_focused()
    page.keyboard.press("Shift+N")
    expect(page.locator("#change-1")).to_be_focused()


def test_the_focus_stays_where_the_page_is_replaced(staff_page: Page, asgi_server: str, law: Source) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/?q=הוראה")
    link = page.locator("#results .hit a").first
    link.focus()
    page.evaluate("document.getElementById('search-form').requestSubmit()")
    expect(page.locator("#found")).to_be_focused()
