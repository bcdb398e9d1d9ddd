"""A long document in print and in the browser's own search: whole, or what is missing is said."""

import re
from datetime import date
from pathlib import Path

import pdfplumber
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sources.models import Source
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.languages import EACH
from tests.browser.long_law import SECTIONS, long_law
from tests.browser.search_page import speak

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["long_law"]  # a fixture


@pytest.mark.deep
def test_print_holds_every_section_and_says_which_are_not_law(
    reader: Page, asgi_server: str, long_law: Source, tmp_path: Path
) -> None:
    page = reader
    Source.objects.filter(pk=long_law.pk).update(valid_from=date(2001, 1, 1), valid_to=date(2011, 2, 3))
    page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    expect(page.locator(".provision-head")).to_have_count(SECTIONS)
    page.pdf(path=tmp_path / "law.pdf")
    with pdfplumber.open(tmp_path / "law.pdf") as printed:
        pages = [one.extract_text() for one in printed.pages]
    text = "\n".join(pages)
    assert [n for n in range(1, SECTIONS + 1) if not re.search(rf"(?<!\d){n}(?!\d)", text)] == []
    assert [n for n, one in enumerate(pages) if "2011" not in one] == []
    assert f"/documents/{long_law.pk}/" in pages[0]


def test_a_part_that_did_not_come_is_named_in_print(
    reader: Page, asgi_server: str, long_law: Source, complaints: list[str]
) -> None:
    page = reader
    page.route("**/part/**", lambda route: route.abort())
    page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    page.emulate_media(media="print")
    said = page.locator(".part:not([data-loaded])").first.evaluate("one => getComputedStyle(one, '::before').content")
    assert "missing here" in said
    page.unroute_all(behavior="ignoreErrors")
    complaints.clear()


def test_a_print_before_the_text_is_whole_fetches_the_rest(
    reader: Page, asgi_server: str, long_law: Source, tmp_path: Path, complaints: list[str]
) -> None:
    page = reader
    page.route("**/part/**", lambda route: route.abort())
    page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    expect(page.locator("[data-rest]")).to_be_visible()
    assert page.locator(".provision-head").count() < SECTIONS
    page.unroute_all(behavior="ignoreErrors")
    page.pdf(path=tmp_path / "law.pdf")  # as the menu of the browser prints: no key of ours, no button
    expect(page.locator(".provision-head")).to_have_count(SECTIONS)
    with pdfplumber.open(tmp_path / "law.pdf") as printed:
        last = printed.pages[-1].extract_text()
    assert str(SECTIONS) in last
    expect(page.locator("[data-rest]")).to_be_hidden()
    complaints.clear()


@pytest.mark.parametrize("language", EACH)
def test_who_uses_the_browsers_find_is_told_that_text_is_missing(
    reader: Page, context: BrowserContext, asgi_server: str, long_law: Source, complaints: list[str], language: str
) -> None:
    page = reader
    speak(context, asgi_server, language)
    page.route("**/part/**", lambda route: route.abort())
    page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    rest = page.locator("[data-rest]")
    expect(rest).to_be_visible()
    found = [wrong for _ in both_looks(page) for wrong in looks_wrong(page)]
    page.unroute_all(behavior="ignoreErrors")
    page.keyboard.press("Control+f")
    expect(page.locator(".provision-head")).to_have_count(SECTIONS)
    expect(rest).to_be_hidden()
    complaints.clear()
    assert found == []
