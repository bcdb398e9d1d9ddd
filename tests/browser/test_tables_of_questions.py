"""Tables of questions in both languages, wide and narrow: making one, and deciding its cells by keys."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from keeping.models import TableCell
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.search_page import speak
from tests.keeping.tables.made import BEGINS, RENT, fill, lease, table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
SUBLET = {"title": "Subletting", "question": "Shall the tenant sublet the workshop?", "type": "yes_no"}
SAID = {"en": ("New table…", "Lease", "Make the table"), "he": ("לוח חדש…", "חוזה שכירות", "יצירת הלוח")}


@pytest.mark.parametrize("language", SAID)
def test_a_table_is_made_and_decided_by_keys(
    language: str, staff_page: Page, context: BrowserContext, asgi_server: str
) -> None:
    new, template, make = SAID[language]
    page = staff_page
    speak(context, asgi_server, language)
    page.set_viewport_size({"width": 1440, "height": 900})
    for number in (1, 2, 3):
        lease(number)
    page.goto(f"{asgi_server}/tables/")
    for _ in both_looks(page):
        assert looks_wrong(page) == []
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name=new).click()
    page.locator("#id_name").fill("Leases of the yard")
    page.locator("#id_template").select_option(label=template)
    assert looks_wrong(page) == []
    page.get_by_role("button", name=make).click()
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page.locator("thead th")).to_have_count(12)

    one = table(BEGINS, RENT, SUBLET, by="dana")
    fill()
    page.goto(f"{asgi_server}/tables/{one.pk}/")
    expect(page.locator("tbody tr")).to_have_count(3)
    assert page.locator("tbody th").first.evaluate("one => getComputedStyle(one).position") == "sticky"
    for _ in both_looks(page):
        assert looks_wrong(page) == []
    page.set_viewport_size({"width": 1440, "height": 900})
    first, _rent, third = TableCell.objects.filter(table=one).order_by("row_id", "column_id")[:3]
    page.locator(f"#cell-{first.pk}").click()
    expect(page.locator("mark")).to_have_text("The lease begins on 1 May 2021.")
    for _ in both_looks(page):
        assert looks_wrong(page) == []
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("c")
    expect(page).to_have_url(f"{asgi_server}/tables/{one.pk}/cells/{_rent.pk}/")
    page.keyboard.press("x")
    expect(page).to_have_url(f"{asgi_server}/tables/{one.pk}/cells/{third.pk}/")
    page.keyboard.press("e")
    page.keyboard.press("Control+a")
    page.keyboard.type("no")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.keyboard.press("u")
    expect(page).to_have_url(f"{asgi_server}/tables/{one.pk}/")
    decided = TableCell.objects.filter(table=one).order_by("row_id", "column_id").values_list("decision", flat=True)
    assert list(decided)[:4] == ["confirmed", "rejected", "edited", ""]
