"""Marking words on the reading page, by hand and by keys, and what is seen of it there and in other versions."""

from pathlib import Path

import pdfplumber
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from keeping.models import Highlight
from sources import provisions
from sources.models import Source
from tests.browser.axe import both_looks, look
from tests.browser.languages import EACH
from tests.browser.long_law import SECTIONS, long_law
from tests.browser.search_page import speak
from tests.search.corpus import add_document
from tests.sources.test_standing import gardens
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["long_law"]  # a fixture
PAINTED = """() => ['yellow', 'blue'].flatMap((colour) =>
  [...(CSS.highlights.get(`kb-${colour}`) || [])].map((range) => [colour, range.toString()]))"""
SELECT = """([line, words]) => {
  const node = [...document.querySelectorAll('.document-text .line')].find((one) => one.textContent.includes(line));
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (!walker.nextNode().data.includes(words));
  const text = walker.currentNode, range = document.createRange(), at = text.data.indexOf(words);
  range.setStart(text, at);
  range.setEnd(text, at + words.length);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


@pytest.fixture
def law(transactional_db: None) -> Source:
    return gardens()[0]


def select(page: Page, line: str, words: str) -> None:
    page.evaluate(SELECT, [line, words])


def save(page: Page, note: str = "") -> None:
    if note:
        page.locator("#mark-note").fill(note)
    page.locator("[data-mark-dialog] .primary").click()
    expect(page.locator("[data-mark-dialog]")).to_be_hidden()


def painted(page: Page, *marks: list[str]) -> None:
    """Wait until these are painted, each with its colour."""
    wait_until(lambda: page.evaluate(PAINTED) == [*marks])


def test_words_are_marked_by_hand_and_found_again(staff_page: Page, asgi_server: str, law: Source) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/documents/{law.pk}/#sec_5")
    select(page, "Three hives", "Three hives")
    page.locator("[data-mark-tip] button").click()
    expect(page.locator("[data-mark-words]")).to_have_text("Three hives")
    save(page, "Ask the beekeeper.")
    painted(page, ["yellow", "Three hives"])
    page.reload()
    painted(page, ["yellow", "Three hives"])
    beside = page.locator("[data-marks-beside]")
    expect(beside).to_contain_text("Ask the beekeeper.")
    box = page.get_by_text("Three hives may be kept").bounding_box()
    assert box
    page.mouse.click(box["x"] + 20, box["y"] + 10)
    expect(page.locator("#mark-note")).to_have_value("Ask the beekeeper.")
    page.get_by_label("Blue").check()
    save(page)
    painted(page, ["blue", "Three hives"])
    page.keyboard.press("h")
    painted(page)
    page.keyboard.press("h")
    beside.get_by_role("button", name="Change").click()
    page.locator("[data-mark-remove]").click()
    painted(page)
    expect(page.locator("[data-key=l]")).to_be_hidden()
    page.keyboard.press("z")
    painted(page, ["blue", "Three hives"])


@pytest.mark.parametrize("language", EACH)
def test_words_are_marked_and_read_by_keys_alone(
    staff_page: Page, context: BrowserContext, asgi_server: str, law: Source, language: str
) -> None:
    page = staff_page
    speak(context, asgi_server, language)
    page.goto(f"{asgi_server}/documents/{law.pk}/")
    for _ in range(5):
        page.keyboard.press("j")
    page.keyboard.press("m")
    chooser = page.locator("#mark-choose")
    expect(chooser).to_be_focused()
    expect(chooser).to_have_value("5. Bees\nThree hives may be kept behind a hedge that is higher than a grown person.")
    page.keyboard.type("x")  # it is not written into
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    for _ in "Three":
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("Why three?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    painted(page, ["blue", "Three"])
    page.keyboard.press("l")
    marks = page.locator("[data-mark-list]")
    expect(marks).to_contain_text("Why three?")
    expect(marks.locator("a")).to_be_focused()
    page.keyboard.press("Enter")
    expect(marks).to_be_hidden()
    expect(page.locator(".line", has_text="Three hives")).to_be_focused()
    page.keyboard.press("?")
    told = [" ".join(keys.split()) for keys in page.locator("#keys dt:visible").all_text_contents()]
    assert {"m", "l", "h"} <= set(told)


@pytest.mark.parametrize("language", EACH)
def test_marks_come_along_to_the_next_version(
    staff_page: Page, context: BrowserContext, asgi_server: str, law: Source, language: str
) -> None:
    page = staff_page
    speak(context, asgi_server, language)
    page.goto(f"{asgi_server}/documents/{law.pk}/")
    for line, words in (("Three hives", "kept behind"), ("Water is drawn", "between six and nine")):
        select(page, line, words)
        page.keyboard.press("m")
        save(page, "Look at this.")
    assert look(page, f"marks-{language}") == []
    new = Source.objects.get(work_id=law.work_id, valid_to=None)
    page.goto(f"{asgi_server}/documents/{new.pk}/#sec_6")
    painted(page, ["yellow", "kept behind"])
    beside = page.locator("[data-marks-beside] li")
    expect(beside).to_have_count(2)
    gone = beside.last
    expect(gone).to_contain_text("between six and nine")
    expect(gone.locator("[data-mark-reason]")).to_have_text(
        "Its words are gone." if language == "en" else "מילותיה אינן עוד."
    )
    for _ in both_looks(page):
        page.keyboard.press("l")
        assert look(page, f"marks-list-{language}") == []
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        assert look(page, f"marks-choose-{language}") == []
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 900})
    gone.get_by_role("link").click()
    page.wait_for_url(f"**/documents/{law.pk}/#sec_3")


def test_repeated_words_keep_their_place_beside_definitions_and_numbers(
    staff_page: Page, asgi_server: str, transactional_db: None
) -> None:
    text = (
        '1. Definitions\n"boat" means a thing that floats.\n2. Fee\n(a) Whoever has a boat pays.\n'
        "(b) Whoever has a boat, pays under section 1."
    )
    law = add_document(text, kind="law", title="Boats Act")
    page = staff_page
    page.goto(f"{asgi_server}/documents/{law.pk}/#sec_2")
    expect(page.locator("a.term")).to_have_count(1)
    select(page, "(b) Whoever", "Whoever has a boat")
    page.keyboard.press("m")
    save(page)
    page.reload()
    expect(page.locator("a.term")).to_have_count(1)
    painted(page, ["yellow", "Whoever has a boat"])
    one = Highlight.objects.get()
    assert one.start == provisions.whole_text(law.pk).rindex("Whoever has a boat")
    expect(page.locator("#sec_2 .no")).to_have_text("2.")
    line = page.locator(".line", has_text="(a) Whoever")
    select(page, "(a) Whoever", "(a) Whoever has a ")
    page.keyboard.press("m")
    save(page)
    assert len(wait_until(lambda: page.evaluate(PAINTED))) == 2
    expect(line.locator("a.term")).to_have_count(1)


def test_marks_are_in_parts_that_come_later(staff_page: Page, asgi_server: str, long_law: Source) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/documents/{long_law.pk}/#sec_390")
    expect(page.get_by_text("aardvark").first).to_be_in_viewport()
    select(page, "aardvark", "aardvark")
    page.keyboard.press("m")
    save(page)
    page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    expect(page.locator(".provision-head")).to_have_count(SECTIONS)
    painted(page, ["yellow", "aardvark"])
    page.keyboard.press("l")
    page.locator("[data-mark-list] a").click()
    expect(page.get_by_text("aardvark").first).to_be_in_viewport()


def test_a_refusal_is_said_and_nothing_typed_is_lost(
    staff_page: Page, asgi_server: str, law: Source, complaints: list[str]
) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/documents/{law.pk}/")
    select(page, "Three hives", "Three hives")
    page.keyboard.press("m")
    page.locator("#mark-note").fill("Kept.")
    page.route("**/kb/highlights", lambda route: route.abort())
    page.locator("[data-mark-dialog] .primary").click()
    expect(page.locator("[data-mark-error]")).to_be_visible()
    page.unroute_all(behavior="ignoreErrors")
    save(page)
    assert Highlight.objects.get().note == "Kept."
    complaints.clear()


def test_without_the_highlight_api_elements_are_marked(staff_page: Page, asgi_server: str, law: Source) -> None:
    page = staff_page
    page.add_init_script("delete CSS.highlights; delete CSS.__proto__.highlights;")
    page.goto(f"{asgi_server}/documents/{law.pk}/")
    select(page, "Three hives", "Three hives may")
    page.keyboard.press("m")
    save(page)
    mark = page.locator(".document-text mark")
    expect(mark).to_have_text(["Three hives may"])
    page.locator("h1").click()
    page.keyboard.press("h")
    expect(mark).to_have_count(0)
    page.keyboard.press("h")
    expect(mark).to_have_count(1)


def test_nobody_unknown_is_offered_anything_and_a_print_has_no_marks(
    staff_page: Page, context: BrowserContext, asgi_server: str, law: Source, tmp_path: Path
) -> None:
    page = staff_page
    page.goto(f"{asgi_server}/documents/{law.pk}/")
    before = printed(page, tmp_path)
    select(page, "Three hives", "Three hives")
    page.keyboard.press("m")
    save(page, "Mine alone.")
    painted(page, ["yellow", "Three hives"])
    assert printed(page, tmp_path) == before
    painted(page, ["yellow", "Three hives"])
    context.clear_cookies()
    page.goto(f"{asgi_server}/documents/{law.pk}/")
    for offered in ("[data-mark-tip]", "[data-mark-provision]", "[data-key=l]", "[data-mark-dialog]"):
        assert page.locator(offered).count() == 0


def printed(page: Page, folder: Path) -> list[tuple[str, int, int]]:
    """Of each sheet the text, and how many areas and lines are drawn."""
    page.pdf(path=folder / "law.pdf")
    with pdfplumber.open(folder / "law.pdf") as document:
        return [(sheet.extract_text(), len(sheet.rects), len(sheet.lines)) for sheet in document.pages]
