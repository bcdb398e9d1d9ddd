"""Running heads and page numbers."""

from collections.abc import Iterator
from typing import Any

from extraction.pdf.glyphs.model import Box
from extraction.pdf.page_content import PageClass
from extraction.pdf.page_reader import PageReading
from extraction.pdf.running_heads import LOOK, without_running_heads
from tests.extraction.pdf.making import text_line

SHEET = Box(0, 0, 595, 842)


def page(*lines: str, head: str | None = None, foot: str | None = None) -> PageReading:
    found = [text_line(text, baseline=600 - 15 * n) for n, text in enumerate(lines)]
    if foot:
        found.insert(0, text_line(foot, baseline=30))  # as some producers do: the footer comes first
    if head:
        found.append(text_line(head, baseline=810))
    return PageReading(number=1, box=SHEET, page_class=PageClass.OK, lines=found)


def kept(pages: Any) -> Any:
    result = without_running_heads(pages)
    return [[line.text for line in lines] for _, lines in result]


def body(number: int) -> str:
    return f"הוראה מספר {number} של ההסדר, שעניינה חובת הרישום והדיווח"


def test_heads_and_counting_page_numbers_are_dropped() -> None:
    pages = [page(body(n), head="תקנות הרישום", foot=f"עמוד {n} מתוך 9") for n in range(1, 10)]
    assert kept(pages) == [[body(n)] for n in range(1, 10)]


def test_a_number_that_does_not_count_up_is_text() -> None:
    pages = [page(body(n), foot=number) for n, number in enumerate(["12", "7", "31", "4", "18", "2"])]
    assert [lines[0] for lines in kept(pages)] == ["12", "7", "31", "4", "18", "2"]


def test_a_line_that_repeats_in_the_middle_of_pages_is_text() -> None:
    pages = [page(body(n), "(בוטל).") for n in range(6)]
    assert all("(בוטל)." in lines for lines in kept(pages))


def test_a_head_that_changes_with_the_chapter_is_dropped_in_each() -> None:
    pages = [page(body(n), head="פרק ראשון: הגדרות" if n < 5 else "פרק שני: רישוי") for n in range(10)]
    assert kept(pages) == [[body(n)] for n in range(10)]


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
