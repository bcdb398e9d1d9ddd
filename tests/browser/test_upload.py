"""The screen where files are dropped, and what comes out of archives and messages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ingest.models import Job
from ingest.stages.run import run_job
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.dropping import drop_files
from tests.extraction.offices import mail, odt_file, rtf_file, zip_file
from tests.factories import LAW

pytestmark = pytest.mark.django_db(transaction=True)


def test_token_is_that_of_cookie_which_no_other_host_can_set(staff_page: Page, asgi_server: str) -> None:
    both = "csrftoken=planted; __Host-csrftoken=ours"
    staff_page.add_init_script(f'Object.defineProperty(document, "cookie", {{ get: () => "{both}" }});')
    staff_page.goto(f"{asgi_server}/review/upload/")
    with staff_page.expect_request("**/admin/kb/upload*") as sent:
        drop_files(staff_page, {"a.txt": b"Section 1. Text."})
    assert sent.value.headers["x-csrftoken"] == "ours"


def test_what_is_refused_stands_above_what_is_accepted(
    page: Page, log_in: Callable[..., None], asgi_server: str
) -> None:
    log_in()
    page.goto(f"{asgi_server}/review/upload/")
    drop_files(page, {"a.txt": LAW.encode(), "b.txt": b"", "c.txt": b"Section 1. Text."})
    expect(page.locator('.upload-item[data-state="accepted"]')).to_have_count(2)
    expect(page.locator(".upload-item").first).to_contain_text("Refused: The file is empty")


@pytest.mark.parametrize(
    ("language", "out_of", "attached"), [("en", "Out of", "Attached to"), ("he", "מתוך", "מצורף אל")]
)
def test_an_archive_of_what_offices_write_becomes_a_row_for_each_document(
    staff_page: Page,
    log_in: Callable[..., None],
    asgi_server: str,
    tmp_path: Path,
    language: str,
    out_of: str,
    attached: str,
) -> None:
    page, found = staff_page, list[str]()
    log_in(language=language)
    rtf = rtf_file(tmp_path / "a.rtf", r"Harbour Rules 2025\par 1. A vessel carries a lamp.\par")
    odt = odt_file(tmp_path / "b.odt", "<text:p>Bridge Rules 2025</text:p><text:p>1. A cart pays a toll.</text:p>")
    message = mail(("procedure.txt", LAW.encode())).as_bytes()
    archive = zip_file(tmp_path / "all.zip", rules_rtf=rtf.read_bytes(), bridge_odt=odt.read_bytes(), m_eml=message)
    page.goto(f"{asgi_server}/review/upload/")
    drop_files(page, {"all.zip": archive.read_bytes()})
    expect(page.locator('.upload-item[data-state="accepted"]')).to_have_count(1)
    for _ in both_looks(page):
        found += looks_wrong(page)
    page.locator("[data-to-batch]").click()
    expect(page.locator(".jobs tbody tr")).to_have_count(4)
    for job in Job.objects.all():
        run_job(job.pk)
    for _ in both_looks(page):
        page.reload()
        expect(page.locator(".jobs tbody .phase-awaiting_review")).to_have_count(4)
        expect(page.locator(".by").filter(has_text=out_of)).to_have_count(3)
        expect(page.locator(".by").filter(has_text=attached)).to_have_count(1)
        found += looks_wrong(page)
    assert found == []
