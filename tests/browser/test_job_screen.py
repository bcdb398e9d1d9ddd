"""The screen of one job under the hands: keys, evidence, labels, late proposals, another reviewer, lost ways."""

from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from ingest.decide.commit import commit
from ingest.decisions import Decision
from ingest.intake.batches import create_batch
from ingest.job_states import JobStatus, Transition
from ingest.jobs.transitions import transition
from ingest.models import Job
from tests.browser.axe import complaints_of_axe, looks_wrong
from tests.browser.dropping import drop_files
from tests.extraction.pdf.making import english_pdf
from tests.factories import LAW, decision_of, first_topic, make_label

pytestmark = pytest.mark.django_db(transaction=True)

DEMO_PDF = Path(__file__).resolve().parents[2] / "ingest" / "demo" / "hok-pikdonot-skhirut.pdf"
SUGGESTIONS = {
    "kind": "law",
    "title": "חוק הגנה על פיקדונות שכירות",
    "subject": "פיקדונות",
    "labels": [],
    "evidence": {
        "title": {"page": 1, "quote": "חוק הגנה על פיקדונות שכירות"},
        "subject": {"page": 2, "quote": "הפיקדון"},
    },
    "provider": "rules",
    "model": "rules",
}


@pytest.fixture
def jobs(transactional_db: None) -> list[Job]:
    """Three files of one batch, in their order, the first a PDF; all await review."""
    texts = [("b.txt", [LAW.encode()]), ("c.txt", [LAW.encode() + b"\n4. x"])]
    taken = create_batch([("a.pdf", [DEMO_PDF.read_bytes()]), *texts], topic=first_topic(), by="dana")
    Job.objects.update(status=JobStatus.AWAITING_REVIEW, ai_suggestions=SUGGESTIONS)
    return list(Job.objects.filter(batch_id=taken.batch_id).order_by("created_at", "id"))


@pytest.fixture
def open_job(staff_page: Page, asgi_server: str) -> Callable[[Job], Page]:
    def open_job(job: Job) -> Page:
        staff_page.goto(f"{asgi_server}/review/{job.batch_id}/{job.pk}/")
        return staff_page

    return open_job


def top_of(locator: Locator) -> float:
    """Before what is fetched has come, and with nothing scrolled."""
    return float(locator.evaluate("(form) => form.offsetTop"))


def job_of(page: Page) -> UUID:
    return UUID(page.url.rstrip("/").rpartition("/")[2])


def test_keys_lead_through_the_batch_and_are_off_while_typing(open_job: Callable[[Job], Page], jobs: list[Job]) -> None:
    page = open_job(jobs[0])
    page.keyboard.press("j")
    page.wait_for_url(f"**/{jobs[1].pk}/")
    page.keyboard.press("k")
    page.wait_for_url(f"**/{jobs[0].pk}/")
    page.keyboard.press("s")
    page.wait_for_url(f"**/{jobs[1].pk}/")
    page.locator("#id-title").fill("")
    page.keyboard.type("jksx")
    expect(page.locator("#id-title")).to_have_value("jksx")
    assert job_of(page) == jobs[1].pk
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.locator("[data-keys-on]").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    page.keyboard.press("?")  # the one key that is never off: it finds the page that it was pressed on
    expect(page.locator("#keys")).to_be_visible()
    assert job_of(page) == jobs[1].pk


def test_keys_work_by_their_place_on_a_hebrew_keyboard(open_job: Callable[[Job], Page], jobs: list[Job]) -> None:
    page = open_job(jobs[0])
    page.evaluate(
        """document.body.dispatchEvent(
            new KeyboardEvent("keydown", {key: "ח", code: "KeyJ", bubbles: true, cancelable: true})
        )"""
    )
    page.wait_for_url(f"**/{jobs[1].pk}/")


def test_focusing_a_field_marks_evidence_and_g_shows_the_page(open_job: Callable[[Job], Page], jobs: list[Job]) -> None:
    page = open_job(jobs[0])
    expect(page.locator(".page")).to_have_count(4)
    page.locator("#id-title").focus()
    expect(page.locator('#page-1 rect.on[data-for="title"]')).to_have_count(1)
    page.locator("#id-subject").focus()
    expect(page.locator("rect.on[data-for='title']")).to_have_count(0)
    expect(page.locator("[data-page-number]")).to_have_text("Page 2 of 4")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("3")
    expect(page.locator("[data-page-number]")).to_have_text("Page 3 of 4")
    page.locator("#what-was-read summary").click()
    expect(page.locator('.read-text mark[data-for="title"]')).to_have_text("חוק הגנה על פיקדונות שכירות")


