"""Columns that were drawn row by row."""

import re
from pathlib import Path

from fpdf import FPDF

from extraction import extract
from extraction.pdf.glyphs.page_glyphs import GlyphLine
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


HEBREW_COLUMNS = (
    ["9. הגדרות", "בכללים אלה", "דוגית היא סירה", "10. פנקס"],
    ["11. אורות", "דוגית תציג אור", "לבן", "12. עונש"],
)
ENGLISH_COLUMNS = (
    ["1. Name", "These are the", "Dinghy Rules.", "2. Register"],
    ["3. Lights", "A dinghy shows", "a light.", "4. Fines"],
)


def few_rows(first: list[str], second: list[str], *, from_right: bool) -> list[GlyphLine]:
    """Rows across two columns, both set from the side on which they are read."""
    rows = []
    for number, pair in enumerate(zip(first, second, strict=True)):
        bottom = 700 - 15 * number
        if from_right:
            texts = [
                re.sub(r"\d+", lambda number: number[0][::-1], text)[::-1] for text in pair
            ]  # digits as they stand
            widths = [drawn(text, left=0)[-1].right for text in texts]
            row = drawn(texts[1], left=200 - widths[1], bottom=bottom)
            row += drawn(texts[0], left=400 - widths[0], bottom=bottom)
        else:
            row = drawn(pair[0], left=50, bottom=bottom) + drawn(pair[1], left=250, bottom=bottom)
        rows.append([glyph._replace(place=place) for place, glyph in enumerate(row)])
    return page_of(*rows)


def test_columns_of_few_lines_are_told_by_the_numbers_of_their_sections() -> None:
    for columns, from_right in ((HEBREW_COLUMNS, True), (ENGLISH_COLUMNS, False)):
        split = split_columns(few_rows(*columns, from_right=from_right), from_right=from_right)
        assert len(split) == 8
        assert len({line.left > 225 for line in split[:4]}) == len({line.left > 225 for line in split[4:]}) == 1
        assert (split[0].left > 225) is from_right


def test_few_rows_whose_numbers_go_across_are_no_columns() -> None:
    across_rows = ["1. Pilot", "3. Tug", "5. Buoy", "7. Berth"], ["2. Anchor", "4. Crane", "6. Lock", "8. Weir"]
    plain = [text[3:] for text in ENGLISH_COLUMNS[0]], [text[3:] for text in ENGLISH_COLUMNS[1]]
    for columns in (across_rows, plain):
        lines = few_rows(*columns, from_right=False)
        assert split_columns(lines, from_right=False) is lines


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
