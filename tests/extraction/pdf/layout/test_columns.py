"""Columns that were drawn row by row."""

from extraction.pdf.layout.columns import split_columns
from tests.extraction.pdf.making import Drawn, drawn, page_of

SIDE = "אבגדהוזחטיכלמנסעפצקרשת"


def across(bottom: float) -> list[Drawn]:
    """Twenty-two letters on each side of one gap."""
    right = [glyph._replace(place=glyph.place + 1) for glyph in drawn(SIDE, left=250, bottom=bottom)]
    return drawn(SIDE, left=50, bottom=bottom) + right


def test_the_right_column_is_read_first() -> None:
    split = split_columns(page_of(*(across(700 - 15 * n) for n in range(10))))
    assert len(split) == 20
    assert all(line.left >= 250 for line in split[:10])
    assert all(line.right < 250 for line in split[10:])


def test_a_line_across_both_columns_ends_a_block() -> None:
    heading = drawn("כותרת רחבה שעוברת מעל שני הטורים של העמוד כולו", left=120, bottom=632)
    block = [across(700 - 15 * n) for n in range(4)]
    lines = page_of(*block, heading, *(across(600 - 15 * n) for n in range(6)))
    assert split_columns(lines).index(lines[4]) == 8


def test_ordinary_lines_are_left_alone() -> None:
    lines = page_of(*(drawn(SIDE * 2, bottom=700 - 15 * n) for n in range(12)))
    assert split_columns(lines) is lines
