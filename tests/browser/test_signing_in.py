"""Signing in, out and again: the pages around it, a session that ends amid work, and the organisation's own page."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from ingest.intake.batches import create_batch
from ingest.job_states import JobStatus
from ingest.models import Job
from kb_project.accounts import links
from kb_project.configuration.roles import REVIEWER
from tests.browser.axe import NARROW, WIDE, both_looks, looks_wrong
from tests.browser.dropping import drop_files
from tests.factories import LAW, first_topic, make_source, make_staff

pytestmark = pytest.mark.django_db(transaction=True)


A_WEEK_AGO = """() => {
  for (const [key, text] of Object.entries(localStorage)) {
    if (!key.startsWith("kb-draft-")) continue;
    const kept = JSON.parse(text);
    localStorage.setItem(key, JSON.stringify({ ...kept, at: kept.at - 7 * 24 * 3600 * 1000 }));
  }
}"""


def end_session(page: Page) -> None:
    """On the server: the browser still has its cookies and believes that somebody is signed in."""
    Session.objects.all().delete()


def sign_in(page: Page, *, username: str = "dana") -> None:
    page.locator("[name=username]").fill(username)
    page.locator("[name=password]").fill("x")
    page.locator("[name=password]").press("Enter")


@pytest.fixture
def in_another_tab(context: BrowserContext) -> Callable[[Page], None]:
    """Sign in by the link that the page shows."""

    def in_another_tab(page: Page) -> None:
        with context.expect_page() as opened:
            page.locator("#notice a").click()
        tab = opened.value
        sign_in(tab)
        expect(tab.locator("[data-signed-in]")).to_be_visible()
        tab.close()
        expect(page.locator("#notice")).to_be_hidden()

    return in_another_tab


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "he"])
def test_every_page_around_signing_in_and_every_error_is_well_made(
    page: Page, context: BrowserContext, log_in: Callable[..., None], asgi_server: str, settings: Any, language: str
) -> None:
    settings.KB_OIDC_ISSUER, settings.KB_OIDC_LABEL = "http://127.0.0.1:1", "Acme"
    settings.ROOT_URLCONF = "tests.kb_project.screens.failing"
    make_staff("ruth", role=REVIEWER)
    found: list[str] = []

    def look(path: str, status: int) -> None:
        response = page.goto(asgi_server + path)
        assert response is not None
        assert response.status == status, path
        found.extend(looks_wrong(page))

    for _ in both_looks(page):
        context.clear_cookies()
        cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": asgi_server}
        context.add_cookies([cookie])  # type: ignore[list-item]  # Playwright's own dictionary
        for path, status in (
            *(("/sign-in/?next=/review/", 200), ("/sign-in/organisation/", 502), ("/signed-out/", 200)),
            *(("/password/forgotten/", 200), ("/password/new/MQ/x-y/", 200), ("/nothing", 404)),
        ):
            look(path, status)
        look(links.path_for(User.objects.get()), 200)
        settings.EMAIL_URL = "memorymail://"
        look("/password/forgotten/", 200)
        settings.EMAIL_URL = ""
        log_in(language=language, username="ruth")
        look("/password/", 200)
        look("/sign-in/done/", 200)
        look("/status/", 403)
        look("/fail/unforeseen/", 500)
        page.goto(f"{asgi_server}/password/")
        context.clear_cookies(name=settings.CSRF_COOKIE_NAME)
        page.evaluate("document.querySelector('.plain-form').submit()")
        expect(page.locator("main h1")).to_have_text(
            "This form can no longer be sent" if language == "en" else "אי אפשר עוד לשלוח את הטופס הזה"
        )
        found += looks_wrong(page)
    assert found == []


@pytest.mark.parametrize(("language", "size"), [("en", WIDE), ("he", NARROW)])
def test_review_and_edit_go_on_after_the_session_has_ended(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str, size: ViewportSize
) -> None:
    page = staff_page
    log_in(language=language)
    page.set_viewport_size(size)
    taken = create_batch([("a.txt", [LAW.encode()])], topic=first_topic(), by="dana")
    Job.objects.update(status=JobStatus.AWAITING_REVIEW, ai_suggestions={"kind": "law", "title": "Proposed"})
    source = make_source(title="Old title")
    for path, box in (
        (f"/review/{taken.batch_id}/{taken.jobs[0].pk}/", "#id-title"),
        (f"/library/{source.pk}/", "#id-title"),
    ):
        page.goto(asgi_server + path)
        page.wait_for_load_state("networkidle")  # parts of the page come later, and need the session too
        page.locator(box).fill("Typed by hand")
        end_session(page)
        page.locator(".form-buttons .primary").click()
        page.wait_for_url("**/sign-in/**")
        sign_in(page)
        page.wait_for_url(asgi_server + path)
        expect(page.locator(box)).to_have_value("Typed by hand")
    expect(page.locator("[data-draft-note]")).to_be_visible()
    assert looks_wrong(page) == []
    page.locator(".form-buttons .primary").click()
    expect(page.locator(".messages .success")).to_be_visible()
    source.refresh_from_db()
    assert source.title == "Typed by hand"
    page.reload()
    expect(page.locator("[data-draft-note]")).to_be_hidden()
    page.locator("#id-title").fill("Not this")
    page.goto(f"{asgi_server}/library/")
    page.goto(f"{asgi_server}/library/{source.pk}/")
    expect(page.locator("#id-title")).to_have_value("Not this")
    page.locator("[data-draft-note] button").click()
    expect(page.locator("#id-title")).to_have_value("Typed by hand")


def test_what_was_typed_outlives_its_tab_but_nobody_else_sees_it(
    staff_page: Page, context: BrowserContext, log_in: Callable[..., None], asgi_server: str
) -> None:
    page, source = staff_page, make_source(title="Old title")
    taken = create_batch([("a.txt", [LAW.encode()])], topic=first_topic(), by="dana")
    Job.objects.update(status=JobStatus.AWAITING_REVIEW, ai_suggestions={"kind": "law", "title": "Proposed"})
    paths = [f"/review/{taken.batch_id}/{taken.jobs[0].pk}/", f"/library/{source.pk}/"]

    def titles() -> list[str]:
        tab = context.new_page()
        found = []
        for path in paths:
            tab.goto(asgi_server + path)
            found.append(tab.locator("#id-title").input_value())
        tab.close()
        return found

    tab = context.new_page()
    for path in paths:
        tab.goto(asgi_server + path)
        tab.locator("#id-title").fill("Typed by hand")
    tab.close()
    assert titles() == ["Typed by hand"] * 2
    page.goto(f"{asgi_server}/library/")
    kept = "Object.keys(localStorage).filter((key) => key.startsWith('kb-draft-')).length"
    assert page.evaluate(kept) == 2
    page.evaluate(A_WEEK_AGO)
    page.reload()
    assert page.evaluate(kept) == 0

    tab = context.new_page()
    tab.goto(asgi_server + paths[1])
    tab.locator("#id-title").fill("Typed by hand")
    tab.close()
    log_in(username="avi")
    assert titles() == ["Proposed", "Old title"]
    log_in()
    assert titles() == ["Proposed", "Old title"]


def test_dialog_and_upload_go_on_after_a_sign_in_in_another_tab(
    page: Page, log_in: Callable[..., None], asgi_server: str, in_another_tab: Callable[[Page], None]
) -> None:
    log_in()
    page.goto(f"{asgi_server}/labels/")
    page.locator("[hx-target='#dialog-body']").first.click()
    box = page.locator("dialog[open] [name=name]")
    box.fill("Tenancy")
    end_session(page)
    page.locator("dialog[open] form button.primary").click()
    expect(page.locator("dialog[open] #notice")).to_contain_text("not signed in any more")
    assert looks_wrong(page) == []
    in_another_tab(page)
    expect(box).to_have_value("Tenancy")
    page.locator("dialog[open] form button.primary").click()
    expect(page.locator(".messages .success")).to_contain_text("Tenancy")

    page.goto(f"{asgi_server}/review/upload/")
    end_session(page)
    drop_files(page, {"a.txt": b"Section 1. Text."})
    expect(page.locator("#notice")).to_be_visible()
    expect(page.locator(".upload-item")).to_have_attribute("data-state", "failed")
    in_another_tab(page)
    expect(page.locator(".upload-item")).to_have_attribute("data-state", "accepted")
    page.goto(f"{asgi_server}/review/")
    with page.expect_response("**/review/**"):
        page.evaluate("htmx.ajax('GET', '/no/such/page', {target: '#main'})")
    expect(page.locator("#notice")).to_contain_text("There is nothing here")
    expect(page.locator("main h1")).to_have_text("Review")


def test_a_form_open_during_a_sign_in_can_still_be_sent(
    staff_page: Page, context: BrowserContext, asgi_server: str
) -> None:
    page, source = staff_page, make_source(title="Old title")
    page.goto(f"{asgi_server}/library/{source.pk}/")
    page.locator("#id-title").fill("New title")
    end_session(page)
    tab = context.new_page()
    tab.goto(f"{asgi_server}/sign-in/?next=/review/")
    sign_in(tab)
    tab.wait_for_url("**/review/")
    tab.close()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".messages .success")).to_be_visible()


def test_signing_in_from_a_page_leads_back_to_it_and_out_clears_the_tab(
    reader: Page, asgi_server: str, complaints: list[str]
) -> None:
    make_staff("ruth")
    page = reader
    page.goto(f"{asgi_server}/?q=rent")
    page.get_by_role("button", name="עברית").click()
    page.locator("#search-box").fill("deposit")
    page.locator("#search-box").press("Enter")
    page.wait_for_url("**q=deposit*")
    page.get_by_role("link", name="כניסה").click()
    sign_in(page, username="ruth")
    page.wait_for_url(lambda url: "q=deposit" in url and "sign-in" not in url)
    expect(page.locator("details.account")).to_contain_text("ruth")
    page.evaluate("sessionStorage.setItem('kb-answer', 'mine'); kbDrafts.keep('job-1', 'mine')")
    page.locator(".account summary").click()
    page.get_by_role("button", name="יציאה").click()
    page.wait_for_url("**/signed-out/")
    expect(page.locator("main h1")).to_have_text("יצאתם מהמערכת")
    assert page.evaluate("sessionStorage.length + localStorage.length") == 0


def test_one_signs_in_with_the_organisation_and_out_of_both(
    page: Page, acme: Any, asgi_server: str, complaints: list[str]
) -> None:
    acme.reset(asgi_server)
    page.goto(f"{asgi_server}/review/upload/")
    page.get_by_role("link", name="Sign in with Acme").click()
    expect(page.locator("h1")).to_have_text("Acme")
    sign_in(page, username="noa")
    page.wait_for_url(f"{asgi_server}/review/upload/")
    expect(page.locator("details.account")).to_contain_text("noa")
    page.goto(f"{asgi_server}/password/")
    expect(page.locator("main")).to_contain_text("Your password is kept there")
    page.locator(".account summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{asgi_server}/signed-out/**")
    expect(page.locator("main h1")).to_have_text("You are signed out")
    page.goto(f"{asgi_server}/sign-in/organisation/")
    expect(page.locator("h1")).to_have_text("Acme")  # where one is signed out too
    assert complaints == []
