"""The form of an evaluation question in the browser: what it must cite is chosen with suggestions, or typed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from answers.models import EvaluationQuestion
from tests.browser.axe import complaints_of_axe
from tests.factories import LAW
from tests.search.corpus import add_document

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_provision_is_chosen_by_document_and_section(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    law = add_document(LAW, title="חוק הספריות")
    page = staff_page
    log_in(language=language)
    page.goto(f"{asgi_server}/evaluation/")
    page.locator("a[href^='/evaluation/new/']").click()
    page.locator("#question-text").fill("כמה ספרים זכאי תושב לשאול?")
    box = page.locator("#provision-box")
    box.press_sequentially("הספריות")
    page.locator("#provision-options [data-source]").first.click()
    expect(page.locator("#provision-options [data-address]").nth(1)).to_be_visible()
    assert complaints_of_axe(page) == []
    box.press_sequentially("2")
    expect(page.locator("#provision-options [data-address]")).to_have_count(2)  # the whole document comes first
    box.press("ArrowDown")
    box.press("ArrowDown")
    box.press("Enter")
    lines = page.locator("#question-provisions")
    expect(lines).to_have_value(f"{law.pk}#sec_2")
    lines.fill(f"{law.pk}#sec_2\n{law.pk}")  # typing goes on
    with page.expect_navigation():
        page.locator("dialog .primary").click()
    assert [one["eid"] for one in EvaluationQuestion.objects.get().provisions] == ["sec_2", ""]
