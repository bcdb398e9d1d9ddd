"""What leaves a page as a file, and what is copied from it: in both languages, wide and narrow."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sources.models import Source
from tests.browser.axe import both_looks, complaints_of_axe, look
from tests.browser.languages import EACH
from tests.browser.search_page import FIRST, ask, speak
from tests.keeping.exports.made import footnotes
from tests.search.corpus import add_document
from tests.sources.changes.laws import NEW, OLD, TITLE

pytestmark = pytest.mark.django_db(transaction=True)
SELECT = """([from, to]) => {
  const [first, last] = [document.querySelector(from), document.querySelector(to)];
  getSelection().setBaseAndExtent(first, 0, last, last.childNodes.length);
}"""
EXPORT = {"en": "Export", "he": "ייצוא"}


def copied(page: Page, first: str, last: str = "") -> tuple[str, str]:
    """What the clipboard gets of what stands between two elements: as text, and as HTML."""
    page.evaluate(SELECT, [first, last or first])
    page.keyboard.press("Control+c")
    read = """async () => {
      const [item] = await navigator.clipboard.read();
      const html = item.types.includes("text/html") ? await (await item.getType("text/html")).text() : "";
      return [await (await item.getType("text/plain")).text(), html];
    }"""
    text, html = page.evaluate(read)
    return text, html


def downloaded(page: Page, menu: str, link: str) -> bytes:
    page.locator(f"{menu} > summary").click()
    with page.expect_download() as waiting:
        page.locator(f"{menu} a[href*='{link}']").click()
    return Path(waiting.value.path()).read_bytes()


@pytest.mark.parametrize("language", EACH)
def test_an_answer_and_a_search_leave_as_files(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source, language: str
) -> None:
    page = reader
    speak(context, asgi_server, language)
    page.goto(asgi_server)
    ask(page)
    menu = "[data-leaving] .menu"
    expect(page.locator(menu)).to_be_visible()
    for _ in both_looks(page):
        assert look(page, f"export-answer-{language}") == []
    page.locator(f"{menu} > summary").click()
    page.keyboard.press("Escape")
    expect(page.locator(f"{menu} > summary")).to_be_focused()
    assert len(footnotes(downloaded(page, menu, ".docx"))) == page.locator("[data-citations] li").count()
    [item] = json.loads(downloaded(page, menu, "format=csl"))
    assert item["title"] == law.title
    page.goto(f"{asgi_server}/?q=פיקדון")
    for _ in both_looks(page):
        assert look(page, f"export-search-{language}") == []
    page.locator("#results .menu > summary").click()
    assert complaints_of_axe(page, within="#results .menu") == []
    page.keyboard.press("Escape")
    assert downloaded(page, "#results .menu", ".md").decode().count("[^1]:") == 1


@pytest.mark.parametrize("language", EACH)
def test_a_provision_and_a_comparison_leave_as_files(
    reader: Page, context: BrowserContext, asgi_server: str, transactional_db: None, language: str
) -> None:
    page = reader
    speak(context, asgi_server, language)
    old, new = (add_document(text, title=TITLE, kind="law") for text in (OLD, NEW))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{asgi_server}/documents/{new.pk}/#sec_2")
    menu = ".panel [data-export]"
    expect(page.locator(menu)).to_be_visible()
    expect(page.locator(f"{menu} a").first).to_have_attribute("href", re.compile(r"/provisions/sec_2\.docx"))
    page.locator(f"{menu} > summary").click()
    assert look(page, f"export-provision-{language}") == []
    page.locator(f"{menu} > summary").click()
    assert "תשעה ספרים" in downloaded(page, menu, ".md").decode()
    page.locator("#sec_4 [data-menu]").click()
    page.locator("dialog [data-export] > summary").click()
    link = page.locator("dialog [data-export] a").first
    expect(link).to_have_attribute("href", re.compile(r"/provisions/sec_4\.docx"))
    for _ in both_looks(page):
        assert look(page, f"export-dialog-{language}") == []
    page.goto(f"{asgi_server}/documents/{old.pk}/compare/{new.pk}/")
    page.get_by_text(EXPORT[language], exact=True).click()
    for _ in both_looks(page):
        assert look(page, f"export-compare-{language}") == []
    page.keyboard.press("Escape")
    assert "~~חמישה~~" in downloaded(page, "main .menu", ".md").decode()
    expect(page.locator("main .menu")).not_to_have_attribute("open", "")


def test_what_is_copied_brings_its_citation(
    reader: Page, context: BrowserContext, asgi_server: str, transactional_db: None
) -> None:
    page = reader
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=asgi_server)
    law = add_document(NEW, title=TITLE, kind="law")
    address = f"{asgi_server}/documents/{law.pk}/"
    page.goto(f"{address}#sec_2")
    line = page.locator(".line", has_text="תשעה ספרים")
    line.evaluate("one => { one.id = 'nine'; }")
    text, html = copied(page, "#nine")
    assert text.startswith("תושב זכאי לשאול תשעה ספרים")
    assert text.split("\n\n")[-1] == f"סעיף 2 ל{TITLE}\n{address}#sec_2"
    assert '<div dir="rtl">' in html
    assert f'<a href="{address}#sec_2">' in html
    both, _html = copied(page, "#sec_2", "#sec_4")
    assert f"סעיף 2 ל{TITLE} – סעיף 4 ל{TITLE}" in both
    assert both.startswith("2. זכות השאלה\n")
    assert "⋯" not in both
    short, plain = copied(page, "#sec_2 h3")
    assert "זכות השאלה" in short
    assert TITLE not in short + plain


def test_results_and_answers_are_copied_with_theirs(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source
) -> None:
    page = reader
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=asgi_server)
    page.goto(f"{asgi_server}/?q=פיקדון")
    text, html = copied(page, ".hit .hit-text")
    assert f"סעיף 57 ל{law.title}\n" in text
    assert f"{asgi_server}/documents/{law.pk}/?q=" in text
    assert "<mark>" in html
    ask(page)
    expect(page.locator("[data-copy]")).to_be_visible()
    text, html = copied(page, ".answer-text")
    assert text.startswith(FIRST)
    assert f"[1] {law.title}, סעיף 57" in text
    assert f"{asgi_server}/documents/{law.pk}/?quote=" in text
    page.evaluate("document.querySelector('.hero, h1').textContent += ' and more words than twenty'")
    text, _html = copied(page, "h1")
    assert "documents" not in text
