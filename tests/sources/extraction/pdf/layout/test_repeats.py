"""Hidden second copies of part of a page."""

from __future__ import annotations

from sources.extraction.pdf.glyphs.model import TextLine
from sources.extraction.pdf.layout.repeats import without_second_copies
from tests.sources.extraction.pdf.making import text_line


def lines(count: int) -> list[TextLine]:
    return [text_line(f"שורה מספר {n} של ההסדר, ובה הוראות בדבר רישום ודיווח") for n in range(count)]


def test_a_block_that_stood_on_the_page_before_is_dropped() -> None:
    page = lines(12)
    assert without_second_copies(page + page[3:9]) == page


def test_single_lines_may_repeat() -> None:
    page = lines(12)
    page += [text_line("(בוטל)."), text_line("(בוטל).")]
    assert without_second_copies(page) == page
