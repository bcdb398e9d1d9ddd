"""Columns that were drawn row by row."""

from __future__ import annotations

from sources.extraction.pdf.glyphs.model import GlyphLine
from sources.extraction.pdf.layout.columns import split_columns
from tests.sources.extraction.pdf.making import line_of_glyphs

SIDE = "אבגדהוזחטיכלמנסעפצקרשת"


def across(bottom: float) -> GlyphLine:
    """Twenty-two letters on each side of one gap."""
    left = line_of_glyphs(SIDE, left=50, bottom=bottom)
    right = line_of_glyphs(SIDE, left=250, bottom=bottom)
    left.glyphs.extend(right.glyphs)
    return left.part(left.glyphs)


def test_the_right_column_is_read_first() -> None:
    split = split_columns([across(700 - 15 * n) for n in range(10)])
    assert len(split) == 20
    assert all(line.left >= 250 for line in split[:10])
    assert all(line.right < 250 for line in split[10:])


def test_a_line_across_both_columns_ends_a_block() -> None:
    heading = line_of_glyphs("כותרת רחבה שעוברת מעל שני הטורים של העמוד כולו", left=120, bottom=632)
    block = [across(700 - 15 * n) for n in range(4)]
    split = split_columns([*block, heading, *[across(600 - 15 * n) for n in range(6)]])
    assert split.index(heading) == 8


def test_ordinary_lines_are_left_alone() -> None:
    lines = [line_of_glyphs(SIDE * 2, bottom=700 - 15 * n) for n in range(12)]
    assert split_columns(lines) is lines
