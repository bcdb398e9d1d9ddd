"""What changed between two versions, and the history of a provision, in both languages, wide and narrow."""

import re
from datetime import date

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sources.models import Source
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.languages import EACH
from tests.browser.search_page import speak
from tests.keeping.notebooks.notes import gardens_act
from tests.search.corpus import add_document

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
TITLE = 'חוק השאלת ספרים, התשפ"א–2021'
ACT = f"""{TITLE}
1. הגדרות
בחוק זה, "קורא" – מי שהספרייה הנפיקה לו כרטיס קורא.
2. זכות השאלה
(א) קורא זכאי לשאול חמישה ספרים בכל חודש מן הספרייה.
(ב) הספרן רשאי לקצר את תקופת ההשאלה אם קורא אחר ביקש את הספר.
3. קנס
קורא שהחזיר ספר באיחור ישלם שקל אחד לכל יום של איחור."""
LATER = ACT.replace("חמישה ספרים", "תשעה ספרים ומפה אחת").replace(
    "3. קנס", "3. מפות\nמפה אינה יוצאת מחדר המפות, אלא ברשות הספרן.\n4. קנס"
)
SAID = {
    "en": ("What changed from the version before", "Two columns", "added: ", "History", "Copy or open:"),
    "he": ("מה השתנה מהנוסח הקודם", "שני טורים", "נוסף: ", "תולדות", "העתקה או פתיחה:"),
}


@pytest.fixture
def versions(transactional_db: None) -> tuple[Source, Source]:
    old = add_document(ACT, kind="law", title=TITLE, valid_from=date(2021, 1, 1), valid_to=date(2023, 1, 1))
    return old, add_document(LATER, kind="law", title=TITLE, work_id=old.work_id, valid_from=date(2023, 1, 1))


def test_a_reader_sees_changes_as_text_columns_and_history(
    page: Page, context: BrowserContext, asgi_server: str, versions: tuple[Source, Source], complaints: list[str]
) -> None:
    old, new = versions
    for language, (compare, columns, added, history, menu) in SAID.items():
        speak(context, asgi_server, language)
        page.goto(f"{asgi_server}/documents/{new.pk}/")
        page.wait_for_load_state("networkidle")  # the contents are read apart
        page.get_by_role("link", name=compare).click()
        expect(page).to_have_url(f"{asgi_server}/documents/{old.pk}/compare/{new.pk}/")
        expect(page.locator("article.change")).to_have_count(3)
        expect(page.locator("article.change").first.locator("ins").first).to_contain_text("תשעה")
        expect(page.locator("article.change").first.locator("ins").first).to_contain_text(added)
        for _ in both_looks(page):
            assert looks_wrong(page) == []
        page.get_by_role("link", name=columns).click()
        expect(page).to_have_url(re.compile(r"\?view=columns$"))
        expect(page.locator(".change .beside-row").first).to_be_visible()
        for _ in both_looks(page):
            assert looks_wrong(page) == []
        page.goto(f"{asgi_server}/documents/{new.pk}/#sec_2")
        page.wait_for_load_state("networkidle")
        page.locator("#sec_2").get_by_role("button", name=menu).click()
        page.get_by_role("dialog").get_by_role("link", name=history).click()
        expect(page).to_have_url(f"{asgi_server}/documents/{new.pk}/history/?eid=sec_2")
        expect(page.locator("ol.standings > li")).to_have_count(2)
        for _ in both_looks(page):
            assert looks_wrong(page) == []
    assert complaints == []


@pytest.mark.parametrize("language", EACH)
def test_a_provision_is_read_beside_another(
    language: str, reader: Page, context: BrowserContext, asgi_server: str, transactional_db: None
) -> None:
    act = gardens_act()
    speak(context, asgi_server, language)
    page = reader
    page.goto(f"{asgi_server}/documents/{act.pk}/")
    page.locator("#sec_3 [data-menu]").click()
    page.locator("[data-provision-dialog] a[href*='/beside/']").click()
    page.locator("main [name=q]").fill("section 5")
    page.keyboard.press("Enter")
    expect(page.locator(".beside-row section")).to_have_count(2)
    expect(page.locator(".beside-row")).to_contain_text("Three hives")
    for _ in both_looks(page):
        assert looks_wrong(page) == []
