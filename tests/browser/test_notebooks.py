"""Keeping in both languages, wide and narrow: a provision, an answer and its quote, and what became of them."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect

from ingest.documents import edit
from keeping.models import Note, Notebook, NoteKind
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.search_page import speak
from tests.keeping.notebooks.notes import TITLE, gardens_act, look
from tests.sources.changes.laws import AMENDED
from tests.sources.test_standing import SECOND

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
ASKED = "When is water drawn in allotment gardens?"
ROOM = 8  # pixels
SAID = {
    "en": ("Undo", "Changed", "Renumbered", "As of today"),
    "he": ("ביטול הפעולה", "שונה", "מספרו שונה", "נכון להיום"),
}


def gap(page: Page, above: str, below: str) -> float:
    """The pixels between two parts of a page."""
    boxes = [page.locator(one).first.bounding_box() for one in (above, below)]
    assert boxes[0]
    assert boxes[1]
    return boxes[1]["y"] - boxes[0]["y"] - boxes[0]["height"]


def test_what_is_done_with_a_search_stands_in_a_row(staff_page: Page, asgi_server: str) -> None:
    gardens_act()
    staff_page.goto(f"{asgi_server}/?q=hives")
    tools = staff_page.locator(".found-head > .buttons > :is(a, form, details)")
    for _ in both_looks(staff_page):
        expect(tools).to_have_count(3)
        assert len({round(box["y"]) for one in tools.all() if (box := one.bounding_box())}) == 1


@pytest.mark.parametrize("language", SAID)
def test_what_is_kept_tells_what_became_of_it(
    language: str, staff_page: Page, context: BrowserContext, asgi_server: str, tmp_path: Path
) -> None:
    undo, changed, renumbered, again = SAID[language]
    page, act = staff_page, gardens_act()
    speak(context, asgi_server, language)
    page.set_viewport_size({"width": 1440, "height": 900})
    toast = page.locator("#toast")

    page.goto(f"{asgi_server}/documents/{act.pk}/")
    page.locator("#sec_5 [data-menu]").click()
    page.locator("[data-provision-dialog] [data-keep]").click()
    assert looks_wrong(page) == []
    toast.get_by_role("button", name=undo).click()
    expect(toast.get_by_role("button")).to_have_count(0)
    assert not Note.objects.exists()
    page.locator("#sec_5 .no").click()
    expect(page.locator("#sec_5.chosen")).to_be_visible()
    page.keyboard.press("k")
    expect(toast.get_by_role("link")).to_have_count(2)

    page.goto(f"{asgi_server}/?q={ASKED}&ask=1")
    for kept in (".answer > .buttons [data-keep]", "#citation-1 [data-keep]"):
        with page.expect_response(lambda answer: "/notebooks/keep/" in answer.url):
            page.locator(kept).click()
        expect(toast.get_by_role("link")).to_have_count(2)
    toast.locator("a").last.click()
    expect(page.locator(".hit")).to_have_count(3)
    kinds = Note.objects.values_list("kind", flat=True)
    assert set(kinds) == {NoteKind.PROVISION, NoteKind.ANSWER, NoteKind.QUOTE}

    edit.edit(act.pk, {"valid_to": AMENDED}, by="test")
    gardens_act(SECOND, valid_from=AMENDED, work_id=act.work_id)
    look()
    page.reload()
    answer = page.locator(".hit", has_text=ASKED)
    expect(answer.locator("mark").first).to_contain_text("between six and nine")
    expect(answer.locator(".became").first).to_have_text(changed)
    expect(page.locator(".hit", has_text="hives").locator(".became")).to_have_text(renumbered)
    answer.locator("summary").first.click()
    expect(answer.locator("ins").first).to_contain_text("five")
    for _ in both_looks(page):
        assert looks_wrong(page) == []
        assert gap(page, "main > .title-row", "main > .find") >= ROOM
        assert gap(page, "main > .find", ".hits") >= ROOM
        page.screenshot(path=tmp_path / f"notebook-{language}-{page.viewport_size['width']}.png", full_page=True)  # type: ignore[index]
    answer.get_by_role("link", name=again).click()
    expect(page.locator("section", has_text="between five and ten")).to_be_visible()
    for _ in both_looks(page):
        assert looks_wrong(page) == []
    page.goto(f"{asgi_server}/notebooks/?q=hives")
    expect(page.locator(".hit")).to_have_count(1)
    page.goto(f"{asgi_server}/notebooks/")
    for _ in both_looks(page):
        assert looks_wrong(page) == []


def test_a_notebook_is_shared_and_printed_without_tools(
    staff_page: Page, asgi_server: str, complaints: list[str]
) -> None:
    page, act = staff_page, gardens_act()
    User.objects.create_user("noa", password="x")
    page.goto(f"{asgi_server}/notebooks/new/")
    page.get_by_label("Name", exact=True).fill("Gardens")
    page.get_by_role("button", name="Make the notebook").click()
    page.wait_for_url("**/notebooks/*/")
    page.locator("main summary", has_text="More").click()
    page.get_by_role("link", name="Name and sharing…").click()
    people = page.get_by_label("People who may read it")
    people.fill("nobody")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Nobody here is called nobody.")
    complaints.clear()  # of the refusal
    people.fill("noa")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("Shared with: noa")
    book = Notebook.objects.get()
    page.goto(f"{asgi_server}/notebooks/keep/?keep=provision&source={act.pk}&eid=sec_5")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.wait_for_url("**/notebooks/*/#note-*")
    expect(page.locator(".hit")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.get_by_text(TITLE).first).to_be_visible()
    for tool in page.locator("main :is(button, .button, form, .menu)").all():
        expect(tool).to_be_hidden()
    expect(page.locator(".print-only").first).to_contain_text(f"/notebooks/{book.pk}/")


def test_a_remark_is_still_there_after_escape(staff_page: Page, asgi_server: str) -> None:
    page, act = staff_page, gardens_act()
    page.goto(f"{asgi_server}/notebooks/keep/?keep=provision&source={act.pk}&eid=sec_5")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.wait_for_url("**/notebooks/*/#note-*")
    page.get_by_role("link", name="Remark…").click()
    remark = page.get_by_label("Remark", exact=True)
    remark.fill("Ask the gardener first.")
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).to_be_hidden()
    page.get_by_role("link", name="Remark…").click()
    expect(remark).to_have_value("Ask the gardener first.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".hit")).to_contain_text("Ask the gardener first.")
    page.get_by_role("link", name="Remark…").click()
    expect(page.locator("#notice")).to_be_hidden()
