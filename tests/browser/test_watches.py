"""Watching, in both languages, wide and narrow: a button, the bell, the page, a mail, and the end of mails."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect

from keeping.models import Channel, Watch, WatchWebhook
from keeping.watches.notifications.links import stop_path
from tests.browser.axe import both_looks, look
from tests.browser.search_page import speak
from tests.factories import first_topic
from tests.keeping.watches.watchers import watch, work
from tests.search.corpus import add_document
from tests.sources.changes.laws import act

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
SAID = {
    "en": ("Watch", "You watch this", "Your watches", "Mark all as read", "Told", "by mail once a day", "Save",
           "End the watch", "Give it another address", "Watch this provision", "End the mails"),
    "he": ("מעקב", "במעקב שלכם", "המעקבים שלכם", "סימון הכול כנקרא", "עדכון", "בדוא״ל, פעם ביום", "שמירה",
           "סיום המעקב", "החלפת הכתובת", "מעקב אחר הוראה זו", "הפסקת הדוא״ל"),
}  # fmt: skip


@pytest.mark.parametrize("language", SAID)
def test_a_reader_watches_and_is_told(
    staff_page: Page, context: BrowserContext, asgi_server: str, settings: Any, language: str
) -> None:
    settings.EMAIL_URL = "memorymail://"
    User.objects.filter(username="dana").update(email="dana@acme.example")
    dana = User.objects.get(username="dana")
    page, source = staff_page, act()
    work()
    speak(context, asgi_server, language)
    begin, begun, mine, mark, told, daily, save, end, renew, provision, end_mails = SAID[language]
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{asgi_server}/documents/{source.pk}/#sec_2")
    page.get_by_role("button", name=provision, exact=True).click()
    expect(page.locator(".message.success")).to_be_visible()
    page.get_by_role("button", name=begin, exact=True).click()
    expect(page.get_by_role("link", name=begun, exact=True)).to_be_visible()
    assert set(Watch.objects.values_list("kind", "eid")) == {("work", ""), ("provision", "sec_2")}
    watch(dana, topic_id=first_topic().pk, language=language)
    watch(dana, query="תקנות השאלה בספרייה", language=language)
    for number in range(7):
        text = "1. תחולה\nתקנות השאלה בספרייה חלות על כל תושב."
        add_document(text, kind="regulation", title=f"תקנות השאלה בספרייה {number}")
    work()
    page.goto(f"{asgi_server}/documents/")
    bell = page.get_by_role("link", name=mine)
    expect(bell.locator(".waiting")).to_have_text("7")
    for _ in both_looks(page):
        assert look(page, f"bell-{language}") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    bell.click()
    expect(page.get_by_role("heading", name=mine, level=1)).to_be_visible()
    for _ in both_looks(page):
        assert look(page, f"watches-{language}") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    first = page.locator("li.hit").first
    first.get_by_label(told).select_option(label=daily)
    first.get_by_role("button", name=re.compile(save)).click()
    expect(page.locator("li.hit").first.locator("select")).to_have_value("mail_daily")
    page.get_by_role("button", name=mark).click()
    expect(page.locator(".waiting")).to_have_count(0)
    page.get_by_role("button", name=renew).click()
    expect(page.locator(".message.success")).to_be_visible()
    page.locator('a[href="/watches/webhook/"]').click()
    page.locator("#webhook-url").fill("https://example.org/hook")
    page.get_by_role("button", name=save, exact=True).click()
    expect(page.locator("#webhook-secret")).to_have_value(re.compile("^whsec_"))
    page.goto(f"{asgi_server}/watches/")
    WatchWebhook.objects.update(fault="status", enabled=False)
    page.reload()
    for _ in both_looks(page):
        assert look(page, f"watches-webhook-{language}") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator('a[href="/watches/webhook/end/"]').click()
    page.locator("#dialog button.danger").click()
    expect(page.locator('a[href="/watches/webhook/end/"]')).to_have_count(0)
    count = page.locator("li.hit").count()
    page.get_by_role("button", name=re.compile(end)).first.click()
    expect(page.locator("li.hit")).to_have_count(count - 1)
    context.clear_cookies()
    Watch.objects.update(how=Channel.MAIL_NOW)
    page.goto(asgi_server + stop_path(dana.pk))
    for _ in both_looks(page):
        assert look(page, f"stop-{language}") == []
    page.get_by_role("button", name=end_mails).click()
    expect(page.locator(".message.success")).to_be_visible()
    assert set(Watch.objects.values_list("how", flat=True)) == {"page"}


def test_the_page_is_read_without_anything(staff_page: Page, asgi_server: str) -> None:
    staff_page.goto(f"{asgi_server}/watches/")
    expect(staff_page.locator(".empty")).to_be_visible()
    for _ in both_looks(staff_page):
        assert look(staff_page, "watches-none") == []


def test_what_is_said_stands_in_the_column(staff_page: Page, asgi_server: str) -> None:
    page, source = staff_page, act()
    work()
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for path, name in ((f"/documents/{source.pk}/", "Watch"), ("/watches/", "End the watch")):
            page.goto(asgi_server + path)
            page.get_by_role("button", name=name).first.click()
            said, title = page.locator(".messages .message"), page.locator("h1")
            expect(said).to_be_visible()
            edges = [one.evaluate("one => one.getBoundingClientRect().left") for one in (said, title)]
            assert abs(edges[0] - edges[1]) <= 1, f"{path} at {width}: {edges}"
