"""The library under the hands: filters, labels for many, and what is done with all that a filter finds."""

from collections.abc import Callable
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from ingest.decide.commit import commit
from ingest.decisions import Decision
from ingest.documents.edit import edit
from ingest.intake.batches import create_batch
from ingest.library.screens import bulk
from ingest.stages.run import run_job
from labels.models import Label
from sources.models import Source
from tests.browser.axe import both_looks, complaints_of_axe, look, looks_wrong
from tests.browser.languages import EACH
from tests.browser.settling import settled
from tests.factories import make_source
from tests.ingest.similar.texts import ENGLISH
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db(transaction=True)


def test_filters_apply_themselves_and_label_is_chosen_from_list(
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


@pytest.mark.parametrize("language", EACH)
def test_what_is_to_be_checked_is_found(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, sources: list[Source], language: str
) -> None:
    page = staff_page
    log_in(language=language)
    Source.objects.filter(pk=sources[0].pk).update(pages=3, unread_pages=[2], published_at="2024-01-01")
    Source.objects.filter(pk=sources[1].pk).update(pages=3, unread_pages=[], published_at="2024-01-01")
    first = add_document(ENGLISH, title="Rooftop Beehives Act 2026", published_at="2026-01-01")
    job = create_batch(
        [("twin.txt", [ENGLISH.replace("crowns", "pounds").encode()])], topic=first.topic, by="dana"
    ).jobs[0]
    run_job(job.pk)
    both_stay = Decision(kind="law", title="Rooftop Beehives Act 2026", published_at=date(2026, 2, 1))
    commit(job.pk, both_stay, by="dana", allow_duplicate=False, allow_similar=True)
    run_job(job.pk)
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


def test_labels_are_put_on_many_and_taken_off_again(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, sources: list[Source]
) -> None:
    page = staff_page
    log_in(language="he")
    page.goto(f"{asgi_server}/library/")
    page.locator("[data-all]").check()
    expect(page.locator("[data-count]")).to_have_text("(3)")
    page.locator("#bulk-labels").fill("rent")
    expect(page.locator("#bulk-labels-options [aria-selected='true']")).to_contain_text("Rent")
    page.keyboard.press("Enter")
    expect(page.locator(".bulk .chip")).to_contain_text("Rent")
    page.locator('button[value="add"]').click()
    expect(page.locator(".message.success")).to_contain_text("2 מקורות שונו.")
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


@pytest.mark.parametrize("language", EACH)
def test_actions_appear_when_a_source_is_ticked_and_move_no_row(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    page = staff_page
    log_in(language=language)
    for number in range(30):
        make_source(title=f"Tool {number:02}", kind="tool")
    found: list[str] = []
    for _ in both_looks(page):
        page.goto(f"{asgi_server}/library/")
        first = page.locator(".sources-table tbody tr").first
        bar, before = page.locator(".actions"), first.bounding_box()
        expect(bar).to_be_hidden()
        first.locator("input").check()
        expect(bar).to_be_in_viewport()
        assert page.evaluate("innerWidth") < 768 or first.bounding_box() == before
        found += look(page, f"library-ticked-{language}")
        page.locator("#bulk-labels").fill("new")
        expect(page.locator("#bulk-labels-options .create")).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        first.locator("input").uncheck()
        expect(bar).to_be_hidden()
    assert found == []


@pytest.mark.parametrize("language", EACH)
def test_all_that_a_filter_finds_can_be_changed_and_exported(
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
    page.locator("[data-all]").check()
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

    # Narrow as it is now.
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

    monkeypatch.setattr(bulk, "STEP_S", 0)
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


@pytest.mark.deep
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
