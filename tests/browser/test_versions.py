"""The day of a search, and the versions of a document, in both languages, wide and narrow."""

import re
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sources.models import Source
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.languages import EACH
from tests.browser.search_page import speak
from tests.search.corpus import add_document

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
TITLE = 'חוק השאלת ספרים, התשפ"א–2021'
SAID = {
    "en": ("In force on", "Versions", "As it was until", "Today's text"),
    "he": ("בתוקף ביום", "נוסחים", "כפי שהיה עד", "הנוסח של היום"),
}
DAY = {"en": ("1 June 2022", "1 Jun 2022"), "he": ("1/6/2022", "1.6.2022")}  # as it is typed and as it is shown


def act(number: str, **days: Any) -> Source:
    text = f"{TITLE}\n1. זכות השאלה\nתושב זכאי לשאול {number} ספרים בכל חודש מן הספרייה."
    return add_document(text, kind="law", title=TITLE, **days)


@pytest.fixture
def versions(transactional_db: None) -> tuple[Source, Source]:
    old = act("חמישה", valid_from=date(2021, 1, 1), valid_to=date(2023, 1, 1))
    return old, act("תשעה", work_id=old.work_id, valid_from=date(2023, 1, 1))


def test_a_day_beside_the_topic_stays_in_the_address_and_leads_to_its_version(
    reader: Page, context: BrowserContext, asgi_server: str, versions: tuple[Source, Source]
) -> None:
    page, (old, new) = reader, versions
    for language, (day, title, ended, today) in SAID.items():
        context.clear_cookies(name="kb_law_day")
        speak(context, asgi_server, language)
        page.goto(f"{asgi_server}/?q=כמה ספרים זכאי תושב לשאול")
        expect(page.locator(".hit").first).to_contain_text("תשעה")
        page.locator(".search-day summary").click()
        typed, written = DAY[language]
        page.get_by_label(day, exact=True).fill(typed)
        page.keyboard.press("Tab")
        expect(page.locator(".hit").first).to_contain_text("חמישה")
        expect(page).to_have_url(re.compile("as_of=2022-06-01"))
        page.reload()
        box = page.get_by_label(day, exact=True)
        expect(box).to_have_value(written)
        box.fill(typed.replace("1", "31", 1))  # June has none
        box.blur()
        assert "31" in box.evaluate("box => box.validationMessage")
        expect(page).to_have_url(re.compile("as_of=2022-06-01"))
        box.fill("2022-06-01")
        box.blur()
        expect(box).to_have_value(written)
        for _ in both_looks(page):
            assert looks_wrong(page) == []
        page.goto(f"{asgi_server}/documents/{old.pk}/")
        expect(page.get_by_text(ended)).to_be_visible()
        page.locator("#versions-title").click()
        expect(page.get_by_role("navigation", name=title).get_by_role("link")).to_have_count(2)
        for _ in both_looks(page):
            assert looks_wrong(page) == []
        page.wait_for_load_state("networkidle")  # the contents are read apart
        page.get_by_role("link", name=today).click()
        expect(page).to_have_url(f"{asgi_server}/documents/{new.pk}/")
        page.wait_for_load_state("networkidle")


def test_the_address_of_a_day_keeps_its_provision_and_version(
    reader: Page, context: BrowserContext, asgi_server: str, versions: tuple[Source, Source]
) -> None:
    page, (old, new) = reader, versions
    for language, (open_, none, after) in {
        "en": ("The text that was in force on", "No version of it was in force on", "in force"),
        "he": ("הנוסח שהיה בתוקף ביום", "שום נוסח שלו לא היה בתוקף ביום", "בתוקף"),
    }.items():
        speak(context, asgi_server, language)
        page.goto(f"{asgi_server}/works/{old.work_id}/?as_of=2022-06-01#sec_1")
        expect(page).to_have_url(f"{asgi_server}/documents/{old.pk}/#sec_1")
        expect(page.locator("#sec_1")).to_be_in_viewport()
        page.locator("#versions-title").click()
        page.get_by_label(open_).fill("2020-12-31")
        page.locator(".version-day > button").click()
        expect(page.get_by_text(none)).to_be_visible()
        expect(page.locator(".version-line a")).to_have_count(2)
        for _ in both_looks(page):
            assert looks_wrong(page) == []
        page.get_by_label(open_).fill("2023-01-01")
        page.locator(".version-day > button").click()
        expect(page).to_have_url(f"{asgi_server}/documents/{new.pk}/")
        expect(page.locator(".document-head .days").first).to_have_text(after)
        for _ in both_looks(page):
            assert looks_wrong(page) == []
        page.wait_for_load_state("networkidle")


