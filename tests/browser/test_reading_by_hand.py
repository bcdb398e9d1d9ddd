"""Reading with keys, and on a phone: what leads on is told and stays at hand."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sources.models import Source
from tests.browser.axe import NARROW, look
from tests.browser.languages import EACH
from tests.browser.search_page import speak
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def act(transactional_db: None) -> Source:
    return add_document(
        "\n".join(f"{n}. כותרת {n}\n(א) הוראה {n}." for n in range(1, 60)), kind="law", title="חוק ארוך"
    )


@pytest.mark.parametrize(("language", "said"), [("en", "next section"), ("he", "הסעיף הבא")])
def test_the_keys_are_told(
    reader: Page, context: BrowserContext, asgi_server: str, act: Source, language: str, said: str
) -> None:
    page = reader
    speak(context, asgi_server, language)
    page.goto(f"{asgi_server}/documents/{act.pk}/")
    page.wait_for_load_state("networkidle")
    page.locator("h1").click()
    page.keyboard.press("?")
    dialog = page.locator("#keys")
    expect(dialog).to_contain_text(said)
    assert look(page, f"keys-{language}") == []
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("[data-where]")).to_have_text("2. כותרת 2")


@pytest.mark.parametrize("language", EACH)
def test_on_a_phone_find_and_contents_stay_at_hand_and_hide_no_heading(
    reader: Page, context: BrowserContext, asgi_server: str, act: Source, language: str
) -> None:
    page = reader
    speak(context, asgi_server, language)
    page.set_viewport_size(NARROW)
    page.goto(f"{asgi_server}/documents/{act.pk}/#sec_40")
    page.wait_for_load_state("networkidle")
    expect(page.locator("[data-where]")).to_have_text("40. כותרת 40")
    field, head = page.locator("[data-find] input"), page.locator("#sec_40")
    expect(field).to_be_in_viewport()
    below, top = field.bounding_box(), head.bounding_box()
    assert below
    assert top
    assert below["y"] + below["height"] <= top["y"]
    assert look(page, f"phone-{language}") == []
    page.locator("[data-to-contents]").click()
    expect(page.locator("[data-eid=sec_1]")).to_be_in_viewport()


def test_definitions_more_like_it_the_size_of_type_and_where_one_was(
    staff_page: Page, asgi_server: str, transactional_db: None
) -> None:
    text = '1. Definitions\n"boat" means a thing that floats.\n2. Fee\nWhoever has a boat pays a mooring fee.\n'
    boats = add_document(text, kind="law", title="Boats Act")
    add_document("1. Fee\nWhoever has a ship pays a mooring fee.\n", kind="law", title="Ships Act")
    page = staff_page
    page.goto(f"{asgi_server}/documents/{boats.pk}/#sec_2")
    page.locator("a.term").focus()
    expect(page.locator("[data-preview]")).to_have_text('"boat" means a thing that floats.')
    page.keyboard.press("Escape")
    page.locator("[data-similar] summary").click()
    expect(page.locator("[data-similar] .row").first).to_have_text("Ships Act")
    usual = page.locator(".line").first.evaluate("line => parseFloat(getComputedStyle(line).fontSize)")
    page.locator(".document-head .menu summary").click()
    page.get_by_role("button", name="Large type").click()
    page.reload()
    assert page.locator(".line").first.evaluate("line => parseFloat(getComputedStyle(line).fontSize)") > usual
    page.goto(asgi_server)
    been = page.locator("[data-been] a")
    expect(been).to_have_text("Boats Act")
    been.click()
    page.wait_for_url(f"**/documents/{boats.pk}/**")


def test_a_search_is_a_place_where_one_was(staff_page: Page, asgi_server: str, transactional_db: None) -> None:
    add_document("1. דמי עגינה\nבעל סירה ישלם דמי עגינה.\n", kind="law", title="חוק הסירות")
    page = staff_page
    page.goto(f"{asgi_server}/")
    page.locator("#search-box").fill("דמי עגינה")
    page.keyboard.press("Enter")
    expect(page.locator("#results")).to_contain_text("חוק הסירות")
    for _ in range(200):  # it is kept when it has been shown
        if page.evaluate("Object.keys(localStorage).some((key) => key.startsWith('kb-been-'))"):
            break
        page.wait_for_timeout(50)
    page.goto(f"{asgi_server}/documents/")
    page.goto(asgi_server)
    been = page.locator("[data-been] li")
    expect(been).to_have_text(["דמי עגינהSearch"])
    been.get_by_role("link").click()
    expect(page.locator("#search-box")).to_have_value("דמי עגינה")
    expect(page.locator("#results")).to_contain_text("חוק הסירות")
