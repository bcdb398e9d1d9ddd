"""Side headings, rows without rulings, and gaps that mean nothing."""

from collections.abc import Sequence

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.layout.wide_gaps import settle_wide_gaps
from tests.extraction.pdf.making import text_line


def texts(lines: Sequence[TextLine], *, hebrew: bool = True) -> list[str]:
    return [line.text for line in settle_wide_gaps(lines, hebrew=hebrew)]


def test_a_side_heading_stands_before_its_section() -> None:
    lines = [text_line("הגדרות\t1. בתקנות אלה –", gaps=((400, 470),))]
    assert texts(lines) == ["הגדרות", "1. בתקנות אלה –"]


def test_a_side_heading_of_two_lines_is_put_together_before_the_section() -> None:
    lines = [
        text_line("חובת דיווח\t5. בעל רישיון ידווח למפקח על", gaps=((400, 470),), baseline=700),
        text_line("ורישום\tכל שינוי בפרטיו.", gaps=((400, 480),), baseline=685),
    ]
    assert texts(lines) == ["חובת דיווח", "ורישום", "5. בעל רישיון ידווח למפקח על", "כל שינוי בפרטיו."]


def test_the_parts_of_a_split_line_know_where_they_stand() -> None:
    heading, section = settle_wide_gaps([text_line("הגדרות\t1. בתקנות אלה –", gaps=((400, 470),))], hebrew=True)
    assert (heading.left, heading.right) == (470, 540)
    assert (section.left, section.right) == (60, 400)


def test_a_marker_and_its_text_are_one() -> None:
    assert texts([text_line("(א)\tבעל רישיון", gaps=((400, 470),))]) == ["(א) בעל רישיון"]
    assert texts([text_line("7.\t(א)\tבעל רישיון", gaps=((480, 500), (400, 470)))]) == ["7. (א) בעל רישיון"]


def test_lines_with_gaps_over_one_place_are_rows() -> None:
    lines = [
        text_line("שנה\tסכום", gaps=((200, 400),), baseline=700),
        text_line("2023\t1,500", gaps=((210, 410),), baseline=684),
    ]
    settled = settle_wide_gaps(lines, hebrew=True)
    assert all(line.is_row for line in settled)
    assert settled[1].text == "2023\t1,500"


def test_a_lone_wide_gap_is_a_space() -> None:
    lines = [text_line("כללי\tההסדר חל על כל אדם", gaps=((400, 430),)), text_line("ועל כל תאגיד", baseline=685)]
    assert texts(lines) == ["כללי ההסדר חל על כל אדם", "ועל כל תאגיד"]


def test_rows_of_ruled_tables_are_left_alone() -> None:
    row = text_line("סוג\t1. אגרה", is_row=True)
    assert settle_wide_gaps([row], hebrew=True) == [row]
