"""What a narrow window has in one line, and leaves out; and what paper leaves out."""

from datetime import date
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from sources.models import Source
from tests.browser.languages import EACH
from tests.browser.search_page import FIRST, QUESTION, speak
from tests.search.corpus import add_document

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
TITLE = "Book Lending Act 2021"
ACT = f"""{TITLE}
1. Definitions
“Reader” means who has a card.
2. A reader's right to borrow books from the library
A reader may borrow five books, as section 1 defines readers."""


def box(locator: Locator) -> dict[str, Any]:
    found = locator.bounding_box()
    assert found is not None
    return dict(found)


def in_one_line(one: Locator, other: Locator) -> bool:
    first, second = box(one), box(other)
    return bool(first["y"] < second["y"] + second["height"] and second["y"] < first["y"] + first["height"])


@pytest.fixture
def phone(staff_page: Page, context: BrowserContext, asgi_server: str, request: pytest.FixtureRequest) -> Page:
    speak(context, asgi_server, request.getfixturevalue("language"))
    staff_page.set_viewport_size({"width": 390, "height": 844})
    return staff_page


@pytest.mark.parametrize("language", EACH)
def test_numbers_and_menus_stand_in_the_line_of_their_heading(
    phone: Page, asgi_server: str, law: Source, language: str
) -> None:
    phone.goto(f"{asgi_server}/?q=הפיקדון")
    hit = phone.locator(".hit").filter(has_text=FIRST)
    assert in_one_line(hit.locator(".no"), hit.locator("h3 a"))
    old = add_document(ACT, kind="law", title=TITLE, valid_from=date(2021, 1, 1), valid_to=date(2023, 1, 1))
    new = add_document(
        ACT.replace("five", "nine"), kind="law", title=TITLE, work_id=old.work_id, valid_from=date(2023, 1, 1)
    )
    phone.goto(f"{asgi_server}/documents/{new.pk}/")
    head = phone.locator(".provision-head").nth(1)
    expect(head.locator(".provision-menu")).to_be_visible()
    assert in_one_line(head.locator("h2, h3").first, head.locator(".provision-menu"))
    phone.locator("#versions-title").click()
    expect(phone.locator(".version-line")).to_be_visible()
    # Nobody has keys here to be told of, and the menu tells them.
    expect(phone.locator("main [data-opens=keys]")).to_be_hidden()
    phone.goto(f"{asgi_server}/documents/{new.pk}/compare/{old.pk}/")
    assert in_one_line(phone.locator("main [data-keep]"), phone.locator("main [data-export] summary"))


def test_paper_has_nothing_to_click(staff_page: Page, asgi_server: str, law: Source) -> None:
    staff_page.goto(f"{asgi_server}/ask/?q={QUESTION}")
    expect(staff_page.locator(".citations [data-keep]").first).to_be_visible()
    expect(staff_page.locator("details:not([open]) > summary:visible").first).to_be_visible()
    staff_page.emulate_media(media="print")
    expect(staff_page.locator(".citations li").first).to_be_visible()
    expect(staff_page.locator("main [data-keep]:visible, details:not([open]) > summary:visible")).to_have_count(0)
