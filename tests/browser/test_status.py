"""The status page and its failed jobs in the browser: in both languages and on any screen, and the button."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from ingest.models import JobEvent
from tests.browser.axe import both_looks, looks_wrong
from tests.factories import make_job

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "he"])
def test_axe_finds_nothing_and_nothing_is_cut_off(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    JobEvent.objects.create(job=make_job(), to_state="queued", by="test")
    sentence = "Reading the file took longer than 1800 seconds."
    for said in (sentence, "Reading the file took longer than 900 seconds."):
        failed: dict[str, Any] = {"status": "failed", "error_code": "extraction_timeout", "error_message": said}
        file: dict[str, Any] = {"filename": "תקנות הגינון.pdf", "file_key": "", "batch_id": uuid4()}
        make_job(**failed, **file, finished_at=timezone.now())
    make_job(status="failed", error_code="discarded", finished_at=timezone.now(), file_key="")
    page = staff_page
    log_in(language=language)
    found: list[str] = []
    for _ in both_looks(page):
        page.goto(f"{asgi_server}/status/")
        expect(page.get_by_role("table")).to_have_count(3)
        found += looks_wrong(page)
        page.locator("#at-a-glance a[href='#failed-title']").click()
        page.locator("a[href^='/status/failed/?']").first.click()
        expect(page.locator("tbody tr")).to_have_count(1)
        found += looks_wrong(page)
    page.goto(f"{asgi_server}/status/")
    assert found == []
    assert "extraction_timeout" not in page.locator("main").inner_text()
    assert page.locator("form[action='/status/retry/']").count() == 2  # what was discarded is no failure
    shown = sentence if language == "en" else "קריאת הקובץ ארכה יותר מ־1800 שניות."
    page.get_by_role("button", name=shown).click()
    expect(page.locator(".messages .message.warning")).to_be_visible()  # its file is gone
