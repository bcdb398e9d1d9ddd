"""Every screen in both languages, wide and narrow, light and dark: nothing serious for axe, nothing cut off."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from answers.evaluation import questions, runs
from answers.evaluation.judging import QuestionOutcome
from ingest.intake.batches import create_batch
from ingest.job_states import JobStatus
from ingest.models import Job
from ingest.review import review_locks
from search.synonyms.editing import create
from tests.browser.axe import both_looks, complaints_of_axe, looks_wrong
from tests.factories import LAW, first_topic, make_job, make_label

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

DEMO_PDF = Path(__file__).resolve().parents[2] / "ingest" / "demo" / "hok-pikdonot-skhirut.pdf"
SUGGESTIONS = {
    "kind": "law",
    "title": 'חוק הגנה על פיקדונות שכירות, התשפ"ד–2024',
    "identifier": "RDP 3/2025",
    "labels": [
        {"slug": "insurance", "name": "Insurance", "existing": True},
        {"slug": "new-one", "name": "New one", "existing": False},
    ],
    "evidence": {"title": {"page": 1, "quote": "חוק הגנה על פיקדונות שכירות"}},
    "provider": "anthropic",
    "model": "claude-haiku-5-5",
}

# A key is announced as such and is no part of the name, but where the name says which key does what.
KEYS_IN_NAMES = ":is(button, a, label, [aria-keyshortcuts]):not(.hero [data-opens=keys]) kbd:not([aria-hidden])"


@pytest.fixture
def screens(transactional_db: None) -> list[str]:
    """The addresses of every screen, with something of everything on them."""
    make_label("Insurance")
    files = [("law.pdf", [DEMO_PDF.read_bytes()]), ("חוק הספריות.txt", [LAW.encode()])]
    taken = create_batch(files, topic=first_topic(), by="dana")
    Job.objects.update(
        status=JobStatus.AWAITING_REVIEW, ai_suggestions=SUGGESTIONS, warnings=["Page 2 was read by OCR."]
    )
    text = taken.jobs[1]
    Job.objects.filter(pk=text.pk).update(error_code="classifier_away", unread_pages=[2, 4, 5])
    review_locks.acquire(text.pk, by="avi")
    confirmed = {"kind": "law", "title": "Another title", "labels": []}
    decided = make_job(batch_id=taken.batch_id, status=JobStatus.DONE, ai_suggestions=SUGGESTIONS, confirmed=confirmed)
    moving = make_job(batch_id=taken.batch_id, status=JobStatus.QUEUED, confirmed=None)
    make_job(
        batch_id=taken.batch_id,
        status=JobStatus.FAILED,
        error_code="corrupt",
        error_message="The PDF is damaged and cannot be opened.",
        confirmed=None,
    )
    batch = f"/review/{taken.batch_id}/"
    jobs = [*taken.jobs, decided, moving]
    create(topic=None, words=["דייר", "sack"], means=["שוכר", "termination of employment"], by="dana")
    synonyms = ["/synonyms/", "/synonyms/?base=on", "/synonyms/new/?words=sack", "/synonyms/import/"]
    questions.create(topic=first_topic(), values={"question": "מי ישלם? <b>", "words": "המאחר"}, by="dana")
    for rank in (1, None):
        run = runs.begin(first_topic(), by="dana")
        run.outcomes = [
            asdict(
                QuestionOutcome(rank=rank, status="answered", right=rank == 1, unsupported=0, answer_id="", verdicts={})
            )
        ]
        run.save()
        runs.resume(run.pk)
    evaluation = ["/evaluation/", "/evaluation/new/", "/evaluation/import/"]
    return ["/review/", "/review/upload/", batch, *(f"{batch}{job.pk}/" for job in jobs), *synonyms, *evaluation]


@pytest.mark.parametrize("language", ["en", "he"])
def test_axe_finds_nothing_and_nothing_is_cut_off(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, screens: list[str], language: str
) -> None:
    page = staff_page
    log_in(language=language)
    found: list[str] = []
    for _ in both_looks(page):
        for address in screens:
            page.goto(asgi_server + address)
            if page.locator(".document").count():
                expect(page.locator(".page, .page-text, .document .message").first).to_be_visible()
            # At the end of the page the bar that sticks to the bottom covers half of no control.
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            found += looks_wrong(page)
            found += page.locator(KEYS_IN_NAMES).all_text_contents()
    assert found == []


def test_axe_finds_nothing_in_the_dialogs_and_the_label_chooser(
    staff_page: Page, asgi_server: str, screens: list[str]
) -> None:
    page = staff_page
    page.goto(asgi_server + screens[2])
    page.locator("[data-all]").check()
    page.locator('button[value="confirm"]').click()
    expect(page.locator("#dialog")).to_be_visible()
    found = complaints_of_axe(page)
    page.goto(asgi_server + screens[3])
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    found += complaints_of_axe(page)
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    page.keyboard.type("ins")
    expect(page.locator('#more-labels-options [role="option"]').first).to_be_visible()
    found += complaints_of_axe(page)
    assert found == []
