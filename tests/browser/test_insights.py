"""The insights page in the browser: in both languages and on any screen, and its way to a synonym."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from answers.models import AnswerTrace, EvaluationQuestion
from labels.models import Label
from search.models import SearchCount, Synonym
from tests.browser.axe import both_looks, complaints_of_axe, looks_wrong
from tests.browser.settling import settled
from tests.factories import first_topic

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


@pytest.mark.parametrize("language", ["en", "he"])
def test_what_was_not_found_becomes_a_synonym(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    page = staff_page
    log_in(language=language)
    today = timezone.localdate()
    for query, unanswered in (("דמי גרירה של רכב שחונה במקום אסור", 4), ("towing fee", 2), ("a" * 190, 1)):
        SearchCount.objects.create(
            day=today, topic=first_topic(), query=query, searches=unanswered + 1, unanswered=unanswered
        )
    row = {"by": "x", "provider": "x", "model": "", "retrieval_ms": 1, "took_ms": 1}
    AnswerTrace.objects.create(question="Who pays for towing?", status="insufficient_evidence", **row)
    found: list[str] = []
    for _ in both_looks(page):
        page.goto(f"{asgi_server}/insights/")
        expect(page.get_by_role("table")).to_have_count(4)
        found += looks_wrong(page)
    assert found == []
    page.set_viewport_size({"width": 390, "height": 844})
    boxes = [
        box for one in page.locator("td.row-buttons").first.locator(".button").all() if (box := one.bounding_box())
    ]
    rows = sorted({round(box["y"]) for box in boxes})
    assert all(below - above > boxes[0]["height"] + 4 for above, below in pairwise(rows)), "rows of buttons touch"
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator("section").nth(1).locator("tbody tr").nth(1).locator(".button").first.click()
    expect(page.locator("#synonym-words")).to_have_value("towing fee")
    page.locator("#synonym-means").fill("tow charge")
    page.locator("dialog .primary").click()
    expect(page).to_have_url(f"{asgi_server}/insights/")
    expect(page.locator(".message.success")).to_be_visible()
    assert Synonym.objects.get().topic == first_topic()
    buttons = page.locator("section").nth(2).locator("tbody tr").first.locator(".button")
    buttons.nth(1).click()
    expect(page.locator("#label-name")).to_have_value("Who pays for towing?")
    page.locator("#label-name").fill("Towing")
    settled(page)
    page.locator("dialog .primary").click()
    expect(page.locator(".message.success")).to_contain_text("Towing")
    buttons.nth(2).click()
    expect(page.locator("dialog[open] textarea").first).to_have_value("Who pays for towing?")
    found += complaints_of_axe(page)
    page.get_by_role("checkbox").first.check()
    with page.expect_navigation():
        page.locator("dialog .primary").click()
    assert (Label.objects.get().name, EvaluationQuestion.objects.get().question) == ("Towing", "Who pays for towing?")
    assert found == []
