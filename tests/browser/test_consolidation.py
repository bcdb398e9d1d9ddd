"""Confirming an amending act from the keyboard: instruction by instruction, then the version of the act."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ingest.models import Job
from tests.browser.axe import both_looks, look
from tests.browser.languages import EACH
from tests.browser.search_page import speak
from tests.ingest.consolidation.acts import ports, reform, stored

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("language", EACH)
def test_instructions_are_confirmed_by_keys_and_become_a_version(
    staff_page: Page, context: BrowserContext, asgi_server: str, tmp_path: Path, language: str
) -> None:
    page = staff_page
    act, amending = ports(tmp_path), reform(tmp_path)
    speak(context, asgi_server, language)
    page.goto(f"{asgi_server}/library/{amending.pk}/consolidation/")
    for _ in both_looks(page):
        assert look(page, f"consolidation-{language}") == []
    page.keyboard.press("j")
    page.keyboard.press("Space")
    page.keyboard.press("j")
    page.keyboard.press("Space")
    expect(page.locator("[data-count]")).to_have_text("(2)")
    page.keyboard.press("s")
    expect(page.locator(".messages, [role=status]").first).to_be_visible()
    made = stored(Job.objects.get(consolidation__base=act.pk))
    page.goto(f"{asgi_server}/documents/{made.pk}/")
    for _ in both_looks(page):
        assert look(page, f"consolidated-{language}") == []
    page.locator("details.consolidation summary").click()
    page.locator("details.consolidation a").first.click()
    expect(page).to_have_url(f"{asgi_server}/documents/{amending.pk}/#sec_1")
