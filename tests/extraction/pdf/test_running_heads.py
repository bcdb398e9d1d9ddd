"""Running heads and page numbers."""

from collections.abc import Iterator
from typing import Any

import pytest

from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.page_content import PageClass
from extraction.pdf.page_reader import PageReading
from extraction.pdf.running_heads import LOOK, without_running_heads
from tests.extraction.pdf.making import text_line

SHEET = BoundingBox(0, 0, 595, 842)


def page(*lines: str, head: str | None = None, foot: str | None = None) -> PageReading:
    found = [text_line(text, baseline=600 - 15 * n) for n, text in enumerate(lines)]
    if foot:
        found.insert(0, text_line(foot, baseline=30, right=60 + 6 * len(foot)))  # some producers begin with the footer
    if head:
        found.append(text_line(head, baseline=810, right=60 + 6 * len(head)))
    return PageReading(number=1, box=SHEET, page_class=PageClass.OK, lines=found)


def kept(pages: Any) -> Any:
    result = without_running_heads(pages)
    return [[line.text for line in lines] for _, lines in result]


def body(number: int) -> str:
    return f"הוראה מספר {number} של ההסדר, שעניינה חובת הרישום והדיווח"


def test_heads_and_counting_page_numbers_are_dropped() -> None:
    pages = [page(body(n), head="תקנות הרישום", foot=f"עמוד {n} מתוך 9") for n in range(1, 10)]
    assert kept(pages) == [[body(n)] for n in range(1, 10)]


def test_heads_of_a_small_book_on_large_sheets_are_dropped() -> None:
    def lines(number: int) -> list[str]:
        return [f"{body(number)} ({letter})" for letter in "abcdefgh"]

    heads = [f"{n} Kites Act, No. 2 of 2031" if n % 2 else f"Kites Act, No. 2 of 2031 {n}" for n in range(2, 10)]
    pages = [page(head, *lines(n)) for n, head in enumerate(heads)]
    assert kept(pages) == [lines(n) for n in range(len(heads))]


def test_a_number_that_does_not_count_up_is_text() -> None:
    pages = [page(body(n), foot=number) for n, number in enumerate(["12", "7", "31", "4", "18", "2"])]
    assert [lines[0] for lines in kept(pages)] == ["12", "7", "31", "4", "18", "2"]


def test_a_line_that_repeats_in_the_middle_of_pages_is_text() -> None:
    pages = [page(body(n), "(בוטל).") for n in range(6)]
    assert all("(בוטל)." in lines for lines in kept(pages))


def test_head_that_changes_with_the_chapter_is_dropped_in_each() -> None:
    heads = ["פרק ראשון: הגדרות" if n < 5 else "פרק שני: רישוי" for n in range(10)]
    pages = [page(*([head] if n % 5 == 0 else []), body(n), head=head) for n, head in enumerate(heads)]
    assert kept(pages) == [[*([head] if n % 5 == 0 else []), body(n)] for n, head in enumerate(heads)]


@pytest.mark.parametrize("heads", [[f"Order of {day} May 2031" for day in range(4, 10)], ["Form of permit"] * 3])
def test_a_heading_is_kept_that_no_page_before_says(heads: list[str]) -> None:
    before = ["Form of licence"] * 3 if len(heads) == 3 else []
    found = kept([page(body(n), head=head) for n, head in enumerate([*before, *heads])])[len(before) :]
    assert [heads[0] in lines for lines in found] == [True] + [False] * (len(heads) - 1)
    assert all(len(lines) == 2 for lines in found) == (not before)


def test_a_heading_that_the_head_repeats_is_kept_once() -> None:
    heads = ["Schedule 1"] * 4 + ["Schedule 2"] * 4
    found = kept([page(body(n), head=head) for n, head in enumerate(heads)])
    assert [lines[1:] for lines in found] == [["Schedule 1"], [], [], [], ["Schedule 2"], [], [], []]


@pytest.mark.parametrize(
    "heading",
    [
        "Annex {}",
        "ANNEX {}",
        "{}.",
        "{}. Fees",
        "Form {}",
        "Section {}. Duties",
        "Section {}. Duties of the pilot under rule {}",
        "Part {} of 9",
        "Schedule {} (continued)",
        "נספח {}",
        "תוספת מס' {}",
        "{}. חובות הנתב",
        "פרק {}: אגרות",
    ],
)
@pytest.mark.parametrize("count", [2, 3, 6, 20])
def test_headings_that_differ_in_their_number_are_text(heading: str, count: int) -> None:
    headings = [heading.format(n, n) for n in range(1, count + 1)]
    assert [lines[1] for lines in kept([page(body(7), head=one) for one in headings])] == headings


