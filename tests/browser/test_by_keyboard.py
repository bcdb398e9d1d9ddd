"""Without a mouse: from a question to the copied citation, from a search to a notebook, and twenty files."""

import re
from collections import Counter

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ingest.intake.batches import create_batch
from ingest.job_states import JobStatus
from ingest.models import Job
from sources.models import Source
from tests.browser.search_page import QUESTION
from tests.browser.test_job_screen import SUGGESTIONS
from tests.browser.test_review import press_until, tab_to
from tests.factories import LAW, first_topic

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

FILES = 20


def tab_until(page: Page, selector: str) -> None:
    """Press Tab until what has the focus fits the selector."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} was not reached with Tab.")


def test_a_question_leads_to_its_quote_and_to_a_copied_citation(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source
) -> None:
    page = reader
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=asgi_server)
    page.goto(asgi_server)
    expect(page.locator("#search-box")).to_be_focused()
    page.wait_for_load_state("networkidle")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".citations li").first).to_be_visible()
    expect(page.locator("[data-ask]")).not_to_have_attribute("aria-busy", "true")
    tab_until(page, "a.citation-source")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/documents/{law.pk}/\?quote=[^#]+#sec_57$"))
    expect(page.locator("#sec_57.chosen")).to_be_in_viewport()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("c")
    expect(page.locator("#toast")).to_contain_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").startswith("סעיף 57 לחוק הגנת השוכר")


def test_a_search_leads_to_a_copied_and_kept_section_and_to_its_notebook(
    staff_page: Page, context: BrowserContext, asgi_server: str, law: Source
) -> None:
    page, toast = staff_page, staff_page.locator("#toast")
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=asgi_server)
    page.goto(asgi_server)
    expect(page.locator("#search-box")).to_be_focused()
    page.wait_for_load_state("networkidle")
    page.keyboard.type("סעיף 57 לחוק הגנת השוכר")
    page.keyboard.press("Enter")
    expect(page.locator(".hit.cited")).to_have_count(1)
    tab_until(page, ".hit.cited h3 a")
    page.keyboard.press("Enter")
    expect(page.locator("#sec_57.chosen")).to_be_in_viewport()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("c")
    expect(toast).to_contain_text("Copied.")
    page.keyboard.press("k")
    expect(toast.get_by_role("link")).to_have_count(2)
    tab_until(page, "#toast a:last-child")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/notebooks/\d+/"))
    expect(page.locator(".hit h3")).to_contain_text("57")


def test_twenty_files_are_confirmed_and_the_last_is_taken_back(staff_page: Page, asgi_server: str) -> None:
    page = staff_page
    files = [(f"{n:02}.txt", [f"{LAW}\n{n}. סעיף {n}".encode()]) for n in range(1, FILES + 1)]
    batch = create_batch(files, topic=first_topic(), by="dana", name="Autumn").batch_id
    for n, job in enumerate(Job.objects.order_by("created_at"), 1):
        suggested = {**SUGGESTIONS, "title": f"Act {n}", "identifier": f"A {n}", "evidence": {}, "labels": []}
        Job.objects.filter(pk=job.pk).update(status=JobStatus.AWAITING_REVIEW, ai_suggestions=suggested)
    page.goto(f"{asgi_server}/review/{batch}/")
    tab_to(page, "/start/")
    page.keyboard.press("Enter")
    for n in range(1, FILES + 1):
        page.wait_for_load_state("domcontentloaded")
        expect(page.locator("#confirm")).to_be_enabled()
        expect(page.locator("#id-title")).to_have_value(f"Act {n}")
        before = page.url
        press_until(page, "e", 'input[name="kind"]:focus')  # the keys are heard
        page.keyboard.press("Control+Enter")
        expect(page).not_to_have_url(before)
    assert Counter(Job.objects.values_list("status", flat=True)) == {JobStatus.PROCESSING: FILES}
    page.wait_for_load_state("networkidle")
    page.keyboard.press("z")
    last = Job.objects.order_by("created_at")[FILES - 1]
    page.wait_for_url(f"**/{last.pk}/")
    assert Job.objects.filter(status=JobStatus.AWAITING_REVIEW).count() == 1
