"""A document that is nearly the same: warned of in the batch, compared, and decided, in both languages and widths."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ingest.intake.batches import create_batch
from ingest.models import Job
from ingest.stages.run import run_job
from sources.models import Source
from tests.browser.axe import both_looks, look
from tests.factories import LAW, decision_of, first_topic
from tests.ingest.similar.texts import ENGLISH, HEBREW
from tests.search.corpus import add_document

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


@pytest.fixture
def here(transactional_db: None) -> list[Source]:
    return [
        add_document(HEBREW, title=HEBREW.splitlines()[0], identifier="ס-1", kind="law"),
        add_document(ENGLISH, title="Rooftop Beehives Act 2026", identifier="B 12", kind="law"),
    ]


@pytest.fixture
def jobs(here: list[Source]) -> list[Job]:
    """Two that are nearly the same as a source, and one that is not."""
    texts = [HEBREW.replace("עשרה שקלים", "עשרים שקלים"), ENGLISH.replace("eighteen crowns", "forty crowns"), LAW]
    files = [(f"{name}.txt", [text.encode()]) for name, text in zip(("גינות", "beehives", "law"), texts, strict=True)]
    taken = create_batch(files, topic=first_topic(), by="dana")
    for job in taken.jobs:
        run_job(job.pk)
    return taken.jobs


def test_a_reviewer_is_warned_compares_and_says_what_becomes_of_it(
    staff_page: Page,
    log_in: Callable[..., None],
    asgi_server: str,
    jobs: list[Job],
    here: list[Source],
    complaints: list[str],
) -> None:
    Source.objects.update(filename="older.txt")
    page, batch, found = staff_page, f"{asgi_server}/review/{jobs[0].batch_id}/", list[str]()
    for language, job in (("en", jobs[1]), ("he", jobs[0])):
        log_in(language=language)
        for _ in both_looks(page):
            page.goto(f"{batch}?warning=similar")
            expect(page.locator("tbody tr")).to_have_count(2)
            found += look(page, f"batch-{language}")
            page.goto(f"{batch}{job.pk}/")
            expect(page.locator("#field-similar")).to_be_visible()
            expect(page.locator(".page-text")).to_be_visible()
            found += look(page, f"job-{language}")
            page.locator("#field-similar .by a").first.click()
            expect(page.locator(".beside mark")).to_have_count(2)
            found += look(page, f"beside-{language}")
            page.locator(".title-row .button").click()
            expect(page.locator("#confirm")).to_be_enabled()
    assert found == []
    page.locator("#confirm").click()
    expect(page.locator("#similar-errors")).to_be_visible()
    complaints.clear()  # Chromium tells of the 409
    expect(page.locator("#field-similar .by").first).to_contain_text("older.txt")
    page.locator("h1").click()
    for key, value in (("a", "another"), ("v", f"version_of:{here[0].pk}"), ("r", f"replaces:{here[0].pk}")):
        page.keyboard.press(key)
        expect(page.locator(f'[name="similar"][value="{value}"]')).to_be_checked()
    page.goto(f"{batch}{jobs[0].pk}/")  # what was chosen is a draft as all else
    expect(page.locator(f'[name="similar"][value="replaces:{here[0].pk}"]')).to_be_checked()
    page.locator("#confirm").click()
    page.wait_for_url(f"**/{jobs[1].pk}/")
    assert decision_of(Job.objects.get(pk=jobs[0].pk))["replaces"] == here[0].pk