PARTS = """חוק בתי קפה, התש"ף–2020
1. רישיון
בית קפה יחזיק רישיון בתוקף מאת הרשות המקומית.
2. שעות סגירה
בית קפה ייסגר בשעה עשר בלילה.
2. שעות סגירה
(החל מיום 1.7.2021): בית קפה ייסגר בשעת חצות.
3. (עד יום 30.6.2021): פטור מאגרה יינתן לבית קפה קטן.
4. אגרת רישיון
(א) אגרת רישיון תשולם בדואר.(החל מיום 1.7.2021): אגרת רישיון תשולם ברשת.
(ב) (הוראת שעה עד יום 31.12.2199): אגרה ששולמה לא תוחזר, אלא אם כן –
(1) הרישיון לא ניתן;
(2) הבקשה נמשכה.
(ג) סכום האגרה יתעדכן בכל שנה."""
READS = {"en": "superseded in force until 30 Jun 2021", "he": "הוחלף בתוקף עד 30.6.2021"}


def test_the_days_of_a_provision_stand_at_its_text(
    reader: Page, context: BrowserContext, asgi_server: str, transactional_db: None
) -> None:
    page = reader
    source = add_document(PARTS, kind="law", title='חוק בתי קפה, התש"ף–2020')
    for language, said in READS.items():
        speak(context, asgi_server, language)
        page.goto(f"{asgi_server}/documents/{source.pk}/")
        expect(page.locator(".text-days")).to_have_count(6)
        expect(page.locator(".text-days .superseded")).to_have_count(2)
        expect(page.locator("#sec_2 + .text-days")).to_have_text(said)
        page.wait_for_load_state("networkidle")
        for _ in both_looks(page):
            assert looks_wrong(page) == []
        page.goto(f"{asgi_server}/?q=באיזו שעה ייסגר בית קפה&as_of=2021-06-30")
        expect(page.locator(".hit").first).to_contain_text("עשר בלילה")
        expect(page.locator(".hit", has_text="בשעת חצות")).to_have_count(0)
        expect(page.locator(".hit .days").first).to_be_visible()
        for _ in both_looks(page):
            assert looks_wrong(page) == []


@pytest.mark.parametrize("language", EACH)
def test_a_day_that_is_chosen_once_holds_on_all_pages_until_it_is_put_back(
    language: str, staff_page: Page, context: BrowserContext, asgi_server: str, versions: tuple[Source, Source]
) -> None:
    page, (old, new) = staff_page, versions
    strip, asked = page.locator("#law-day form"), f"{asgi_server}/?q=כמה ספרים זכאי תושב לשאול"
    speak(context, asgi_server, language)
    page.goto(f"{asked}&as_of=2022-06-01")  # a link is of that page alone
    expect(page.locator(".hit").first).to_contain_text("חמישה")
    page.goto(asked)
    expect(strip).to_have_count(0)
    page.locator(".search-day summary").click()
    page.locator("#as-of").fill("2022-06-01")
    page.keyboard.press("Tab")
    expect(strip).to_be_visible()
    for _ in both_looks(page):
        assert looks_wrong(page) == []
    page.goto(asked)
    expect(page.locator(".hit").first).to_contain_text("חמישה")
    page.goto(f"{asked}&ask=1")
    expect(page.locator(".answer-text")).to_contain_text("חמישה")
    page.goto(f"{asgi_server}/works/{old.work_id}/")
    expect(page).to_have_url(f"{asgi_server}/documents/{old.pk}/")
    page.goto(f"{asgi_server}/documents/{new.pk}/")
    for _ in both_looks(page):
        assert looks_wrong(page) == []
    page.locator("[data-then]").click()
    expect(page).to_have_url(f"{asgi_server}/documents/{old.pk}/")
    page.goto(f"{asgi_server}/documents/")
    expect(page.locator(f".hit a[href='/documents/{old.pk}/']")).to_be_visible()
    page.goto(f"{asgi_server}/check/")
    expect(page.locator("#check-day")).to_have_value(DAY[language][1])
    page.goto(f"{asked}&as_of=2022-06-01")
    strip.get_by_role("button").click()
    expect(strip).to_have_count(0)
    expect(page.locator(".hit").first).to_contain_text("תשעה")