def test_headings_on_the_last_pages_are_text() -> None:
    contents = ["Schedule 1", "Schedule 2", "Schedule 3"]
    pages = [page(*contents), *(page(body(n)) for n in range(3)), *(page(body(n), head=contents[n]) for n in range(3))]
    assert [lines[1] for lines in kept(pages)[4:]] == contents


@pytest.mark.parametrize(
    "foot",
    ["{}", "- {} -", "Page {}", "Page {} of 9", "{} / 9", "עמוד {}", "עמ' {}", "עמוד {} מתוך 9", "Act 5 · page {}"],
)
@pytest.mark.parametrize("first", [1, 40])
def test_numbers_of_pages_are_dropped(foot: str, first: int) -> None:
    pages = [page(body(7), foot=foot.format(n)) for n in range(first, first + 9)]
    assert kept(pages) == [[body(7)]] * 9


def test_numbers_beside_the_heads_of_left_and_right_pages_are_dropped() -> None:
    heads = [f"{n} Pilots Act" if n % 2 else f"Harbour Laws {n}" for n in range(31, 43)]
    assert kept([page(body(7), head=head) for head in heads]) == [[body(7)]] * 12


def test_number_far_from_words_of_a_head_is_that_of_the_page() -> None:
    pages = [page(body(7)) for _ in range(9)]
    for number, one in enumerate(pages, start=1):
        one.lines.append(text_line(f"Pilots Act {number}", baseline=810, left=60, right=540))
    assert kept(pages) == [[body(7)]] * 9


def test_heads_that_name_the_sections_of_the_page_are_dropped() -> None:
    ranges = [page(body(7), head=f"Sections {3 * n + 1}–{3 * n + 3}") for n in range(9)]
    assert kept(ranges) == [[body(7)]] * 9
    texts = [[f"Sec. 12.{3 * n}. Fees", body(7), f"Sec. 12.{3 * n + 1}. Duties"] for n in range(9)]
    assert kept([page(*text, head=f"Sec. 12.{3 * n}") for n, text in enumerate(texts)]) == texts


def test_a_title_in_larger_type_than_the_heads_is_text() -> None:
    pages = [page(body(n), head="Pilots Act") for n in range(9)]
    pages[0].lines[-1].size = 20
    assert kept(pages)[0] == [body(0), "Pilots Act"]
    assert kept(pages)[1] == [body(1)]


def test_a_page_is_never_emptied() -> None:
    pages = [page(head="טופס בקשה") for _ in range(5)]
    assert kept(pages) == [["טופס בקשה"]] * 5


def test_the_first_page_is_out_when_only_a_window_has_been_read() -> None:
    read = []

    def source() -> Iterator[PageReading]:
        for number in range(100):
            read.append(number)
            yield page(body(number), head="תקנות הרישום")

    result = without_running_heads(source())
    next(result)
    assert len(read) <= LOOK + 1


@pytest.mark.parametrize(
    "shape", ["s. {}   Kites Act", "סעיף {}   חוק העפיפונים", "Kites Act 2031 [Section {}]", "{} §"]
)
def test_heads_that_name_the_section_of_their_page_are_dropped(shape: str) -> None:
    firsts = [1, 3, 4, 8, 11, 15]
    texts = [[f"{first}. Kites", body(first), f"{first + 1}. Strings", body(first)] for first in firsts]
    pages = [page(*lines, head=shape.format(first)) for first, lines in zip(firsts, texts, strict=True)]
    assert kept(pages) == texts


@pytest.mark.parametrize(
    "heading",
    ["Rule {} of the Harbour Court", "Order {} of the Kite Board", "Lot {} Land at Acre", "Question {} of the pilots",
     "כלל {} של בית הדין"],
)  # fmt: skip
def test_headings_are_kept_where_no_section_begins_below_them(heading: str) -> None:
    headings = [heading.format(number) for number in (1, 3, 4, 8, 11, 15)]
    pages = [page(body(number), head=one) for number, one in enumerate(headings)]
    assert [lines[1] for lines in kept(pages)] == headings


def test_forms_in_a_row_keep_their_headings() -> None:
    pages = [page(f"{n}. Name", body(n), head=f"Form {1 + n // 2} Application" if n % 2 else None) for n in range(8)]
    assert sum(line.startswith("Form ") for lines in kept(pages) for line in lines) == 4


def test_numbers_of_a_gazette_count_with_its_pages() -> None:
    pages = [page(body(n), head=f"{1200 + n} GOVERNMENT GAZETTE, 3 MAY 2031") for n in range(6)]
    assert kept(pages) == [[body(n)] for n in range(6)]
