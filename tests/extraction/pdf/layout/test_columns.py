"""Columns that were drawn row by row."""

from pathlib import Path

from fpdf import FPDF

from extraction import extract
from extraction.pdf.layout.columns import split_columns
from tests.extraction.pdf.making import Drawn, drawn, page_of

SIDE = "אבגדהוזחטיכלמנסעפצקרשת"


def across(bottom: float) -> list[Drawn]:
    """Twenty-two letters on each side of one gap."""
    right = [glyph._replace(place=glyph.place + 1) for glyph in drawn(SIDE, left=250, bottom=bottom)]
    return drawn(SIDE, left=50, bottom=bottom) + right


def test_the_right_column_is_read_first() -> None:
    split = split_columns(page_of(*(across(700 - 15 * n) for n in range(10))), from_right=True)
    assert len(split) == 20
    assert all(line.left >= 250 for line in split[:10])
    assert all(line.right < 250 for line in split[10:])


def test_a_line_across_both_columns_ends_a_block() -> None:
    heading = drawn("כותרת רחבה שעוברת מעל שני הטורים של העמוד כולו", left=120, bottom=632)
    block = [across(700 - 15 * n) for n in range(4)]
    lines = page_of(*block, heading, *(across(600 - 15 * n) for n in range(6)))
    assert split_columns(lines, from_right=True).index(lines[4]) == 8


def test_ordinary_lines_are_left_alone() -> None:
    lines = page_of(*(drawn(SIDE * 2, bottom=700 - 15 * n) for n in range(12)))
    assert split_columns(lines, from_right=True) is lines


def test_the_left_column_of_an_english_page_is_read_first() -> None:
    split = split_columns(page_of(*(across(700 - 15 * n) for n in range(10))), from_right=False)
    assert all(line.right < 250 for line in split[:10])
    assert all(line.left >= 250 for line in split[10:])


def test_columns_drawn_one_by_one_are_in_order() -> None:
    left = [drawn(SIDE, left=50, bottom=700 - 15 * n) for n in range(10)]
    right = [drawn(SIDE, left=250, bottom=700 - 15 * n) for n in range(10)]
    lines = page_of(*left, *right)
    assert split_columns(lines, from_right=True) is lines


def test_rows_of_two_languages_are_two_columns(tmp_path: Path) -> None:
    pdf = FPDF()
    pdf.set_font("Helvetica", size=10)
    pdf.add_page()
    for number in range(1, 9):
        y = pdf.get_y() + 4
        below = y
        for x, text in (
            (20, "No person shall ply a ferry without the licence"),
            (110, "Nul ne peut exploiter un traversier"),
        ):
            pdf.set_xy(x, y)
            pdf.multi_cell(75, 5, f"{number} {text} {'of this Act' if x == 20 else 'sans permis'} {number}.")
            below = max(below, pdf.get_y())
        pdf.set_y(below)
    pdf.output(str(tmp_path / "act.pdf"))
    found = [text for page in extract(tmp_path / "act.pdf", ocr=False) for text in page.paragraphs]
    assert [text[:3] for text in found] == [f"{n} N" for n in range(1, 9)] * 2
    assert all("ferry" in text for text in found[:8])
