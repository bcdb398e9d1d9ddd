"""The library under the hands: filters, labels for many, editing a source, indexing it again, deleting it."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from subprocess import Popen

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ingest.commit import commit
from ingest.decisions import Decision
from ingest.intake.batches import take_in
from ingest.jobs.work import work
from ingest.library import bulk_views
from ingest.library.edit import delete, edit
from ingest.models import Job
from labels import assign
from labels.models import Label
from sources.models import Source
from tests.browser.axe import both_looks, complaints_of_axe, looks_wrong
from tests.browser.search_page import speak
from tests.browser.settling import settled
from tests.factories import make_label, make_source, upload_text
from tests.ingest.similar.texts import ENGLISH
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db(transaction=True)

WITHIN_MS = 60_000


@pytest.fixture
def sources(transactional_db: None) -> list[Source]:
    """Three laws; the first has the label Rent."""
    made = [make_source(title=title, identifier=f"ID {title}") for title in ("Alpha", "Beta", "חוק שכירות")]
    assign.add(made[0], [make_label("Rent")], by="test")
    return made


@pytest.fixture
def source(transactional_db: None, tmp_path: Path) -> Source:
    """A source that was read from a file."""
    job = upload_text(tmp_path)
    work(job.pk)
    job.refresh_from_db()
    assert job.source is not None
    return job.source


def test_filters_apply_themselves_and_the_label_is_chosen_from_the_list(
    staff_page: Page, asgi_server: str, sources: list[Source]
) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/library/")
    rows = page.locator(".sources-table tbody tr")
    expect(rows).to_have_count(3)
    page.locator("#label-filter").fill("re")
    expect(page.locator("#label-filter-options [aria-selected='true']")).to_contain_text("Rent")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(f"{asgi_server}/library/?label=rent&label_name=Rent")
    page.locator("#label-filter").fill("")
    expect(rows).to_have_count(3)
    page.locator("#library-search").fill("חוק")
    expect(rows).to_have_count(1)
    page.locator("#library-search").fill("")
    expect(rows).to_have_count(3)
    page.locator('.filters select[name="kind"]').select_option("tool")
    expect(page.locator("#sources .empty")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "he"])
def test_what_is_to_be_checked_is_found(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, sources: list[Source], language: str
) -> None:
    page = staff_page
    log_in(language=language)
    Source.objects.filter(pk=sources[0].pk).update(pages=3, unread_pages=[2], published_at="2024-01-01")
    Source.objects.filter(pk=sources[1].pk).update(pages=3, unread_pages=[], published_at="2024-01-01")
    first = add_document(ENGLISH, title="Rooftop Beehives Act 2026", published_at="2026-01-01")
    job = take_in([("twin.txt", [ENGLISH.replace("crowns", "pounds").encode()])], topic=first.topic, by="dana").jobs[0]
    work(job.pk)
    both_stay = Decision(kind="law", title="Rooftop Beehives Act 2026", published_at=date(2026, 2, 1))
    commit(job.pk, both_stay, by="dana", allow_duplicate=False, allow_similar=True)
    work(job.pk)
    likes = [first, Source.objects.get(jobs=job)]
    found: list[str] = []
    expected = {"unread": sources[:1], "no_date": sources[2:], "similar": likes}
    for _ in both_looks(page):
        for check, those in expected.items():
            page.goto(f"{asgi_server}/library/")
            page.locator('.filters select[name="check"]').select_option(check)
            rows = page.locator(".sources-table tbody tr")
            expect(rows).to_have_count(len(those))
            assert {row.get_attribute("id") for row in rows.all()} == {f"source-{one.pk}" for one in those}
            found += looks_wrong(page)
    assert found == []


@pytest.mark.parametrize(("language", "said"), [("en", "2 sources were changed."), ("he", "2 מקורות שונו.")])
def test_labels_are_put_on_many_and_taken_off_again(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, sources: list[Source], language: str, said: str
) -> None:
    page = staff_page
    log_in(language=language)
    page.goto(f"{asgi_server}/library/")
    page.locator("[data-all]").check()
    expect(page.locator("[data-count]")).to_have_text("(3)")
    page.locator("#bulk-labels").fill("rent")
    expect(page.locator("#bulk-labels-options [aria-selected='true']")).to_contain_text("Rent")
    page.keyboard.press("Enter")
    expect(page.locator(".bulk .chip")).to_contain_text("Rent")
    page.locator('button[value="add"]').click()
    expect(page.locator(".message.success")).to_contain_text(said)
    label = Label.objects.get(slug="rent")
    assert label.usage_count == 3
    page.locator(f'input[name="sources"][value="{sources[1].pk}"]').check()
    page.locator("#bulk-labels").fill("rent")
    expect(page.locator("#bulk-labels-options [aria-selected='true']")).to_contain_text("Rent")
    page.keyboard.press("Enter")
    page.locator('button[value="remove"]').click()
    expect(page.locator(".message.success")).to_be_visible()
    label.refresh_from_db()
    assert label.usage_count == 2


@pytest.mark.parametrize("language", ["en", "he"])
def test_all_that_the_filter_finds_are_sorted_changed_exported_and_deleted(
    staff_page: Page,
    log_in: Callable[..., None],
    asgi_server: str,
    sources: list[Source],
    language: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = staff_page
    log_in(language=language)
    for number in range(60):
        make_source(title=f"Tool {number:02}", kind="tool", filename="ח.txt")
    page.goto(f"{asgi_server}/library/?kind=tool")
    rows = page.locator(".sources-table tbody tr")
    page.locator("thead a").first.click()
    expect(page.locator('th[aria-sort="ascending"]')).to_have_count(1)
    expect(rows.first).to_contain_text("Tool 00")
    with page.expect_download() as exported:
        page.locator('a[href*="export.csv"]').click()
    lines = exported.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert (len(lines), "Tool 00" in lines[1]) == (61, True)
    assert ("כותרת" if language == "he" else "Title") in lines[0]
    assert ("כלי" if language == "he" else "Tool,") in lines[1]

    found: list[str] = []
    page.locator(".actions .all-found").click()
    expect(rows.locator("input:checked:disabled")).to_have_count(50)
    for _ in both_looks(page):
        found += looks_wrong(page)
    page.locator("#bulk-labels").fill("rent")
    expect(page.locator("#bulk-labels-options [aria-selected='true']")).to_contain_text("Rent")
    page.keyboard.press("Enter")
    page.locator('button[value="add"]').click()
    expect(page.locator(".message.success")).to_contain_text("60")
    assert Label.objects.get(slug="rent").usage_count == 61
    expect(page).to_have_url(f"{asgi_server}/library/?kind=tool&sort=title")

    # Narrow as it is now: what can be done is shown once something is ticked.
    expect(page.locator(".actions")).to_be_hidden()
    page.locator('select[name="sort"]').select_option("-title")
    expect(rows.first).to_contain_text("Tool 59")
    rows.first.locator("input").check()
    page.locator('button[value="delete"]').click()
    expect(page.locator("#dialog [data-close]")).to_be_focused()
    settled(page)
    found += complaints_of_axe(page)
    page.locator("#dialog button.danger").click()
    expect(page.locator(".message.success")).to_be_visible()
    assert not Source.objects.filter(title="Tool 59").exists()

    monkeypatch.setattr(bulk_views, "STEP_S", 0)
    page.goto(f"{asgi_server}/library/?kind=tool&all=1")
    page.locator('button[value="reindex"]').click()
    expect(page.locator("#acting table tbody tr")).to_have_count(59)  # no file of them is stored
    for _ in both_looks(page):
        found += looks_wrong(page)
    assert found == []


def test_a_half_typed_label_is_neither_dropped_nor_made(
    staff_page: Page, asgi_server: str, sources: list[Source]
) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/library/")
    page.locator("[data-all]").check()
    page.locator("#bulk-labels").fill("half typed")
    page.locator('button[value="add"]').click()
    expect(page.locator(".bulk [data-help]")).to_contain_text("Choose a label from the list")
    expect(page.locator("#bulk-labels-options .create")).to_be_visible()
    assert Label.objects.count() == 1


@pytest.mark.parametrize(("language", "saved"), [("en", "Saved."), ("he", "נשמר.")])
def test_a_source_is_edited_with_its_labels(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, sources: list[Source], language: str, saved: str
) -> None:
    page = staff_page
    log_in(language=language)
    page.goto(f"{asgi_server}/library/")
    page.locator(f"#source-{sources[2].pk} th a").click()
    page.locator("#id-subject").fill("דמי שכירות")
    page.locator("#source-labels").fill("Brand new")
    expect(page.locator("#source-labels-options .create")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".labels .chip.new")).to_contain_text("Brand new")
    page.locator("#source-form .primary").click()
    expect(page.locator(".message.success")).to_have_text(saved)
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
    expect(page.locator("#reindex button")).to_be_visible(timeout=WITHIN_MS)
    expect(page.locator("#reindex .phase-done")).to_be_visible()
    expect(page.locator(f"#{first}")).to_have_count(0)
    expect(page.locator(".chunk").first).to_be_visible()
    page.locator("#id-subject").fill("typed meanwhile")
    page.locator("#reindex button").click()
    expect(page.locator("#reindex button")).to_have_count(0)
    expect(page.locator("#reindex button")).to_be_visible(timeout=WITHIN_MS)
    assert Job.objects.filter(reindex=True, status="done").count() == 2
    expect(page.locator("#id-subject")).to_have_value("typed meanwhile")


def test_a_source_that_was_changed_meanwhile_loses_nothing_that_was_typed(
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


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_source_is_deleted_after_it_was_said_what_goes(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, source: Source, language: str
) -> None:
    page = staff_page
    log_in(language=language)
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


@pytest.mark.parametrize("language", ["en", "he"])
def test_axe_finds_nothing_and_nothing_is_cut_off(
    staff_page: Page,
    log_in: Callable[..., None],
    asgi_server: str,
    sources: list[Source],
    source: Source,
    language: str,
    complaints: list[str],
) -> None:
    page = staff_page
    log_in(language=language)
    edit(source.pk, {"subject": "changed"}, by="avi")
    found: list[str] = []
    for _ in both_looks(page):
        for path in ("/library/", "/library/?kind=poem", f"/library/{source.pk}/", "/library/999999/"):
            page.goto(asgi_server + path)
            for details in page.locator("main summary").all():
                details.click()
            found += looks_wrong(page)
        page.goto(f"{asgi_server}/library/")
        page.locator('input[name="sources"]').first.check()
        page.locator("#bulk-labels").fill("re")
        expect(page.locator('#bulk-labels-options [role="option"]').first).to_be_visible()
        found += complaints_of_axe(page)
    assert found == []
    assert all("404" in complaint for complaint in complaints)
    complaints.clear()


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
