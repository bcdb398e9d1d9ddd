"""Two reviewers in two browsers: one has the file, the other is told, and nothing that either typed is lost."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from ingest.decide.commit import commit
from ingest.decisions import Decision
from ingest.intake.batches import create_batch
from ingest.models import Hold, Job, Similar
from ingest.stages.run import run_job
from tests.browser.axe import NARROW, WIDE, looks_wrong
from tests.factories import LAW, decision_of, first_topic, make_staff
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

LOOK = "document.dispatchEvent(new Event('visibilitychange'))"  # sooner than the page would by itself
WORDS = {
    "en": ("has this file open", "Someone else decided this file meanwhile.", WIDE),
    "he": ("הקובץ פתוח אצל", "מישהו אחר החליט בינתיים", NARROW),
}


@pytest.fixture
def jobs(transactional_db: None) -> list[Job]:
    """Three files of one batch that await review, in their order."""
    files = [(f"{number}.txt", [f"{LAW}\n{number}. x".encode()]) for number in range(4, 7)]
    taken = create_batch(files, topic=first_topic(), by="dana")
    for job in taken.jobs:
        run_job(job.pk)
    Similar.objects.all().delete()  # the files are alike, which is to be answered before confirming
    return list(Job.objects.of_batch(taken.batch_id))


@pytest.fixture
def page_of_avi(browser: Browser, asgi_server: str, transactional_db: None) -> Iterator[Callable[[str], Page]]:
    """`page_of_avi("he")`: a page of a second reviewer, in a browser of his own."""
    with browser.new_context() as context:

        def open_page(language: str) -> Page:
            client = Client()
            client.force_login(make_staff("avi"))
            session = client.cookies[settings.SESSION_COOKIE_NAME].value
            cookies: Any = [
                {"name": name, "value": value, "domain": urlsplit(asgi_server).hostname, "path": "/"}
                for name, value in (
                    (settings.SESSION_COOKIE_NAME, session),
                    (settings.LANGUAGE_COOKIE_NAME, language),
                )
            ]
            context.add_cookies(cookies)
            return context.new_page()

        yield open_page


def held_by(job: Job) -> str:
    return Hold.objects.filter(pk=job.pk).values_list("by", flat=True).first() or ""


@pytest.mark.parametrize("language", ["en", "he"])
def test_one_has_the_file_and_the_other_is_told(
    staff_page: Page,
    page_of_avi: Callable[[str], Page],
    log_in: Callable[..., None],
    asgi_server: str,
    jobs: list[Job],
    language: str,
) -> None:
    open_words, decided_words, size = WORDS[language]
    urls = [f"{asgi_server}/review/{job.batch_id}/{job.pk}/" for job in jobs]
    log_in(language=language)
    hers, his = staff_page, page_of_avi(language)
    hers.set_viewport_size(size)
    his.set_viewport_size(size)

    hers.goto(urls[0])
    hers.locator("#id-subject").fill("typed by dana")
    his.goto(urls[0])
    expect(his.locator("#hold [role=alert]")).to_contain_text("dana")
    expect(his.locator("#hold")).to_contain_text(open_words)
    expect(his.locator("#confirm")).to_be_disabled()
    assert looks_wrong(his) == []
    his.keyboard.press("s")
    his.wait_for_url(urls[1])
    his.goto(urls[0])
    his.locator("#id-title").fill("כותרת של אבי")
    his.keyboard.press("Escape")
    his.keyboard.press("t")
    expect(his.locator("#confirm")).to_be_enabled()
    expect(his.locator("#hold")).to_be_empty()
    expect(his.locator("#id-title")).to_have_value("כותרת של אבי")

    hers.evaluate(LOOK)
    expect(hers.locator("#hold")).to_contain_text("avi")
    expect(hers.locator("#confirm")).to_be_disabled()
    expect(hers.locator("#id-subject")).to_have_value("typed by dana")
    his.keyboard.press("Control+Enter")
    his.wait_for_url(urls[1])
    assert decision_of(Job.objects.get(pk=jobs[0].pk))["title"] == "כותרת של אבי"
    hers.evaluate(LOOK)
    expect(hers.locator("#hold")).to_contain_text(decided_words)
    expect(hers.locator("#id-subject")).to_have_value("typed by dana")
    assert looks_wrong(hers) == []

    assert held_by(jobs[1]) == "avi"
    hers.keyboard.press("Escape")
    hers.keyboard.press("s")
    hers.wait_for_url(urls[2])
    his.goto(f"{asgi_server}/review/")
    wait_until(lambda: not held_by(jobs[1]))

    hers.locator("#id-subject").fill("still typed")
    Job.objects.filter(pk=jobs[2].pk).update(ai_suggestions={}, error_code="classifier_away")
    hers.locator("#classify-again").click()
    expect(hers.locator("#job-state .phase-queued")).to_be_visible()
    run_job(jobs[2].pk)
    expect(hers.locator("#confirm")).to_be_enabled()
    expect(hers.locator("#id-subject")).to_have_value("still typed")
    commit(jobs[2].pk, Decision(kind="law", title="by the API"), by="key", allow_duplicate=False)
    hers.evaluate(LOOK)
    expect(hers.locator("#hold")).to_contain_text("key")
