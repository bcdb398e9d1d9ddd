"""Searching as a reader does: filters, further passages, and what is said when it fails."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sources.models import Chunk, Source
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.search_page import QUESTION, speak
from tests.factories import make_label

pytestmark = pytest.mark.django_db(transaction=True)


def test_filters_apply_themselves_and_address_holds_everything(
    reader: Page, context: BrowserContext, asgi_server: str, others: None
) -> None:
    page = reader
    speak(context, asgi_server, "he")
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
    expect(page.locator("[data-announce]")).to_contain_text("תוצאה אחת מתוך מסמך אחד")
    page.locator("#kind-circular").check()
    expect(page).to_have_url(f"{asgi_server}/?q=deposit&topic=1&kind=circular")
    expect(page.locator("#kind-circular")).to_be_focused()
    page.locator("#label-rent").check()
    expect(page).to_have_url(f"{asgi_server}/?q=deposit&topic=1&kind=circular&label=rent")
    expect(page.locator(".filter-chips .chip")).to_have_count(2)
    page.locator(".dates summary").click()
    page.locator("#published-from").fill("2030-01-01")
    page.keyboard.press("Tab")
    expect(page.locator(".nothing")).to_be_visible()
    page.go_back()
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator("#published-from")).to_have_value("")
    page.reload()
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator("#label-rent")).to_be_checked()
    page.locator(".filter-chips .chip").first.click()
    expect(page).to_have_url(f"{asgi_server}/?q=deposit&topic=1&label=rent")


def test_labels_groups_and_the_order_are_chosen_from_the_keyboard_and_kept(
    reader: Page, asgi_server: str, others: None
) -> None:
    page = reader
    page.goto(f"{asgi_server}/?q=deposit")
    page.locator("#group").focus()
    page.keyboard.press("Space")
    expect(page).to_have_url(f"{asgi_server}/?q=deposit&group=document")
    expect(page.locator("#group")).to_be_focused()
    expect(page.locator("[data-announce]")).to_contain_text("2 documents")
    page.locator("#sort").select_option("oldest")
    expect(page).to_have_url(f"{asgi_server}/?q=deposit&sort=oldest&group=document")
    page.locator("#label-rent").press("Space")
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator("#label-rent")).to_be_focused()
    page.locator("#search-box").fill("הפיקדון")
    page.keyboard.press("Enter")
    expect(page.locator(".nothing")).to_be_visible()
    page.locator(".choice", has_text="שכירות").locator("input").check()
    expect(page.locator(".filter-chips .chip")).to_have_count(2)
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator("#group")).to_be_checked()
    expect(page.locator("#sort")).to_have_value("oldest")
    page.locator(".filter-chips .chip").first.click()
    expect(page.locator(".filter-chips .chip")).to_have_count(1)
    expect(page.locator("#group")).to_be_checked()


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
    page.keyboard.press("?")
    page.locator("[data-keys-on]").uncheck()
    page.reload()
    page.keyboard.press("?")
    expect(page.locator("[data-keys-on]")).not_to_be_checked()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("#search-box")).not_to_be_focused()


@pytest.mark.deep
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
        f"/?q={quote('סעיף 90 לחוק הגנת השוכר')}",
        f"/?q={quote('חוק הגנת השוכר')}",
        "/?q=zebra&topic=1&kind=law",
        f"/?q={quote('הוראה')}&group=document&sort=newest&label=rent&label={make_label('שכירות').slug}",
        '/?q="deposit+zebra"&sort=oldest',
        "/?q=deposit&topic=999",
        f"/?ask=1&q={quote(QUESTION)}",
        "/?ask=1&q=Who+won+the+deposit+chess+championship+of+Iceland",
        f"/ask/?q={quote(QUESTION)}",
        f"/documents/{chunk.source_id}/?chunk={chunk.pk}&q=%D7%94%D7%A4%D7%99%D7%A7%D7%93%D7%95%D7%9F",
        "/documents/9999/",
    ]
    found: list[str] = []
    for _ in both_looks(page):
        for path in paths:
            page.goto(asgi_server + path)
            if "ask=1" in path:
                expect(page.locator(".nearest")).to_be_visible()
            if page.locator(".filter-panel > summary").is_visible():
                page.locator(".filter-panel > summary").click()
            for thumb in page.locator("#feedback-yes").all():
                thumb.click()
                expect(page.locator("#feedback-note")).to_be_visible()
            for cite in page.locator(".cite[data-cited]").all()[:1]:
                cite.focus()
            found += looks_wrong(page)
    assert found == []
    assert all("404" in complaint or "400" in complaint for complaint in complaints)
    complaints.clear()
