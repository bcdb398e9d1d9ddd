"""A matter in the browser, in both languages: a watch and a check are put in, and one page says what became of all."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect

from keeping.models import NotebookLook, NotebookWatch
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.languages import EACH
from tests.browser.search_page import speak
from tests.keeping.matters.test_api import amend, checked
from tests.keeping.notebooks.notes import gardens_act, kept, notebook
from tests.keeping.watches.watchers import watch, work

pytestmark = pytest.mark.django_db(transaction=True)
SAID = {
    "en": ("Put a watch in…", "Put it in", "Tell what is new", "What has changed", "I have looked at it", "3 changes"),
    "he": ("הוספת מעקב…", "הוספה", "לעדכן אותי בחדש", "מה השתנה מאז", "עיינתי", "3 שינויים"),
}


@pytest.mark.parametrize("language", EACH)
def test_one_page_says_what_became_of_a_matter(
    language: str, staff_page: Page, context: BrowserContext, asgi_server: str
) -> None:
    put_watch, put, tell, changed, looked, three = SAID[language]
    speak(context, asgi_server, language)
    page, act, staff = staff_page, gardens_act(), User.objects.get(is_staff=True)
    work()
    matter = notebook(staff, "Gardens")
    kept(matter, act, "sec_3")
    watch(staff, work_id=act.work_id)

    page.goto(f"{asgi_server}/check/{checked(staff, act).pk}/")
    with page.expect_response(lambda answer: "/notebooks/keep/" in answer.url):
        page.locator(".hit-facts [data-keep]").click()
    expect(page.locator("#toast a")).to_have_count(2)
    page.goto(f"{asgi_server}/?q=hives")
    with page.expect_response(lambda answer: "/notebooks/keep/" in answer.url):
        page.locator(".found-head [data-keep]").click()

    page.goto(f"{asgi_server}/notebooks/{matter.pk}/")
    page.get_by_role("link", name=put_watch).click()
    assert looks_wrong(page) == []
    page.get_by_role("button", name=put, exact=True).click()
    expect(page.locator("#watches .hit")).to_have_count(1)
    page.get_by_role("button", name=tell).click()
    expect(page.locator("#watches .hit")).to_have_count(2)
    assert NotebookWatch.objects.count() == 2

    amend(act)
    page.goto(f"{asgi_server}/notebooks/")
    page.get_by_role("link", name=three).click()
    expect(page.locator("h1")).to_have_text(changed)
    expect(page.locator("ins").first).to_contain_text("five")
    for _ in both_looks(page):
        assert looks_wrong(page) == []
    page.goto(f"{asgi_server}/notebooks/{matter.pk}/")
    for _ in both_looks(page):
        assert looks_wrong(page) == []
    page.get_by_role("link", name=changed).click()
    page.get_by_role("button", name=looked).click()
    expect(page.locator("#watches .waiting")).to_have_count(0)
    assert NotebookLook.objects.get().event_id
    page.get_by_role("link", name=changed).click()
    expect(page.locator("main .hit")).to_have_count(0)
