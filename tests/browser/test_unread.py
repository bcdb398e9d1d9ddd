"""What was not read, and a classification that failed, are said before confirming, in both languages and widths."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ingest.intake.batches import create_batch
from ingest.models import Job
from ingest.stages.run import run_job
from tests.browser.axe import both_looks, looks_wrong
from tests.extraction.pdf.making import damage_page, english_pdf
from tests.factories import LAW, first_topic

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

UNREAD = {
    "en": ("Pages not read", "Pages that were not read, or not in full: 4."),
    "he": ("עמודים שלא נקראו", "עמודים שלא נקראו, או לא במלואם: 4."),
}
NO_CLASSIFIER = {"en": "The classifier did not answer.", "he": "המסווג לא ענה."}


@pytest.mark.parametrize("language", ["en", "he"])
def test_unread_pages_are_named_from_the_batch_to_the_reader(
    staff_page: Page,
    log_in: Callable[..., None],
    asgi_server: str,
    tmp_path: Path,
    complaints: list[str],
    language: str,
) -> None:
    page, found = staff_page, list[str]()
    log_in(language=language)
    name, sentence = UNREAD[language]
    texts = [f"Rule {number}. A vessel carries {number} lamps at night." for number in range(1, 6)]
    pdf = damage_page(english_pdf(tmp_path / "rules.pdf", *texts), 4)
    taken = create_batch([(pdf.name, [pdf.read_bytes()])], topic=first_topic(), by="dana")
    job = taken.jobs[0]
    run_job(job.pk)

    def look(path: str, shown: str) -> None:
        for _ in both_looks(page):
            page.goto(asgi_server + path)
            expect(page.locator("main").get_by_text(shown).filter(visible=True).first).to_be_visible()
            found.extend(looks_wrong(page))

    batch = f"/review/{job.batch_id}/"
    look(f"{batch}?warning=unread", name)
    look(f"{batch}{job.pk}/", sentence)
    page.locator("#id-title").fill("Harbour Rules")
    page.locator('input[name="kind"][value="regulation"]').check()
    page.locator("#confirm").click()
    page.wait_for_url(f"**{batch}")
    run_job(job.pk)
    job.refresh_from_db()
    look("/library/?check=unread", name)
    look(f"/library/{job.source_id}/", sentence)
    look(f"/documents/{job.source_id}/", sentence)
    assert found == []
    assert all("404" in complaint for complaint in complaints)  # a damaged page has no picture
    complaints.clear()


@pytest.mark.parametrize("language", ["en", "he"])
def test_unclassified_files_say_why_and_are_classified_again(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    page, found = staff_page, list[str]()
    log_in(language=language)
    files = [(f"{number}.txt", [f"{LAW}\n{number}. x".encode()]) for number in range(4, 7)]
    taken = create_batch(files, topic=first_topic(), by="dana")
    for job in taken.jobs:
        run_job(job.pk)
    failed = [job.pk for job in taken.jobs[:2]]
    said = {"error_code": "classifier_away", "error_message": f"{NO_CLASSIFIER['en']} Fill in the form."}
    Job.objects.filter(pk__in=failed).update(ai_suggestions={}, **said)
    for _ in both_looks(page):
        page.goto(f"{asgi_server}/review/{taken.batch_id}/")
        for pk in failed:
            expect(page.locator(f"#job-{pk}")).to_contain_text(NO_CLASSIFIER[language])
        found += looks_wrong(page)
    page.locator("#unclassified button").click()
    expect(page.locator("tbody .phase-queued")).to_have_count(2)
    for pk in failed:
        run_job(pk)
    expect(page.locator(f"#job-{failed[0]} .phase-awaiting_review")).to_be_visible()
    expect(page.locator(f"#job-{failed[0]} .row-title")).not_to_be_empty()
    expect(page.locator("#unclassified button")).to_have_count(0)
    assert found == []
