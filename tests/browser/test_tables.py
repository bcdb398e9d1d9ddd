"""Tables of documents in search results and on the reading page, in both languages, wide and narrow."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sources.models import Source
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.search_page import speak
from tests.search.corpus import add_document
from tests.search.test_tables import HEAD, ROWS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


@pytest.fixture
def tolls(transactional_db: None) -> Source:
    wide = "\n".join("\t".join(f"{word} {number}" for number in range(14)) for word in ("Class", "a", "b"))
    text = "\n".join(["תעריפים.", HEAD, *ROWS, "סוף.", wide])
    return add_document(text, kind="circular", title="חוזר הגשרים")


def test_a_table_is_a_table_wherever_it_is_shown(
    reader: Page, context: BrowserContext, asgi_server: str, tolls: Source
) -> None:
    page = reader
    for language in ("en", "he"):
        speak(context, asgi_server, language)
        page.goto(f"{asgi_server}/?q=אגרה משאית מסוג 131")
        for _ in both_looks(page):
            hit = page.locator(".hit").first.locator("table").first
            expect(hit.get_by_role("columnheader", name="אגרה בשקלים")).to_be_visible()
            row = hit.get_by_role("row").filter(has_text="מסוג 131")
            first, second = (row.get_by_role("cell").nth(place).bounding_box() for place in (0, 1))
            assert first
            assert second
            assert first["x"] > second["x"]  # the first column of a Hebrew table is on the right in either language
            assert looks_wrong(page) == []
        page.goto(f"{asgi_server}/documents/{tolls.pk}/")
        for _ in both_looks(page):
            expect(page.locator(".text-table").first.get_by_role("columnheader")).to_have_text(HEAD.split("\t"))
            assert looks_wrong(page) == []
