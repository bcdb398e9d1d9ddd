"""The pages of webhooks in the browser: one from its making to a delivery that failed, in both languages."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ingest.webhooks.delivering import Deliveries
from ingest.webhooks.models import Delivery, Webhook
from tests.browser.axe import both_looks, looks_wrong

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_webhook_is_made_tested_and_read_of(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, complaints: list[str], language: str
) -> None:
    page = staff_page
    log_in(language=language)
    page.goto(f"{asgi_server}/webhooks/")
    page.locator(".title-row .primary").click()
    page.locator("#webhook-url").fill("https://127.0.0.1/hook")
    page.locator("dialog .primary").click()
    expect(page.locator("dialog [aria-invalid]")).to_have_value("https://127.0.0.1/hook")
    assert all("400" in complaint for complaint in complaints)
    complaints.clear()
    page.locator("#webhook-url").fill("https://receiver.invalid/hook?tenant=" + "7" * 80)
    page.get_by_role("checkbox").first.uncheck()
    page.locator("dialog .primary").click()
    secret = page.locator("#webhook-secret")
    expect(secret).to_have_value(re.compile("whsec_.{44}"))
    found = looks_wrong(page)
    page.locator("dialog a.button").click()
    page.locator(".title-row .primary").click()
    row = page.locator("#deliveries tbody tr")
    expect(row).to_have_count(1)
    Deliveries.send()
    expect(row.locator(".row-buttons")).to_be_visible()
    why = Delivery.objects.get().why if language == "en" else "אין חיבור"
    expect(row).to_contain_text(why)  # the page looked again by itself
    for _ in both_looks(page):
        for path in ("/webhooks/", f"/webhooks/{Webhook.objects.get().pk}/", "/webhooks/new/"):
            page.goto(asgi_server + path)
            found += looks_wrong(page)
    assert found == []
