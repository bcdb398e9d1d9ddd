"""The status page in the browser: in both languages and on any screen, and its button."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from ingest.models import JobEvent
from tests.browser.axe import both_looks, looks_wrong
from tests.factories import make_job

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("language", ["en", "he"])
def test_axe_finds_nothing_and_nothing_is_cut_off(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    JobEvent.objects.create(job=make_job(), to_state="queued", by="test")
    sentence = "Reading the file took longer than 1800 seconds."
    make_job(
        status="failed",
        error_code="extraction_timeout",
        error_message=sentence,
        finished_at=timezone.now(),
        file_key="",
    )
    make_job(status="failed", error_code="discarded", finished_at=timezone.now(), file_key="")
    page = staff_page
    log_in(language=language)
    found: list[str] = []
    for _ in both_looks(page):
        page.goto(f"{asgi_server}/status/")
        expect(page.get_by_role("table")).to_have_count(3)
        found += looks_wrong(page)
    assert found == []
    assert "extraction_timeout" not in page.locator("main").inner_text()
    assert page.locator("form[action='/status/retry/']").count() == 1  # what was discarded is no failure
    page.get_by_role("button", name=sentence if language == "en" else "קריאת הקובץ").click()
    expect(page.locator(".message.warning")).to_be_visible()  # its file is gone