@pytest.mark.parametrize(("language", "width"), [("en", 1440), ("he", 390)])
def test_every_page_of_a_long_file_is_reached_by_its_number(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, tmp_path: Path, language: str, width: int
) -> None:
    page = staff_page
    log_in(language=language)
    page.set_viewport_size({"width": width, "height": 900})
    pdf = english_pdf(tmp_path / "long.pdf", *(f"Rule {number}" for number in range(1, 411)))
    job = create_batch([(pdf.name, [pdf.read_bytes()])], topic=first_topic(), by="dana").jobs[0]
    Job.objects.update(status=JobStatus.AWAITING_REVIEW, ai_suggestions=SUGGESTIONS)
    page.goto(f"{asgi_server}/review/{job.batch_id}/{job.pk}/")
    expect(page.locator(".page")).to_have_count(410)
    for number, shown in (("405", 405), ("450", 410)):  # the last one where there are not so many
        for key in f"g{number}":
            page.keyboard.press(key)
        expect(page.locator(f"#page-{shown}")).to_be_in_viewport()
    assert looks_wrong(page) == []


@pytest.mark.parametrize(("language", "width"), [("en", 1440), ("he", 390)])
def test_the_form_stays_where_it_is_and_what_is_wrong_with_it_has_the_focus(
    open_job: Callable[[Job], Page],
    jobs: list[Job],
    log_in: Callable[..., None],
    complaints: list[str],
    language: str,
    width: int,
) -> None:
    Job.objects.filter(pk=jobs[1].pk).update(allow_duplicate=True, duplicate_of={"job_id": str(jobs[2].pk)})
    Job.objects.filter(pk__in=[job.pk for job in jobs[1:]]).update(content_sha256="a" * 64)
    log_in(language=language)
    page = open_job(jobs[1])
    page.set_viewport_size({"width": width, "height": 900})
    page.locator("#id-title").fill("")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#title-errors")).to_be_visible()
    expect(page.locator("#id-title")).to_be_focused()
    page.keyboard.type("חוק הספריות")
    page.keyboard.press("Control+Enter")
    box = page.locator("[name=allow_duplicate]")
    expect(box).to_be_focused()
    expect(box).to_be_in_viewport()
    assert complaints_of_axe(page) == []
    page.keyboard.press("Space")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"**/{jobs[2].pk}/")
    expect(page.locator(".messages .success")).to_be_in_viewport()
    told = top_of(page.locator("#decision-form"))
    page.reload()
    expect(page.locator(".messages .success")).to_have_count(0)
    assert top_of(page.locator("#decision-form")) == told
    assert [complaint.partition("status of ")[2][:3] for complaint in complaints] == ["400", "409"]
    complaints.clear()


def test_labels_are_chosen_and_new_one_is_made_from_keyboard(open_job: Callable[[Job], Page], jobs: list[Job]) -> None:
    make_label("פיקדון")
    page = open_job(jobs[0])
    page.keyboard.press("l")
    page.keyboard.type("פיק")
    expect(page.locator('#more-labels-options [aria-selected="true"]')).to_contain_text("פיקדון")
    page.keyboard.press("Enter")
    expect(page.locator(".chips .chip:has(input:checked)")).to_have_text(["פיקדון 0"])
    page.keyboard.type("Deposit")
    expect(page.locator('#more-labels-options .create[aria-selected="true"]')).to_be_visible()
    page.keyboard.type(" boards")
    page.keyboard.press("Enter")  # what is listed is not yet of what was typed
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-help]")).to_contain_text("Choose a label from the list")
    expect(page.locator("#more-labels-options .create")).to_contain_text("Deposit boards")
    page.keyboard.press("Enter")
    expect(page.locator(".chips .chip.new")).to_have_text("Deposit boards new")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"**/{jobs[1].pk}/")
    confirmed = decision_of(Job.objects.get(pk=jobs[0].pk))
    assert [label["name"] for label in confirmed["labels"]] == ["פיקדון", "Deposit boards"]


