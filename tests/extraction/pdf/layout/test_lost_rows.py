"""Rows that stand outside of the rulings of their table are noticed, and what stands beside a table is not."""

from pathlib import Path

import pytest
from fpdf import FPDF

from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.layout.rulings import Grid
from extraction.pdf.layout.tables import has_lost_rows
from extraction.pdf.reader import read_pdf

WARNING = "Page 1 has a table that is not kept as rows and cells."


def grid(bottom: float, top: float, *edges: float) -> Grid:
    return Grid(rows=[], box=BoundingBox(edges[0], bottom, edges[-1], top), edges=edges)


def line(left: float, right: float, baseline: float) -> TextLine:
    return TextLine(text="x", left=left, right=right, top=baseline + 9, baseline=baseline, size=12.0)


TABLE = grid(300, 500, 60, 200, 340, 530)


@pytest.mark.parametrize(
    ("lines", "tables", "lost"),
    [
        ([line(70, 150, 288), line(210, 300, 288)], [TABLE], True),  # two cells below the last ruling
        ([line(70, 500, 288)], [TABLE], False),  # a note
        ([line(70, 150, 250), line(210, 300, 250)], [TABLE], False),  # two columns of text, further down
        ([line(70, 150, 288), line(560, 590, 288)], [TABLE], False),  # one of them beside it
        ([line(70, 500, 288)], [TABLE, grid(100, 280, 60, 200, 340, 530)], True),  # a row in the gap of a table
        ([line(70, 500, 270)], [TABLE, grid(100, 250, 60, 200, 340, 530)], False),  # a title between two
        ([line(70, 500, 288)], [TABLE, grid(100, 280, 60, 250, 530)], False),  # two tables of different columns
        ([line(70, 180, 288)], [TABLE, grid(100, 280, 60, 200, 340, 530)], False),  # a heading above one column
        ([line(70, 150, 288), line(210, 300, 288)], [], False),
    ],
)
def test_lines_that_look_like_rows_of_a_table_beside_them_are_noticed(
    lines: list[TextLine], tables: list[Grid], lost: bool
) -> None:
    assert has_lost_rows(lines, tables) is lost


@pytest.mark.parametrize("ruled", [True, False])
def test_page_with_a_row_without_rulings_inside_a_table_says_so(tmp_path: Path, ruled: bool) -> None:
    pdf = FPDF()
    pdf.set_font("Helvetica", size=12)
    pdf.add_page()
    for toll in ("25", "12", "", "40", "7"):
        if toll:
            for text in ("Lorry", toll, "1 May"):
                pdf.cell(50, 8, text, border=1)
        else:
            pdf.cell(150, 8, "Any other vehicle pays what the minister says in the order", border=1 if ruled else 0)
        pdf.ln()
    pdf.output(str(tmp_path / "a.pdf"))
    (page,) = read_pdf(tmp_path / "a.pdf", max_pages=5)
    assert (WARNING in page.warnings) is not ruled
