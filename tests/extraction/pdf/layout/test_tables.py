"""Rows of ruled tables."""

from extraction.pdf.glyphs.lines import put_together
from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.layout.rulings import Grid, GridCell, GridRow
from extraction.pdf.layout.tables import TextRow, take_tables
from extraction.pdf.text.brackets import BracketVote
from tests.extraction.pdf.making import Drawn, drawn, page_of


def grid(*, open_below: bool = False) -> Grid:
    def row(top: float, is_open: bool = False) -> GridRow:
        return GridRow(top, top - 20, [GridCell(90, 250, is_open), GridCell(250, 400, False)])

    return Grid(rows=[row(520, open_below), row(500)], box=BoundingBox(90, 480, 400, 520))


def rows(found: Grid, cells: list[list[Drawn]], *, hebrew: bool) -> list[str]:
    made = take_tables(page_of(*cells), [found], hebrew_page=hebrew)
    texts = []
    for row in made:
        assert isinstance(row, TextRow)
        put_together(row.lines, cells=False)
        texts.append(row.finished(BracketVote(), hebrew_page=hebrew).text)
    return texts


def cell(text: str, left: float, bottom: float) -> list[Drawn]:
    return drawn(text, left=left, bottom=bottom)


TABLE = [cell("סנק", 110, 504), cell("הנש", 300, 504), cell("500", 110, 484), cell("2024", 300, 484)]


def test_cells_of_a_hebrew_page_are_read_from_the_right() -> None:
    assert rows(grid(), TABLE, hebrew=True) == ["שנה\tקנס", "2024\t500"]


def test_cells_of_an_english_page_are_read_from_the_left() -> None:
    glyphs = [cell("Year", 110, 504), cell("Fee", 300, 504), cell("2024", 110, 484), cell("500", 300, 484)]
    assert rows(grid(), glyphs, hebrew=False) == ["Year\tFee", "2024\t500"]


def test_an_empty_cell_keeps_its_place() -> None:
    assert rows(grid(), [cell("500", 110, 504), cell("סנק", 300, 484)], hebrew=True) == ["\t500", "קנס\t"]


def test_a_cell_that_spans_rows_stands_in_the_first() -> None:
    glyphs = [cell("2024", 110, 496), cell("א", 300, 504), cell("ב", 300, 484)]
    assert rows(grid(open_below=True), glyphs, hebrew=False) == ["2024\tא", "\tב"]


def test_a_stop_with_a_box_of_its_own_size_stays_in_its_line() -> None:
    number = cell("1", 110, 504)
    stop = number[0]._replace(char=".", left=106, right=109.8, top=507)
    other = cell("א", 300, 504)
    assert rows(grid(), [[stop], number, other], hebrew=True) == ["א\t1."]


def test_the_lines_of_a_cell_are_one_text() -> None:
    glyphs = [cell("הרגא", 110, 511), cell("תיתנש", 110, 500), cell("א", 300, 504)]
    assert rows(grid(), glyphs, hebrew=True) == ["א\tאגרה שנתית"]


def test_a_table_takes_its_place_in_the_flow() -> None:
    before, after = drawn("ינפל", bottom=600), drawn("ירחא", bottom=400)
    inside = drawn("500", left=110, bottom=504), drawn("סנק", left=300, bottom=484)
    flow = take_tables(page_of(before, *inside, after), [grid()], hebrew_page=True)
    assert [type(part).__name__ for part in flow] == ["GlyphLine", "TextRow", "TextRow", "GlyphLine"]


def test_a_grid_with_one_filled_cell_is_ornament() -> None:
    flow = take_tables(page_of(drawn("תועדוה", left=110, bottom=504)), [grid()], hebrew_page=True)
    assert [type(part).__name__ for part in flow] == ["GlyphLine"]
