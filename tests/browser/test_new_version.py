"""A circular that says from when it is in force and what it replaces: proposed with its words, in both languages."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ingest.intake.batches import create_batch
from ingest.models import Job
from ingest.stages.run import run_job
from sources.models import Source
from tests.browser.axe import both_looks, look
from tests.factories import decision_of, first_topic
from tests.search.corpus import add_document

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
HEBREW = """חוזר מס' 9/2031
הנדון: אגרות עגינה במזחים
1. מטרה
חוזר זה מסדיר את האגרות שבעל סירה משלם בעד עגינה במזח ציבורי, ואת המועדים שבהם הן משולמות.
2. תחילה
תחילתו של חוזר זה ביום ט׳ באייר התשצ"א (1 במאי 2031), והוא יעמוד בתוקפו עד יום 30 באפריל 2034.
3. ביטול
חוזר זה מחליף את חוזר 5/2029.
תקנות המזחים (אגרות), התש"ץ–2029 – בטלות."""
ENGLISH = """Circular No. 12/2031
Subject: Mooring at public piers
1. Purpose
This circular sets out what the owner of a boat pays for mooring at a public pier, and when.
2. Commencement
This circular takes effect on 1 May 2031.
3. Replacement
This circular replaces Circular 7/2029."""

CHANGES = {"en": "What changed, by provision", "he": "מה השתנה, לפי הוראות"}


@pytest.fixture
def here(transactional_db: None) -> list[Source]:
    return [
        add_document("אגרה של עשרה שקלים.", title="אגרות עגינה", identifier="חוזר 5/2029", kind="circular"),
        add_document("A fee of ten crowns.", title="Mooring fees", identifier="Circular 7/2029", kind="circular"),
        add_document("אגרה לכל יום.", title='תקנות המזחים (אגרות), התש"ץ–2029', kind="regulation"),
    ]


@pytest.fixture
def jobs(here: list[Source]) -> list[Job]:
    files = [("עגינה.txt", [HEBREW.encode()]), ("mooring.txt", [ENGLISH.encode()])]
    taken = create_batch(files, topic=first_topic(), by="dana")
    for job in taken.jobs:
        run_job(job.pk)
    return taken.jobs


def test_a_reviewer_sees_and_confirms_the_end_of_a_version(
    staff_page: Page,
    log_in: Callable[..., None],
    asgi_server: str,
    jobs: list[Job],
    here: list[Source],
    complaints: list[str],
) -> None:
    page, batch, found = staff_page, f"{asgi_server}/review/{jobs[0].batch_id}/", list[str]()
    for language, job, day in (("he", jobs[0], "30.4.2031"), ("en", jobs[1], "30 Apr 2031")):
        log_in(language=language)
        for _ in both_looks(page):
            page.goto(f"{batch}{job.pk}/")
            expect(page.locator("#field-similar")).to_be_visible()
            expect(page.locator(".page-text")).to_be_visible()
            expect(page.locator(".foreseen")).to_contain_text(day)
            found += look(page, f"new-version-{language}")
            page.get_by_role("link", name=CHANGES[language]).click()
            expect(page.locator("article.change").first).to_be_visible()
            found += look(page, f"changes-of-a-file-{language}")
            page.locator(".title-row .primary").click()
            expect(page.locator(".foreseen")).to_contain_text(day)
    assert found == []
    expect(page.locator("#id-valid_from")).to_have_value("1 May 2031")
    expect(page.locator(f'[name="similar"][value="version_of:{here[1].pk}"]')).to_be_checked()
    page.locator("#id-valid_from").fill("2031-06-01")
    page.locator("#id-title").focus()
    expect(page.locator(".foreseen")).to_contain_text("31 May 2031")
    page.locator('[name="similar"][value="another"]').check()
    expect(page.locator(".foreseen")).not_to_contain_text("2031")
    page.locator(f'[name="similar"][value="version_of:{here[1].pk}"]').check()
    expect(page.locator(".foreseen")).to_contain_text("31 May 2031")
    page.locator("#confirm").click()
    page.wait_for_url(lambda url: str(jobs[1].pk) not in url)
    decided = decision_of(Job.objects.get(pk=jobs[1].pk))
    assert (decided["version_of"], decided["valid_from"]) == (here[1].pk, "2031-06-01")
    assert complaints == []
