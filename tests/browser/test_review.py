"""From dropped files to search results with the keyboard alone, in both languages."""

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, expect

from search.index import engine
from sources.models import Source
from tests.browser.dropping import drop_files

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

DEMO = Path(__file__).resolve().parents[2] / "ingest" / "demo"
FILES = (
    "hok-pikdonot-skhirut.pdf",
    "hozer-2025-1-4.txt",
    "judgment-61405-06-25.docx",
    "move-out-deposit-guide.md",
    "scheme-operators-rules-2025.html",
)


def upload_by_dropping(page: Page, url: str) -> None:
    page.goto(f"{url}/review/upload/")
    drop_files(page, {name: (DEMO / name).read_bytes() for name in FILES})
    expect(page.locator('.upload-item[data-state="accepted"]')).to_have_count(len(FILES))
    page.locator("[data-to-batch]").focus()
    page.keyboard.press("Enter")


def press_until(page: Page, key: str, selector: str) -> None:
    """Press the key, and again if the page was there before its scripts listened, as a person would."""
    for _ in range(10):
        page.keyboard.press(key)
        with contextlib.suppress(AssertionError):
            expect(page.locator(selector)).to_be_visible(timeout=1_000)
            return
    expect(page.locator(selector)).to_be_visible()


def test_five_dropped_files_are_reviewed_by_keyboard_and_found(
    staff_page: Page,
    log_in: Callable[..., None],
    asgi_server: str,
    worker: Popen[bytes],
    start_classifier: Callable[..., Popen[bytes]],
) -> None:
    start_classifier()
    page = staff_page
    log_in(language="he")
    upload_by_dropping(page, asgi_server)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator(".jobs tbody .phase-awaiting_review")).to_have_count(len(FILES))

    tab_to(page, "/start/")
    page.keyboard.press("Enter")
    for number in range(1, len(FILES) + 1):
        page.wait_for_load_state("domcontentloaded")  # the keys are listened to from then on
        expect(page.locator("#confirm")).to_be_enabled()
        press_until(page, "e", 'input[name="kind"]:focus')
        page.keyboard.press("Tab")
        expect(page.locator("#id-title")).to_be_focused()
        if not page.locator("#id-title").input_value():
            page.keyboard.type(f"Document {number}")
        decided = page.url
        page.keyboard.press("Control+Enter")
        expect(page).not_to_have_url(decided)  # the message of the last one is like that of this one
        expect(page.locator(".message.success")).to_contain_text("אושר: ")
    assert re.search(r"/review/[0-9a-f-]{36}/$", page.url)
    expect(page.locator(".jobs tbody .phase-done")).to_have_count(len(FILES))
    assert Source.objects.count() == len(FILES)

    engine().maintain()
    assert first_title(asgi_server, "יישוב מחלוקות על פיקדון שמסר שוכר").startswith("חוק הגנה על פיקדונות")
    assert "Scheme Operators" in first_title(asgi_server, "daily reconciliation of the trust account")


def tab_to(page: Page, address: str) -> None:
    """Press Tab until the focus is on a link to an address that ends so."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.href || ''").endswith(address):
            return
    raise AssertionError(f"No link to {address} was reached with Tab.")


def first_title(url: str, query: str) -> str:
    results: list[dict[str, Any]] = requests.post(f"{url}/kb/search", json={"query": query}, timeout=60).json()[
        "results"
    ]
    return str(results[0]["source"]["title"])
