"""Topics, people and API keys in the browser, and the menus that lead there, in both languages."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from ingest.job_states import JobStatus
from tests.browser.axe import NARROW, WIDE, both_looks, looks_wrong
from tests.browser.languages import EACH
from tests.factories import make_job, make_staff
from topics.keys import find_usable_key
from topics.models import Topic

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


@pytest.mark.parametrize("language", ["en", "he"])
def test_people_are_invited_and_keys_made_and_copied(
    staff_page: Page, context: BrowserContext, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    page, found = staff_page, []
    log_in(language=language)
    make_staff("away", is_active=False)
    page.set_viewport_size(NARROW)
    page.goto(f"{asgi_server}/documents/")
    page.locator(".menu-button").click()
    page.locator("nav .menu summary").last.click()
    found += looks_wrong(page)
    page.locator('nav a[href="/people/"]').click()
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=asgi_server)

    def copied() -> str:
        page.locator("dialog .copied button").first.click()
        expect(page.locator("dialog .copied button").first).to_have_text("Copied" if language == "en" else "הועתק")
        return str(page.evaluate("navigator.clipboard.readText()"))

    page.locator(".title-row .primary").click()
    found += looks_wrong(page)
    page.locator("#id_addresses").fill("noa@acme.example ruth@acme.example")
    page.locator("dialog .primary").click()
    expect(page.locator("dialog .copied")).to_have_count(2)
    found += looks_wrong(page)
    link = copied()
    page.locator("dialog a.button").click()
    expect(page.locator("#people tbody tr")).to_have_count(4)
    noa = page.locator(f"#person-{User.objects.get(username='noa@acme.example').pk}")
    noa.locator(".danger").click()
    page.locator("dialog .danger").click()
    expect(page.locator(".message.success")).to_contain_text("noa@acme.example")
    noa.locator(".button").last.click()
    page.locator("dialog .primary").click()
    expect(noa.locator(".danger")).to_be_visible()

    page.goto(f"{asgi_server}/keys/")
    page.locator(".title-row .primary").click()
    page.locator("#id_name").fill("partner")
    page.locator("dialog .primary").click()
    expect(page.locator("#new-key")).to_have_value(re.compile(r"^\w{8}\.\w{32}$"))
    found += looks_wrong(page)
    assert find_usable_key(copied())
    page.locator("dialog a.button").click()
    expect(page.locator("#new-key")).to_have_count(0)
    topic = Topic.objects.get()
    for _ in both_looks(page):
        for path in ("/people/", "/people/invite/", "/keys/", "/keys/new/", "/topics/", f"/topics/{topic.pk}/"):
            page.goto(asgi_server + path)
            found += looks_wrong(page)
    page.goto(link)
    found += looks_wrong(page)
    assert found == []


@pytest.mark.parametrize(("language", "size"), [("en", WIDE), ("he", NARROW)])
def test_the_header_leads_to_the_search(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str, size: ViewportSize
) -> None:
    page = staff_page
    log_in(language=language)
    page.set_viewport_size(size)
    page.goto(f"{asgi_server}/labels/")
    if size is WIDE:
        page.locator(".site-search input").fill("פיקדון")
        page.keyboard.press("Enter")
        page.wait_for_url("**/?q=*")
        expect(page.locator("#search-box")).to_have_value("פיקדון")
    else:
        page.locator(".site-search button").click()
        expect(page.locator("#search-box")).to_be_focused()
    assert looks_wrong(page) == []


@pytest.mark.parametrize("language", EACH)
def test_the_bar_of_a_phone_is_one_row_with_all_in_its_menu(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    page = staff_page
    log_in(language=language)
    make_job(status=JobStatus.AWAITING_REVIEW, batch_id=uuid4(), confirmed=None)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{asgi_server}/labels/")
    expect(page.locator(".menu-button .waiting")).to_have_text("1")
    assert page.locator(".site-header").evaluate("(header) => header.offsetHeight") < 64
    expect(page.locator(".languages")).to_be_hidden()
    page.locator(".menu-button").click()
    page.locator("nav .menu summary").last.click()
    page.locator(".account summary").click()  # what was open above it stays, so that this does not move away
    expect(page.locator('.account a[href="/password/"]')).to_be_visible()
    expect(page.locator(".languages")).to_be_visible()
    assert looks_wrong(page) == []


def test_the_menu_obeys_the_keyboard_and_fits_beside_a_search(staff_page: Page, asgi_server: str) -> None:
    page = staff_page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{asgi_server}/labels/")
    more = page.locator("nav .menu")
    expect(more.locator("summary")).to_have_attribute("aria-current", "true")
    expect(more.locator("[aria-current=page]")).to_have_attribute("href", "/labels/")
    assert page.locator(".site-header").evaluate("(header) => header.offsetHeight") < 64  # one line
    nav, languages = page.locator("#site-nav").bounding_box(), page.locator(".languages").bounding_box()
    assert nav
    assert languages
    assert languages["x"] - nav["x"] - nav["width"] > 9 * 16 + 32  # the narrowest search and its gaps
    more.locator("summary").press("Enter")
    page.keyboard.press("Tab")
    expect(more.locator("a").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(more).not_to_have_attribute("open", "")
    expect(more.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    expect(more).not_to_have_attribute("open", "")
    more.locator("summary").click()
    page.locator("h1").click()
    expect(more).not_to_have_attribute("open", "")
    page.set_viewport_size(NARROW)
    menu = page.locator(".menu-button")
    expect(page.locator("#site-nav")).to_be_hidden()
    menu.press("Enter")
    expect(menu).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#site-nav")).to_be_visible()


def test_a_question_that_is_a_page_is_answered_on_that_page(
    page: Page, log_in: Callable[..., None], asgi_server: str
) -> None:
    log_in()
    page.goto(f"{asgi_server}/people/invite/")
    page.locator("main #id_addresses").fill("nobody")
    page.locator("main .primary").click()
    expect(page.locator("main .error")).to_have_text("This is not an e-mail address: nobody")
    expect(page.locator("#dialog")).to_be_hidden()
    assert looks_wrong(page) == []
