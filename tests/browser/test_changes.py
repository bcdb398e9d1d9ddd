"""What changed, in both languages, wide and narrow: read, narrowed, and followed to what cites it."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from labels import assign
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.search_page import speak
from tests.factories import make_label, make_topic
from tests.sources.changes.laws import act, amended, citing, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
SAID = {
    "en": (
        "Changes",
        "What changed",
        "Filters",
        "and 1 more",
        "coming",
        "4 changes",
        "Compare with the version before",
    ),
    "he": ("שינויים", "מה השתנה", "סינון", "ועוד אחד", "עתידי", "4 שינויים", "השוואה לנוסח הקודם"),
}


def test_what_changed_is_read_narrowed_and_followed(
    reader: Page, context: BrowserContext, asgi_server: str, transactional_db: None, tmp_path: Path
) -> None:
    page = reader
    old, new = amended(identifier="ס״ח 2900")
    sources = [citing("2", title=f"תקנות השאלה {n}") for n in range(4)]
    assign.add(new, [make_label("ספריות")], by="test")
    act("Reading Rooms Act 2030\n1. Quiet\nReaders are quiet.", title="Reading Rooms Act 2030", valid_from=_in(30))
    act(title="חוק המים", topic=make_topic(name="מים"), valid_to=_in(-3))
    work()
    for language, (link, title, filters, more, coming, count, compare) in SAID.items():
        speak(context, asgi_server, language)
        page.goto(f"{asgi_server}/documents/")
        page.set_viewport_size({"width": 1440, "height": 900})
        page.get_by_role("link", name=link, exact=True).click()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        expect(page.get_by_role("heading", name=count)).to_be_visible()
        expect(page.locator(".change").first).to_contain_text(coming)
        changed = page.locator(".change", has=page.locator(".became"))
        expect(changed.locator(".changed-provisions > li")).to_have_count(3)
        for _ in both_looks(page):
            assert looks_wrong(page) == []
            page.screenshot(path=tmp_path / f"{language}-{page.viewport_size['width']}.png", full_page=True)  # type: ignore[index]
        page.get_by_text(filters, exact=True).click()  # the window is narrow now
        page.locator(".facet-topic").get_by_role("link", name="מים").click()
        expect(page.locator(".change")).to_have_count(1)
        expect(page).to_have_url(re.compile(r"\?topic=\d+$"))
        page.go_back()
        changed.get_by_role("link", name=more).first.click()
        expect(page.locator(".citing q")).to_have_count(4)
        page.go_back()
        changed.get_by_role("link", name=compare).click()
        expect(page).to_have_url(f"{asgi_server}/documents/{old.pk}/compare/{new.pk}/")
        page.go_back()
        changed.get_by_role("link", name=f"{sources[3].title} · תקנה 1").first.click()
        expect(page).to_have_url(f"{asgi_server}/documents/{sources[3].pk}/#sec_1")
        page.wait_for_load_state("networkidle")  # the contents are read apart


def _in(days: int) -> date:
    return timezone.localdate() + timedelta(days=days)