def test_x_discards_and_goes_on(open_job: Callable[[Job], Page], jobs: list[Job]) -> None:
    page = open_job(jobs[1])
    page.keyboard.press("x")
    page.wait_for_url(f"**/{jobs[2].pk}/")
    assert Job.objects.get(pk=jobs[1].pk).error_code == "discarded"


def test_a_late_proposal_leaves_what_was_typed(open_job: Callable[[Job], Page], jobs: list[Job]) -> None:
    Job.objects.filter(pk=jobs[0].pk).update(
        status=JobStatus.PROCESSING, processing_stage="classifying", ai_suggestions={}, claim="", hinted_at=None
    )
    page = open_job(jobs[0])
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator("#id-title").fill("מה שהקלדתי")
    transition(jobs[0].pk, Transition.PROPOSE, by="worker", ai_suggestions=SUGGESTIONS)
    expect(page.locator("#confirm")).to_be_enabled(timeout=10_000)
    expect(page.locator("#id-subject")).to_have_value("פיקדונות")
    expect(page.locator("#id-title")).to_have_value("מה שהקלדתי")
    expect(page.locator('input[name="kind"][value="law"]')).to_be_checked()
    expect(page.locator("#title-origin [data-edited]")).to_be_visible()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"**/{jobs[1].pk}/")
    assert decision_of(Job.objects.get(pk=jobs[0].pk))["title"] == "מה שהקלדתי"


def test_nothing_typed_is_lost_by_going_away(open_job: Callable[[Job], Page], jobs: list[Job]) -> None:
    make_label("Insurance")
    page = open_job(jobs[1])
    page.locator("#id-subject").fill("not saved yet")
    page.locator("#more-labels").fill("insu")
    page.locator('#more-labels-options [role="option"]').first.click()
    page.locator("h1").click()
    page.keyboard.press("j")
    page.wait_for_url(f"**/{jobs[2].pk}/")
    page.keyboard.press("k")
    page.wait_for_url(f"**/{jobs[1].pk}/")
    expect(page.locator("#id-subject")).to_have_value("not saved yet")
    expect(page.locator("#subject-origin [data-edited]")).to_be_visible()
    expect(page.locator(".chips input:checked")).to_have_count(1)


def test_a_second_reviewer_sees_the_decision_and_keeps_her_text(
    open_job: Callable[[Job], Page], jobs: list[Job], complaints: list[str]
) -> None:
    page = open_job(jobs[0])
    page.locator("#id-subject").fill("typed by dana")
    commit(jobs[0].pk, Decision(kind="regulation", title="Decided by avi"), by="avi", allow_duplicate=False)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".overtaken[role='alert']")).to_contain_text("avi")
    expect(page.locator(".compared")).to_contain_text("Decided by avi")
    expect(page.locator("#id-subject")).to_have_value("typed by dana")
    assert decision_of(Job.objects.get(pk=jobs[0].pk))["title"] == "Decided by avi"
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_a_lost_connection_costs_no_file(staff_page: Page, asgi_server: str, complaints: list[str]) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/review/upload/")
    seen = 0

    def lose_the_second(route: Route) -> None:
        nonlocal seen
        seen += 1
        route.abort() if seen == 2 else route.continue_()

    page.route("**/admin/kb/upload-batch", lose_the_second)
    drop_files(page, {f"law-{number}.txt": f"{LAW}\n{number}".encode() for number in range(4)})
    expect(page.locator('.upload-item[data-state="accepted"]')).to_have_count(3)
    page.locator("[data-retry-all]").click()
    expect(page.locator('.upload-item[data-state="accepted"]')).to_have_count(4)
    drop_files(page, {"tool.exe": b"MZ\x90\x00" * 99, "again.txt": f"{LAW}\n1".encode()})
    expect(page.locator('.upload-item[data-state="refused"]')).to_contain_text("Windows program")
    expect(page.locator('.upload-item[data-state="duplicate"] a')).to_be_visible()
    assert Job.objects.values("batch_id").distinct().count() == 1
    assert Job.objects.count() == 5
    assert all("ERR_FAILED" in complaint or "400" in complaint for complaint in complaints)
    complaints.clear()
