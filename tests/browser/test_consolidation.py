"""Confirming an amending act from the keyboard: instruction by instruction, then the version of the act."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ingest.models import Job
from sources.provisions import whole_text
from tests.browser.axe import both_looks, look
from tests.browser.languages import EACH
from tests.browser.search_page import speak
from tests.ingest.consolidation.acts import Day, ports, reform, stored, take_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("language", EACH)
def test_instructions_are_confirmed_by_keys_and_become_a_version(
    staff_page: Page, context: BrowserContext, asgi_server: str, tmp_path: Path, language: str
) -> None:
    page = staff_page
    act, amending = ports(tmp_path), reform(tmp_path)
    speak(context, asgi_server, language)
    page.goto(f"{asgi_server}/library/{amending.pk}/consolidation/")
    for _ in both_looks(page):
        assert look(page, f"consolidation-{language}") == []
    page.keyboard.press("j")
    page.keyboard.press("Space")
    page.keyboard.press("j")
    page.keyboard.press("Space")
    expect(page.locator("[data-count]")).to_have_text("(2)")
    page.keyboard.press("s")
    expect(page.locator(".messages, [role=status]").first).to_be_visible()
    made = stored(Job.objects.get(consolidation__base=act.pk))
    page.goto(f"{asgi_server}/documents/{made.pk}/")
    for _ in both_looks(page):
        assert look(page, f"consolidated-{language}") == []
    page.locator("details.consolidation summary").click()
    page.locator("details.consolidation a").first.click()
    expect(page).to_have_url(f"{asgi_server}/documents/{amending.pk}/#sec_1")


def test_ticks_are_of_one_person_end_with_the_version_and_pass_what_was_corrected(
    staff_page: Page, asgi_server: str, tmp_path: Path
) -> None:
    page, (act, amending) = staff_page, (ports(tmp_path), reform(tmp_path))
    address = f"{asgi_server}/library/{amending.pk}/consolidation/"
    page.goto(f"{address}?correct=1")
    page.locator("#id_place").fill("Section 7")
    page.locator("#correct .primary").click()
    page.goto(address)
    page.keyboard.press("j")
    page.keyboard.press("Shift+J")
    expect(page.locator("input[value='1'][data-alone]")).not_to_be_checked()
    expect(page.locator("[data-count]")).to_have_text("(1)")
    page.reload()
    expect(page.locator("[data-count]")).to_have_text("(1)")
    [key] = page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('kb-ticks'))")
    assert key.split()[1] == page.evaluate("document.body.dataset.user")
    page.keyboard.press("s")
    expect(page.locator(".messages, [role=status]").first).to_be_visible()
    assert Job.objects.filter(consolidation__base=act.pk).exists()
    expect(page.locator("input[value='0']")).not_to_be_checked()


def test_place_and_day_are_corrected_by_keys_alone(staff_page: Page, asgi_server: str, tmp_path: Path) -> None:
    page, keys = staff_page, staff_page.keyboard
    act = ports(tmp_path)
    said = [
        "Section 9 of the Ports Act 2010 is repealed.",
        "2. This Act comes into force on a day to be fixed by order of the Governor in Council.",
    ]
    amending = reform(tmp_path, "\n".join(["Harbours Reform Act", "S.C. 2025, c. 7", "1.", *said]))
    page.goto(f"{asgi_server}/library/{amending.pk}/consolidation/")
    keys.press("j")
    keys.press("e")
    expect(page.locator("#id_place")).to_be_focused()
    keys.press("ControlOrMeta+A")
    keys.type("Section 7")
    keys.press("Tab")
    expect(page.locator("#id_day")).to_be_focused()
    keys.type("1 January 2026")
    keys.press("Enter")
    expect(page.locator("#instruction-0")).to_be_focused()
    keys.press("Space")
    expect(page.locator("[data-count]")).to_have_text("(1)")
    keys.press("s")
    expect(page.locator(".messages, [role=status]").first).to_be_visible()
    made = stored(Job.objects.get(consolidation__base=act.pk))
    assert made.valid_from == Day("2026-01-01")
    assert "7.\n[Repealed, 2025, c. 7, s. 1]" in whole_text(made.pk)


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "he"])
def test_forty_instructions_are_confirmed_corrected_and_left_out_by_keys_alone(
    staff_page: Page, context: BrowserContext, asgi_server: str, tmp_path: Path, language: str
) -> None:
    page, keys = staff_page, staff_page.keyboard
    numbers = range(1, 41)
    sections = [f"{number}. Fee {number}\nA fee of {number} dollars is paid." for number in numbers]
    act = take_in(
        tmp_path, "\n".join(["Fees Act 2010", *sections]), title="Fees Act 2010", valid_from=Day("2010-01-01")
    )
    said = [
        f"({number}) In section {number} of the Fees Act 2010, for “{words}” substitute “99”."
        for number, words in zip(numbers, [*numbers[:-1], "ten"], strict=True)
    ]
    head = ["Fees Reform Act", "S.C. 2025, c. 7", "Assented to 2025-03-04", "1."]
    amending = reform(tmp_path, "\n".join([*head, *said]))
    speak(context, asgi_server, language)
    page.goto(f"{asgi_server}/library/{amending.pk}/consolidation/")
    for number in numbers[:-1]:
        keys.press("j")
        if number != 7:
            keys.press("Space")
    expect(page.locator("[data-count]")).to_have_text("(38)")
    keys.press("j")  # the one that is not carried out
    keys.press("e")
    expect(page.locator("#id_place")).to_be_focused()
    for _ in both_looks(page):
        assert look(page, f"correction-{language}") == []
    keys.press("Tab")
    keys.type("40")
    keys.press("Enter")
    expect(page.locator("#instruction-39")).to_be_focused()
    expect(page.locator("[data-count]")).to_have_text("(38)")
    keys.press("Space")
    expect(page.locator("[data-count]")).to_have_text("(39)")
    keys.press("s")
    expect(page.locator(".messages, [role=status]").first).to_be_visible()
    made = stored(Job.objects.get(consolidation__base=act.pk))
    text = whole_text(made.pk)
    assert text.count("A fee of 99 dollars") == 39
    assert "A fee of 7 dollars" in text
