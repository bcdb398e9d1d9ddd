"""Ruled tables: the glyphs inside a grid become rows, cell by cell, in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from sources.extraction.pdf.glyphs.lines import VisualLine, visual_line
from sources.extraction.pdf.glyphs.model import Glyph, GlyphLine, TextLine, group_by_height
from sources.extraction.pdf.layout.rulings import Cell, Grid, Row
from sources.extraction.pdf.text.brackets import BracketVote
from sources.extraction.pdf.text.legal_marks import joined_lines

MIN_FILLED_CELLS = 2  # a grid with less is decoration round ordinary text


@dataclass(slots=True)
class TableRow:
    """The lines of each cell, cells in reading order."""

    row: Row
    left: float
    right: float
    cells: list[list[VisualLine]]

    def finished(self, vote: BracketVote) -> TextLine:
        texts = [reduce(joined_lines, [line.text(vote) for line in cell], "").strip() for cell in self.cells]
        return TextLine(
            text="\t".join(text.replace("\t", " ") for text in texts),
            left=self.left,
            right=self.right,
            top=self.row.top,
            baseline=self.row.bottom,
            size=self.row.top - self.row.bottom,
            is_row=True,
        )


def take_tables(lines: list[GlyphLine], tables: list[Grid]) -> list[GlyphLine | tuple[Grid, list[Glyph]]]:
    """The lines without the glyphs of tables. Each table follows with its glyphs where its first glyph was."""
    if not tables:
        return list(lines)
    flow, inside = _parted(lines, tables)
    parts: list[GlyphLine | tuple[Grid, list[Glyph]]] = []
    for item in flow:
        if isinstance(item, GlyphLine):
            parts.append(item)
        elif _filled_cells(tables[item], inside[item]) >= MIN_FILLED_CELLS:
            parts.append((tables[item], inside[item]))
        else:
            parts.extend(group_by_height(inside[item]))
    return parts


def _parted(lines: list[GlyphLine], tables: list[Grid]) -> tuple[list[GlyphLine | int], list[list[Glyph]]]:
    """The lines outside of tables with each table's number where its first glyph was, and the glyphs of each table."""
    flow: list[GlyphLine | int] = []
    inside: list[list[Glyph]] = [[] for _ in tables]
    for line in lines:
        places = None if line.aside else _grids_of(line, tables)
        if not places:
            flow.append(line)
            continue
        outside = []
        for glyph, place in zip(line.glyphs, places, strict=True):
            if place is None:
                outside.append(glyph)
                continue
            if not inside[place]:
                flow.append(place)
            inside[place].append(glyph)
        if outside:
            flow.append(line.part(outside))
    return flow, inside


def _grids_of(line: GlyphLine, tables: list[Grid]) -> list[int | None] | None:
    """For each glyph the table it is in. None if the line touches no table."""
    if not any(grid.box.bottom <= line.top and line.bottom <= grid.box.top for grid in tables):
        return None
    places: list[int | None] = []
    for glyph in line.glyphs:
        x, y = (glyph.left + glyph.right) / 2, (glyph.bottom + glyph.top) / 2
        places.append(next((n for n, grid in enumerate(tables) if grid.holds(x, y)), None))
    return places if any(place is not None for place in places) else None


def _filled_cells(grid: Grid, glyphs: list[Glyph]) -> int:
    return sum(1 for cells in _by_cell(grid, glyphs) for cell in cells if cell)


def _by_cell(grid: Grid, glyphs: list[Glyph]) -> list[list[list[Glyph]]]:
    """The glyphs of each cell of each row. Those of a cell that spans rows are in its first row."""
    table: list[list[list[Glyph]]] = [[[] for _ in row.cells] for row in grid.rows]
    for glyph in glyphs:
        x, y = (glyph.left + glyph.right) / 2, (glyph.bottom + glyph.top) / 2
        number = _row_at(grid, y)
        while number > 0 and _cell_at(grid.rows[number - 1], x).open_below:
            number -= 1
        row = grid.rows[number]
        table[number][row.cells.index(_cell_at(row, x))].append(glyph)
    return table


def _row_at(grid: Grid, y: float) -> int:
    for number, row in enumerate(grid.rows):
        if y >= row.bottom:
            return number
    return len(grid.rows) - 1


def _cell_at(row: Row, x: float) -> Cell:
    for cell in row.cells:
        if x <= cell.right:
            return cell
    return row.cells[-1]


def table_rows(
    grid: Grid, glyphs: list[Glyph], *, emitted: str, hebrew_page: bool, vote: BracketVote
) -> list[TableRow]:
    """Rows top to bottom. On a Hebrew page cells are read from the right. Rows without text are dropped."""
    rows = []
    for row, cells in zip(grid.rows, _by_cell(grid, glyphs), strict=True):
        if not any(cells):
            continue
        lines = [
            [
                visual_line(line, emitted=emitted, hebrew_page=hebrew_page, vote=vote, cells=False)
                for line in group_by_height(cell)
            ]
            for cell in cells
        ]
        if hebrew_page:
            lines.reverse()
        rows.append(TableRow(row=row, left=row.cells[0].left, right=row.cells[-1].right, cells=lines))
    return rows
