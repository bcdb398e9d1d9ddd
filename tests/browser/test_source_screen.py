"""A source of the library under the hands: editing, indexing it again, versions, deleting it."""

from collections.abc import Callable
from datetime import date
from subprocess import Popen

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ingest.documents.edit import delete, edit
from ingest.models import Job
from sources.models import Source
from tests.browser.axe import both_looks, complaints_of_axe, looks_wrong
from tests.browser.search_page import speak
from tests.browser.settling import settled

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_source_is_edited_with_its_labels(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, sources: list[Source]
) -> None:
    page = staff_page
    log_in(language="he")
    page.goto(f"{asgi_server}/library/")
    page.locator(f"#source-{sources[2].pk} th a").click()
    page.locator("#id-subject").fill("דמי שכירות")
    page.locator("#source-labels").fill("Brand new")
    expect(page.locator("#source-labels-options .create")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".labels .chip.new")).to_contain_text("Brand new")
    page.locator("#source-form .primary").click()
    expect(page.locator(".message.success")).to_have_text("נשמר.")
    sources[2].refresh_from_db()
    assert sources[2].subject == "דמי שכירות"
    assert [label.name for label in sources[2].labels.all()] == ["Brand new"]


def test_a_new_title_is_indexed_while_one_looks_on(
    staff_page: Page, asgi_server: str, source: Source, worker: Popen[bytes]
) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/library/{source.pk}/")
    first = page.locator(".chunk").first.get_attribute("id")
    page.locator("#id-title").fill("Another title")
    page.locator("#source-form .primary").click()
    expect(page.locator("#reindex button")).to_be_visible()
    expect(page.locator("#reindex .phase-done")).to_be_visible()
    expect(page.locator(f"#{first}")).to_have_count(0)
    expect(page.locator(".chunk").first).to_be_visible()
    page.locator("#id-subject").fill("typed meanwhile")
    page.locator("#reindex button").click()
    expect(page.locator("#reindex button")).to_have_count(0)
    expect(page.locator("#reindex button")).to_be_visible()
    assert Job.objects.filter(reindex=True, status="done").count() == 2
    expect(page.locator("#id-subject")).to_have_value("typed meanwhile")


def test_a_source_changed_meanwhile_loses_nothing_typed(
    staff_page: Page, asgi_server: str, sources: list[Source], complaints: list[str]
) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/library/{sources[0].pk}/")
    page.locator("#id-subject").fill("mine")
    page.locator('.labels .chip input[value="slug:rent"]').uncheck()
    page.goto(f"{asgi_server}/library/")
    edit(sources[0].pk, {"subject": "theirs"}, by="avi")
    page.goto(f"{asgi_server}/library/{sources[0].pk}/")
    expect(page.locator("[data-draft-overtaken]")).to_be_visible()
    page.locator("#source-form .primary").click()
    expect(page.locator(".message.warning")).to_contain_text("avi")
    expect(page.locator(".compared")).to_contain_text("theirs")
    expect(page.locator("#id-subject")).to_have_value("mine")
    expect(page.locator('.labels .chip input[value="slug:rent"]')).not_to_be_checked()
    page.locator("#source-form .primary").click()
    expect(page.locator(".message.success")).to_be_visible()
    sources[0].refresh_from_db()
    assert sources[0].subject == "mine"
    assert not sources[0].labels.exists()

    page.locator("#id-subject").fill("typed too late")
    delete(sources[0].pk, by="avi")
    page.locator("#source-form .primary").click()
    expect(page.locator(".typed", has_text="typed too late")).to_be_visible()
    assert all("409" in complaint or "404" in complaint for complaint in complaints)
    complaints.clear()


def test_a_source_is_deleted_after_it_was_said_what_goes(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, source: Source
) -> None:
    page = staff_page
    log_in(language="he")
    page.goto(f"{asgi_server}/library/{source.pk}/")
    page.locator(".title-row .danger").click()
    expect(page.locator("#dialog [data-close]")).to_be_focused()
    settled(page)
    expect(page.locator("#dialog")).to_contain_text(source.filename)
    assert complaints_of_axe(page) == []
    page.keyboard.press("Escape")
    assert Source.objects.filter(pk=source.pk).exists()
    page.locator(".title-row .danger").click()
    page.locator("#dialog button.danger").click()
    expect(page.locator(".message.success")).to_be_visible()
    expect(page).to_have_url(f"{asgi_server}/library/")
    assert not Source.objects.filter(pk=source.pk).exists()


def test_a_passage_is_reached_by_its_address(staff_page: Page, asgi_server: str, source: Source) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/library/{source.pk}/")
    last = page.locator(".chunk").last
    number = (last.get_attribute("id") or "").removeprefix("chunk-")
    page.goto(f"{asgi_server}/library/{source.pk}/?chunk={number}")
    expect(page).to_have_url(f"{asgi_server}/library/{source.pk}/?page=1#chunk-{number}")
    expect(page.locator(f"#chunk-{number}:target")).to_be_in_viewport()


def test_a_source_becomes_a_version_of_another_and_is_split_off(
    staff_page: Page, context: BrowserContext, asgi_server: str, sources: list[Source]
) -> None:
    page, (alpha, beta, _law) = staff_page, sources
    Source.objects.filter(pk=alpha.pk).update(valid_from=date(2015, 3, 1))
    for language, (change, query, search, save, split, back) in {
        "en": (
            "Change what it is a version of…",
            "Title, identifier or subject of another document",
            "Search",
            "Save",
            "Split it off",
            "Saved.",
        ),
        "he": (
            "שינוי של מה הוא נוסח…",
            "כותרת, מזהה או נושא של מסמך אחר",
            "חיפוש",
            "שמירה",
            "הפרדה",
            "נשמר.",
        ),
    }.items():
        speak(context, asgi_server, language)
        page.goto(f"{asgi_server}/library/{beta.pk}/")
        dialog = page.get_by_role("dialog")
        page.get_by_role("link", name=change).click()
        dialog.get_by_label(query).fill("alph")
        dialog.get_by_role("button", name=search).click()
        dialog.get_by_role("radio", name="Alpha").check()
        dialog.locator("[name=valid_from]").fill("2020-01-01")
        for _ in both_looks(page):
            assert looks_wrong(page) == []
        dialog.get_by_role("button", name=save).click()
        expect(page.get_by_text(back)).to_be_visible()
        versions = page.locator(".version-list li")
        expect(versions).to_have_count(2)
        for _ in both_looks(page):
            assert looks_wrong(page) == []
        page.get_by_role("link", name=change).click()
        dialog.get_by_role("button", name=split).click()
        expect(page.get_by_text(back)).to_be_visible()
        expect(versions).to_have_count(0)
        page.wait_for_load_state("networkidle")
    beta.refresh_from_db()
    alpha.refresh_from_db()
    assert (beta.work_id == alpha.work_id, beta.valid_from, alpha.valid_to) == (False, date(2020, 1, 1), None)
