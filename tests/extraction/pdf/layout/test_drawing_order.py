"""Lines drawn twice, or out of turn."""

from typing import Any

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.layout.placing import with_strays_in_place, without_second_copies
from tests.extraction.pdf.making import text_line


def at(text: str, baseline: float, **places: Any) -> TextLine:
    return text_line(text, baseline=baseline, **places)


def test_a_heading_that_was_drawn_last_goes_between_its_blocks() -> None:
    block = [at("a", 700), at("b", 685), at("c", 600), at("d", 585), at("heading", 640)]
    assert [line.text for line in with_strays_in_place(block)] == ["a", "b", "heading", "c", "d"]


def test_a_footer_that_was_drawn_first_goes_last() -> None:
    page = [at("7", 30), at("a", 700), at("b", 685)]
    assert [line.text for line in with_strays_in_place(page)] == ["a", "b", "7"]


def test_a_footer_that_was_drawn_behind_the_head_goes_last() -> None:
    page = [at("Ports Act", 780), at("7", 30), at("a", 700), at("b", 660), at("c", 620)]
    assert [line.text for line in with_strays_in_place(page)] == ["Ports Act", "a", "b", "c", "7"]


def test_the_second_column_stays_after_the_first() -> None:
    right = [at(f"r{n}", 700 - 15 * n, left=310, right=540) for n in range(4)]
    left = [at(f"l{n}", 700 - 15 * n, left=60, right=290) for n in range(4)]
    page = right + left
    assert with_strays_in_place(page) == page


def test_a_higher_second_column_stays_after_the_first() -> None:
    right = [at(f"r{n}", 680 - 15 * n, left=310, right=540) for n in range(4)]
    left = [at(f"l{n}", 720 - 15 * n, left=60, right=290) for n in range(4)]
    page = right + left
    assert with_strays_in_place(page) == page


def lines(count: int) -> list[TextLine]:
    return [text_line(f"שורה מספר {n} של ההסדר, ובה הוראות בדבר רישום ודיווח") for n in range(count)]


def test_a_block_that_stood_on_the_page_before_is_dropped() -> None:
    page = lines(12)
    assert without_second_copies(page + page[3:9]) == page


def test_single_lines_may_repeat() -> None:
    page = lines(12)
    page += [text_line("(בוטל)."), text_line("(בוטל).")]
    assert without_second_copies(page) == page
