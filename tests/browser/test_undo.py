"""One key takes back what was done last: on a job's screen, on a batch and in the library."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ingest.models import Job
from sources.models import Source, TrashedSource
from tests.browser.axe import both_looks, look
from tests.browser.test_job_screen import jobs as jobs  # a fixture
from tests.factories import make_source

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
COVERED = """() => {
  const place = (element) => element.getBoundingClientRect();
  const toast = place(document.querySelector(".messages"));
  const others = document.querySelectorAll("main :is(h1, .crumbs, .steps, table, .document, form:not(.undo))");
  return [...others].filter((element) => {
    const other = place(element);
    return other.width && other.left < toast.right - 1 && other.right > toast.left + 1
      && other.top < toast.bottom - 1 && other.bottom > toast.top + 1;
  }).map((element) => element.outerHTML.slice(0, 80));
}"""


def looked_at(page: Page, name: str) -> list[str]:
    """What is wrong with the screen in both looks, with what was just done told on it."""
    found = []
    for _ in both_looks(page):
        found += look(page, name)
        found += page.evaluate(COVERED)
    return found


@pytest.mark.parametrize("language", ["en", "he"])
def test_z_takes_back_what_was_done_last(
    page: Page, asgi_server: str, log_in: Callable[..., None], jobs: list[Job], language: str
) -> None:
    log_in(language=language)
    first, second, third = jobs
    batch = f"{asgi_server}/review/{first.batch_id}/"
    page.goto(f"{batch}{second.pk}/")
    page.locator("#id-title").fill("Typed before it was discarded")
    page.locator("h1").click()
    page.keyboard.press("x")
    page.wait_for_url(f"**/{third.pk}/")
    expect(page.locator(".messages .success")).to_contain_text(second.filename)
    found = looked_at(page, f"job-discarded-{language}")
    page.keyboard.press("z")
    page.wait_for_url(f"**/{second.pk}/")
    expect(page.locator("#id-title")).to_have_value("Typed before it was discarded")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"**/{third.pk}/")

    page.goto(batch)
    expect(page.locator(".actions button:enabled")).to_have_count(0)
    page.locator(f"#tick-{first.pk}").check()
    page.locator(f"#tick-{third.pk}").check()
    page.locator('.actions [value="discard"]').click()
    expect(page.locator(".phase-discarded.status")).to_have_count(2)
    found += looked_at(page, f"batch-discarded-{language}")
    page.keyboard.press("z")
    expect(page.locator(".phase-discarded.status")).to_have_count(0)
    page.keyboard.press("z")  # the one before it
    page.wait_for_url(f"**/{second.pk}/")
    assert {job.status for job in Job.objects.all()} == {"awaiting_review"}

    source = make_source(title="Boats")
    page.goto(f"{asgi_server}/library/{source.pk}/")
    page.locator(".title-row .danger").click()
    page.locator("#dialog .danger").click()
    expect(page.locator(".messages .success")).to_contain_text("Boats")
    assert TrashedSource.objects.exists()
    found += looked_at(page, f"library-deleted-{language}")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    found += look(page, f"library-keys-{language}")
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    page.wait_for_url(f"**/library/{source.pk}/")
    assert Source.objects.exists()
    assert found == []
