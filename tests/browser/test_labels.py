"""The labels under the hands: searching while typing, making, renaming, merging with its preview, deleting."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from labels import assign, naming
from labels.models import Label
from tests.browser.axe import both_looks, complaints_of_axe, looks_wrong
from tests.browser.languages import EACH
from tests.browser.settling import settled
from tests.factories import make_label, make_source

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def rents(transactional_db: None) -> tuple[Label, Label]:
    """Two labels that are nearly the same: three sources have the first, one of them the second too."""
    both, one, two = make_source(title="Both"), make_source(), make_source()
    label, target = make_label("Tenancies"), make_label("Tenancy")
    for source in (both, one, two):
        assign.add(source, [label], by="test")
    assign.add(both, [target], by="test")
    make_label("ביטוח דירה")
    return label, target


def row_of(page: Page, label: Label) -> str:
    return f"#label-{label.pk}"


def open_labels(page: Page, url: str) -> None:
    page.goto(f"{url}/labels/")
    expect(page.locator(".labels-table")).to_be_visible()


def test_the_list_narrows_while_one_types(staff_page: Page, asgi_server: str, rents: tuple[Label, Label]) -> None:
    page = staff_page
    open_labels(page, asgi_server)
    page.locator("#label-search").fill("ביטוח")
    expect(page.locator(".labels-table tbody tr")).to_have_count(1)
    expect(page.locator("#label-search")).to_be_focused()
    expect(page).to_have_url(f"{asgi_server}/labels/?q=%D7%91%D7%99%D7%98%D7%95%D7%97")
    page.locator("#label-search").fill("no such label at all")
    expect(page.locator("#labels .empty")).to_be_visible()
    page.locator("#label-search").fill("")
    expect(page.locator(".labels-table tbody tr")).to_have_count(3)


def test_label_is_made_from_dialog_after_its_likes_were_shown(
    staff_page: Page, asgi_server: str, rents: tuple[Label, Label]
) -> None:
    page = staff_page
    open_labels(page, asgi_server)
    page.locator(".title-row .primary").click()
    expect(page.locator("#label-name")).to_be_focused()
    settled(page)
    page.keyboard.type("Tennancy", delay=60)  # as a person does: the piece is fetched while the name grows
    expect(page.locator("#alike .chip").first).to_contain_text("Tenancy")
    page.keyboard.press("Enter")
    expect(page.locator('#dialog [name="sure"]')).to_be_visible()
    settled(page)
    page.locator('#dialog [name="sure"]').click()
    expect(page.locator(".message.success")).to_contain_text("Tennancy")
    assert Label.objects.filter(slug="tennancy").exists()


def test_renaming_to_a_name_that_is_taken_is_said_in_the_dialog(
    staff_page: Page, asgi_server: str, rents: tuple[Label, Label], complaints: list[str]
) -> None:
    page, (label, _target) = staff_page, rents
    open_labels(page, asgi_server)
    page.locator(f"{row_of(page, label)} .row-buttons a").first.click()
    expect(page.locator("#label-name")).to_have_value("Tenancies")
    settled(page)
    page.locator("#label-name").fill("TENANCY")
    page.keyboard.press("Enter")
    expect(page.locator("#dialog .error")).to_be_visible()
    expect(page.locator("#label-name")).to_have_value("TENANCY")
    settled(page)
    assert complaints
    assert all("400" in complaint for complaint in complaints)
    complaints.clear()
    page.locator("#label-name").fill("Letting")
    page.keyboard.press("Enter")
    expect(page.locator(".message.success")).to_contain_text("Letting")
    expect(page.locator(row_of(page, label))).to_contain_text("Tenancies")  # as another name


def test_merge_is_previewed_turned_round_and_done_with_keyboard(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, rents: tuple[Label, Label]
) -> None:
    page, (label, target) = staff_page, rents
    log_in(language="he")
    open_labels(page, asgi_server)
    page.locator(f"{row_of(page, target)} .row-buttons a").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#merge-target")).to_be_focused()
    page.keyboard.type("tenancies")
    expect(page.locator("#merge-options [aria-selected='true']")).to_contain_text("Tenancies")
    page.keyboard.press("Enter")
    facts = page.locator(".merge-preview .facts dd")
    expect(page.locator(".merge-preview")).to_contain_text("נושאים את שתיהן")
    assert facts.all_inner_texts()[:2] == ["0", "1"]
    page.locator(".direction .button").focus()
    page.keyboard.press("Enter")
    expect(facts.first).to_have_text("2")
    expect(page.locator(".merge-preview .chip.kept")).to_contain_text("Tenancy")
    assert complaints_of_axe(page) == []
    assert Label.objects.count() == 3
    page.locator(".merge-preview .primary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".message.success")).to_contain_text("Tenancies")
    target.refresh_from_db()
    assert target.usage_count == 3
    assert not Label.objects.filter(pk=label.pk).exists()


def test_a_pair_that_is_nearly_the_same_is_merged_from_the_list(
    staff_page: Page, asgi_server: str, rents: tuple[Label, Label]
) -> None:
    page = staff_page
    open_labels(page, asgi_server)
    expect(page.locator(".nearly .pair")).to_contain_text("Tenancy")
    page.locator(".nearly .button").click()
    expect(page.locator(".merge-preview .chip.kept")).to_contain_text("Tenancies")
    page.locator(".merge-preview .primary").click()
    expect(page.locator(".message.success")).to_be_visible()
    assert Label.objects.count() == 2


def test_label_that_is_gone_or_used_by_now_is_said_in_dialog(
    staff_page: Page, asgi_server: str, rents: tuple[Label, Label], complaints: list[str]
) -> None:
    page, (label, target) = staff_page, rents
    unused = Label.objects.get(name="ביטוח דירה")
    open_labels(page, asgi_server)
    page.locator(f"{row_of(page, unused)} .danger").click()
    expect(page.locator("#dialog [data-close]")).to_be_focused()
    settled(page)
    assign.add(make_source(), [unused], by="avi")
    page.locator("#dialog button.danger").click()
    expect(page.locator("#dialog .message.error")).to_contain_text("1 source")
    settled(page)
    page.keyboard.press("Escape")
    naming.merge(label.pk, target.pk, by="avi")
    page.locator(f"{row_of(page, label)} .row-buttons a").first.click()
    expect(page.locator("#dialog")).to_contain_text("avi")
    assert all("409" in complaint or "404" in complaint for complaint in complaints)
    complaints.clear()
    assert Label.objects.filter(pk=unused.pk).exists()


def test_an_unused_label_is_deleted(staff_page: Page, asgi_server: str, rents: tuple[Label, Label]) -> None:
    page = staff_page
    unused = Label.objects.get(name="ביטוח דירה")
    open_labels(page, asgi_server)
    page.locator(f"{row_of(page, unused)} .danger").click()
    page.locator("#dialog button.danger").click()
    expect(page.locator(".message.success")).to_contain_text("ביטוח דירה")
    assert not Label.objects.filter(pk=unused.pk).exists()


@pytest.mark.parametrize("language", EACH)
def test_labels_are_ordered_by_use_and_lead_to_what_carries_them(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, rents: tuple[Label, Label], language: str
) -> None:
    page, (label, target) = staff_page, rents
    log_in(language=language)
    found: list[str] = []
    for _ in both_looks(page):
        open_labels(page, asgi_server)
        page.goto(f"{asgi_server}/labels/?sort=-count")
        expect(page.locator(".labels-table tbody tr").first).to_contain_text("Tenancies")
        found += looks_wrong(page)
        page.locator(f"{row_of(page, target)} .in-topic").click()
        expect(page.locator(".sources-table tbody tr")).to_have_count(1)
        page.locator(".sources-table .chip").filter(has_text="Tenancies").click()
        expect(page).to_have_url(f"{asgi_server}/library/?label={label.slug}")
        expect(page.locator(".sources-table tbody tr")).to_have_count(3)
        found += looks_wrong(page)
    assert found == []


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "he"])
def test_axe_finds_nothing_and_nothing_is_cut_off(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, rents: tuple[Label, Label], language: str
) -> None:
    page, (label, _target) = staff_page, rents
    log_in(language=language)
    found: list[str] = []
    for _ in both_looks(page):
        for path in ("/labels/", "/labels/nearly-the-same/", "/labels/new/", f"/labels/{label.pk}/merge/"):
            page.goto(asgi_server + path)
            if path == "/labels/":
                expect(page.locator(".nearly .pair")).to_be_visible()
            found += looks_wrong(page)
        page.goto(f"{asgi_server}/labels/")
        settled(page)
        page.locator(f"{row_of(page, label)} .row-buttons a").nth(1).click()
        page.locator("#merge-target").fill("ten")
        expect(page.locator('#merge-options [role="option"]').first).to_be_visible()
        found += complaints_of_axe(page)
    assert found == []
