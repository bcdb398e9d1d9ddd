"""A large batch from the keyboard: filtered, ticked, reviewed inside the filter, and a decision taken back."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import Page, expect

from ingest.decide.commit import commit
from ingest.decisions import Decision
from ingest.intake.batches import create_batch
from ingest.job_states import JobStatus
from ingest.models import Job
from ingest.stages.run import run_job
from tests.browser.axe import NARROW, WIDE, both_looks, looks_wrong
from tests.browser.languages import EACH
from tests.browser.test_job_screen import DEMO_PDF, SUGGESTIONS
from tests.factories import LAW, decision_of, first_topic

pytestmark = pytest.mark.django_db(transaction=True)

LONG = {**SUGGESTIONS, "summary": "תקציר של המסמך. " * 12, "identifier": "ס״ח 3141", "published_at": "2024-03-14"}
HEBREW_J = """document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {key: "ח", code: "KeyJ", bubbles: true, cancelable: true}))"""
IN_VIEW = """() => {
  const place = (selector) => document.querySelector(selector).getBoundingClientRect();
  const link = document.activeElement.getBoundingClientRect();
  const [head, bar] = [place(".jobs thead"), place(".actions")];
  return {head: head.height ? head.top : 0, bar: innerHeight - bar.bottom, rows: bar.top - head.bottom,
          focused: link.top >= head.bottom - 1 && link.bottom <= bar.top + 1};
}"""


@pytest.fixture
def batch(transactional_db: None) -> str:
    """The address of a batch: a PDF with a proposal, and 119 texts of which every fourth has no title."""
    taken = create_batch([("law.pdf", [DEMO_PDF.read_bytes()])], topic=first_topic(), by="dana", name="Spring")
    Job.objects.update(status=JobStatus.AWAITING_REVIEW, ai_suggestions=LONG)
    jobs = [
        Job(
            batch_id=taken.batch_id,
            topic_id=1,
            kind="circular",
            status=JobStatus.AWAITING_REVIEW,
            filename=f"{number:03}.txt",
            ai_suggestions={**SUGGESTIONS, "title": f"חוק {number}" if number % 4 else ""},
            content_sha256=f"{number:064}",
            created_at=now() + timedelta(milliseconds=number),
        )
        for number in range(1, 120)
    ]
    Job.objects.bulk_create(jobs)
    return f"/review/{taken.batch_id}/"


@pytest.mark.deep
def test_a_large_batch_from_the_keyboard(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, batch: str
) -> None:
    page = staff_page
    for language, size in (("en", WIDE), ("he", NARROW)):
        log_in(language=language)
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light" if size is WIDE else "dark")
        page.goto(asgi_server + batch)
        expect(page.locator("h1")).to_contain_text("Spring")
        for _ in range(12):
            page.keyboard.press("j")
        page.evaluate(HEBREW_J)
        expect(page.locator("tbody tr").nth(12).locator("th a")).to_be_focused()
        page.keyboard.press("Space")
        page.keyboard.press("k")
        page.keyboard.press("Space")
        expect(page.locator("[data-chosen]")).to_have_text("2")
        seen = page.evaluate(IN_VIEW)
        assert (round(seen["head"]), round(seen["bar"]), seen["focused"]) == (0, 0, True), seen
        assert seen["rows"] > 0.8 * size["height"]
        page.keyboard.press("a")
        expect(page.locator("[data-chosen]")).to_have_text("120")
        page.keyboard.press("?")
        expect(page.locator("#keys")).to_be_visible()
        page.keyboard.press("Escape")
        assert looks_wrong(page) == []

        page.locator("select[name=warning]").select_option("no_title")
        page.wait_for_url(f"**{batch}?warning=no_title")
        page.keyboard.press("/")
        page.keyboard.type("0j")  # a letter that is typed moves nothing
        page.keyboard.press("Backspace")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{batch}?q=0&warning=no_title")
        page.go_back()
        page.wait_for_url(f"**{batch}?warning=no_title")
        expect(page.locator("tbody tr")).to_have_count(29)
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_url("**/*-*/*-*/?warning=no_title")
        expect(page.locator("h1")).to_have_text("008.txt")
        expect(page.locator(".steps")).to_contain_text(re.compile("2 .+ 29"))
        page.keyboard.press("4")
        expect(page.locator('input[name="kind"][value="caselaw"]')).to_be_checked()
        page.locator("#id-title").fill("12 titles")
        page.keyboard.press("3")
        expect(page.locator('input[name="kind"][value="caselaw"]')).to_be_checked()
        page.locator("#id-title").fill(f"Title in {language}")
        page.keyboard.press("Control+Enter")
        expect(page.locator("h1")).to_have_text("012.txt")
        job = Job.objects.get(filename="008.txt")
        assert (decision_of(job)["kind"], decision_of(job)["title"]) == ("caselaw", f"Title in {language}")
        page.keyboard.press("z")
        expect(page.locator("h1")).to_have_text("008.txt")
        expect(page.locator("#id-title")).to_have_value(f"Title in {language}")
        expect(page.locator('input[name="kind"][value="caselaw"]')).to_be_checked()
        assert looks_wrong(page) == []
        job.refresh_from_db()
        assert (job.status, job.confirmed) == (JobStatus.AWAITING_REVIEW, None)
        # As it was, for the other language.
        job.draft.delete()

        page.set_viewport_size(WIDE)
        page.goto(f"{asgi_server}{batch}{Job.objects.get(filename='law.pdf').pk}/")
        expect(page.locator(".page").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "it needs no scrolling"


@pytest.mark.parametrize("language", EACH)
def test_a_batch_is_named_and_ordered_and_a_done_file_reopened(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    page, found = staff_page, list[str]()
    log_in(language=language)
    files = [(f"{name}.txt", [f"{LAW}\n{name}".encode()]) for name in ("alef", "bet")]
    taken = create_batch(files, topic=first_topic(), by="dana")
    for job in taken.jobs:
        run_job(job.pk)
    done = taken.jobs[0]
    commit(done.pk, Decision(kind="law", title="Confirmed"), by="avi", allow_duplicate=False)
    run_job(done.pk)
    for _ in both_looks(page):
        page.goto(f"{asgi_server}/review/{taken.batch_id}/")
        page.locator(".rename summary").click()
        page.locator("#batch-name").fill("אביב 2026")
        found += looks_wrong(page)
        page.locator(".rename button.primary").click()
        expect(page.locator("h1 bdi").first).to_have_text("אביב 2026")
    page.locator('select[name="sort"]').select_option("-file")
    expect(page).to_have_url(re.compile("sort=-file"))
    expect(page.locator("tbody tr").first).to_contain_text("bet.txt")
    page.set_viewport_size(WIDE)
    page.locator('th[aria-sort="descending"] a').click()
    expect(page.locator("tbody tr").first).to_contain_text("alef.txt")

    page.goto(f"{asgi_server}/review/{taken.batch_id}/{done.pk}/")
    for _ in both_looks(page):
        found += looks_wrong(page)
    page.keyboard.press("o")
    expect(page.locator("#id-title")).to_have_value("Confirmed")
    for _ in both_looks(page):
        found += looks_wrong(page)
    page.locator("#id-title").fill("Confirmed anew")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".messages .success")).to_be_visible()
    done.refresh_from_db()
    assert done.source is not None
    assert (done.status, done.source.title) == (JobStatus.DONE, "Confirmed anew")
    assert found == []
