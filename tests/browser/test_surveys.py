"""Surveys in both languages, wide and narrow: asking for one, its lists, its certificate, and the next time."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from keeping.models import Survey
from keeping.surveys import making
from tests.browser.axe import both_looks, look
from tests.browser.search_page import speak
from tests.keeping.surveys.reader import text_of
from tests.search.corpus import add_document

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
SAID = {
    "en": ("New survey…", "Make the survey", "No model read anything.", "Make it again", "new"),
    "he": ("סקר חדש…", "עריכת הסקר", "שום מודל לא קרא דבר.", "עריכה מחדש", "חדשה"),
}


@pytest.mark.parametrize("language", SAID)
def test_a_survey_is_made_and_repeated(
    language: str, staff_page: Page, context: BrowserContext, asgi_server: str
) -> None:
    new, make, unread, again, is_new = SAID[language]
    page = staff_page
    speak(context, asgi_server, language)
    for number in (1, 2):
        add_document(
            text_of(number), kind="law", title=f"Ferries Act {number}", unread_pages=[3] if number == 2 else []
        )
    page.goto(f"{asgi_server}/surveys/")
    for _ in both_looks(page):
        assert look(page, f"surveys-none-{language}") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name=new).click()
    page.locator("#id_description").fill("penalties")
    assert look(page, f"surveys-form-{language}") == []
    page.get_by_role("button", name=make).click()
    expect(page.locator("main p[role=status]")).to_be_visible()
    for _ in both_looks(page):
        assert look(page, f"surveys-waits-{language}") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    making.run_next()
    expect(page.locator(".citing > li q").first).to_contain_text("liable to a fine")
    expect(page.locator("dl.facts")).to_contain_text(unread)
    for _ in both_looks(page):
        assert look(page, f"surveys-done-{language}") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    add_document(text_of(3), kind="law", title="Ferries Act 3", unread_pages=[])
    page.get_by_role("button", name=again).click()
    expect(page.locator("main p[role=status]")).to_be_visible()
    making.run_next()
    expect(page.locator(".citing > li b")).to_have_text(is_new)
    for _ in both_looks(page):
        assert look(page, f"surveys-again-{language}") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".citing > li a").first.click()
    expect(page.locator("mark", has_text="liable to a fine")).to_be_visible()
    page.goto(f"{asgi_server}/surveys/")
    expect(page.locator(".list .t")).to_have_text("penalties")
    assert look(page, f"surveys-list-{language}") == []
    assert Survey.objects.get().status == "done"
