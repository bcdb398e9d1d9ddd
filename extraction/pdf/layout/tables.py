"""Ruled tables: the glyphs inside a grid become rows, cell by cell, in reading order, where none stand outside it.

A table that goes on overleaf is followed from page to page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from extraction.document import Table
from extraction.pdf.glyphs.lines import line_text
from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.glyphs.page_glyphs import GlyphLine, PageGlyphs, Places, group_by_height
from extraction.pdf.layout.paragraphs import PageParagraphs
from extraction.pdf.layout.rulings import ONE_BORDER, Grid, GridCell, GridRow
from extraction.pdf.text.brackets import BracketVote
from extraction.pdf.text.line_ends import joined_lines
from extraction.tables import add_cell

MAX_HEAD_ROWS = 4  # that a page may repeat above the rest of a table
NEAR_SIZES = 1.5  # type sizes between a table and what goes on below it
GAP_SIZES = 2.0  # and between parts of one table with a row in the gap
SAME_BASELINE = 2.0  # points
MIN_FILLED_CELLS = 2  # a grid with less is decoration round ordinary text


@dataclass(slots=True)
class TextRow:
    """The lines of each cell, cells in reading order, and how many columns of its table each covers."""

    row: GridRow
    cells: list[list[GlyphLine]]
    spans: list[int]
    edges: tuple[float, ...]

    @property
    def lines(self) -> list[GlyphLine]:
        return [line for cell in self.cells for line in cell]

    def finished(self, vote: BracketVote, *, hebrew_page: bool) -> TextLine:
        columns: list[str] = []
        for cell, span in zip(self.cells, self.spans, strict=True):
            lines = [line_text(line, vote, hebrew_page=hebrew_page)[0] for line in cell]
            text = reduce(joined_lines, lines, "").strip().replace("\t", " ")
            add_cell(columns, text, span=span if len(self.cells) > 1 else 1)
        return TextLine(
            text="\t".join(columns),
            left=self.row.cells[0].left,
            right=self.row.cells[-1].right,
            top=self.row.top,
            baseline=self.row.bottom,
            size=self.row.top - self.row.bottom,
            is_row=True,
            edges=self.edges,
        )


def take_tables(lines: list[GlyphLine], tables: list[Grid], *, hebrew_page: bool) -> list[GlyphLine | TextRow]:
    """The lines without the glyphs of tables. The rows of each table follow where its first glyph was.

    On a Hebrew page cells are read from the right, but for those of a table without a Hebrew letter.
    """
    if not tables:
        return list(lines)
    flow, inside = _parted(lines, tables)
    parts: list[GlyphLine | TextRow] = []
    for item in flow:
        if isinstance(item, GlyphLine):
            parts.append(item)
            continue
        page, members = lines[0].page, np.concatenate(inside[item])
        cells = _by_cell(tables[item], page, members)
        if sum(bool(cell) for row in cells for cell in row) >= MIN_FILLED_CELLS:
            from_right = hebrew_page and not _is_latin(page, members)
            parts.extend(_rows(tables[item], page, cells, from_right=from_right))
        else:
            parts.extend(group_by_height(page, members))
    return parts


def _parted(lines: list[GlyphLine], tables: list[Grid]) -> tuple[list[GlyphLine | int], list[list[Places]]]:
    """The lines outside of tables with each table's number where its first glyph was, and the glyphs of each table."""
    flow: list[GlyphLine | int] = []
    inside: list[list[Places]] = [[] for _ in tables]
    for line in lines:
        table_of = None if line.aside else _tables_of(line, tables)
        if table_of is None:
            flow.append(line)
            continue
        for number in dict.fromkeys(table_of[table_of < len(tables)].tolist()):  # as their first glyphs follow
            if not inside[number]:
                flow.append(number)
            inside[number].append(line.members[table_of == number])
        outside = line.members[table_of == len(tables)]
        if len(outside):
            flow.append(line.part(outside))
    return flow, inside


def _tables_of(line: GlyphLine, tables: list[Grid]) -> Places | None:
    """For each glyph the number of the table it is in, their count for those outside. None if all are outside."""
    if not any(grid.box.bottom <= line.top and line.bottom <= grid.box.top for grid in tables):
        return None
    x, y = line.middles()
    found = np.full(len(x), len(tables))
    for number, (left, bottom, right, top) in reversed([*enumerate(grid.box for grid in tables)]):
        found[(left <= x) & (x <= right) & (bottom <= y) & (y <= top)] = number
    return found if found.min() < len(tables) else None


def _by_cell(grid: Grid, page: PageGlyphs, members: Places) -> list[list[list[int]]]:
    """The glyphs of each cell of each row. Those of a cell that spans rows are in its first row."""
    table: list[list[list[int]]] = [[[] for _ in row.cells] for row in grid.rows]
    xs, ys = (page.left[members] + page.right[members]) / 2, (page.bottom[members] + page.top[members]) / 2
    for member, x, y in zip(members.tolist(), xs.tolist(), ys.tolist(), strict=True):
        number = next((number for number, row in enumerate(grid.rows) if y >= row.bottom), len(grid.rows) - 1)
        while number > 0 and _cell_at(grid.rows[number - 1], x).open_below:
            number -= 1
        row = grid.rows[number]
        table[number][row.cells.index(_cell_at(row, x))].append(member)
    return table


def _cell_at(row: GridRow, x: float) -> GridCell:
    return next((cell for cell in row.cells if x <= cell.right), row.cells[-1])


def _is_latin(page: PageGlyphs, members: Places) -> bool:
    """Are there letters among the glyphs, and none of them Hebrew?"""
    letters = [char for char in map(chr, page.codes[members].tolist()) if char.isalpha()]
    return bool(letters) and not any("א" <= char <= "ת" for char in letters)


def _rows(grid: Grid, page: PageGlyphs, table: list[list[list[int]]], *, from_right: bool) -> list[TextRow]:
    """The rows that have text, top to bottom."""
    rows = []
    for row, cells in zip(grid.rows, table, strict=True):
        if any(cells):
            lines = [group_by_height(page, np.array(cell, dtype=np.int64)) for cell in cells]
            spans = [grid.columns(cell) for cell in row.cells]
            if from_right:
                lines, spans = lines[::-1], spans[::-1]
            rows.append(TextRow(row, lines, spans, grid.edges))
    return rows


def has_lost_rows(lines: Sequence[TextLine], tables: Sequence[Grid]) -> bool:
    """Whether lines beside the tables look like rows of theirs, `tables` from the top.

    They stand in the gap between two parts with the same columns, across these, or directly below a table, in several
    of its columns at one height.
    """
    beside = [line for line in lines if not line.is_row and line.size]
    if not beside or not tables:
        return False
    return any(_parts_one_row(above, below, beside) for above, below in pairwise(tables)) or any(
        _goes_on(table, beside) for table in tables
    )


def _parts_one_row(above: Grid, below: Grid, lines: Sequence[TextLine]) -> bool:
    if len(above.edges) != len(below.edges) or any(
        abs(one - other) > ONE_BORDER for one, other in zip(above.edges, below.edges, strict=True)
    ):
        return False
    gap = above.box.bottom - below.box.top
    return any(
        below.box.top < line.baseline < above.box.bottom and gap <= GAP_SIZES * line.size and _columns(line, above) > 1
        for line in lines
    )


def _goes_on(table: Grid, lines: Sequence[TextLine]) -> bool:
    below = [
        line
        for line in lines
        if 0 <= table.box.bottom - line.baseline <= NEAR_SIZES * line.size
        and table.box.left - ONE_BORDER <= line.left
        and line.right <= table.box.right + ONE_BORDER
    ]
    rows = groupby(sorted(below, key=lambda line: line.baseline), key=lambda line: round(line.baseline / SAME_BASELINE))
    return any(len(list(row)) > 1 for _height, row in rows)


def _columns(line: TextLine, table: Grid) -> int:
    """How many columns the line reaches over."""
    return 1 + sum(line.left + ONE_BORDER < edge < line.right - ONE_BORDER for edge in table.edges[1:-1])


class PageTables(NamedTuple):
    """The paragraphs of a page, and the tables that they are rows of."""

    texts: list[str]
    tables: list[Table]


class TableFollower:
    """Remembers the table that a page ended with."""

    def __init__(self) -> None:
        self._edges: tuple[float, ...] = ()  # of the table at the end of the page before
        self._opening: list[str] = []  # its first rows

    def page(self, made: PageParagraphs) -> PageTables:
        """The next page. Heads that it repeats above the rest of a table are left out."""
        texts, edges = made.texts, made.edges
        runs = _runs(edges)
        continues = bool(runs) and runs[0][0] == 0 and _are_alike(self._edges, edges[0])
        repeated = _repeated(texts[: runs[0][1]], self._opening) if continues else 0
        if runs and (len(runs) > 1 or not continues):
            self._opening = texts[runs[-1][0] : runs[-1][1]][:MAX_HEAD_ROWS]
        self._edges = edges[-1] if edges else ()
        tables = [
            Table(max(first - repeated, 0), end - repeated, continues=continues and first == 0)
            for first, end in runs
            if any("\t" in text for text in texts[first:end])
        ]
        return PageTables(texts[repeated:], tables)


def _runs(edges: Sequence[tuple[float, ...]]) -> list[tuple[int, int]]:
    """From where to where the rows of each table stand."""
    runs: list[tuple[int, int]] = []
    for place, own in enumerate(edges):
        if own and runs and runs[-1][1] == place and edges[place - 1] is own:
            runs[-1] = runs[-1][0], place + 1
        elif own:
            runs.append((place, place + 1))
    return runs


def _are_alike(before: tuple[float, ...], edges: tuple[float, ...]) -> bool:
    return (
        bool(before)
        and len(before) == len(edges)
        and all(abs(one - other) <= ONE_BORDER for one, other in zip(before, edges, strict=True))
    )


def _repeated(texts: Sequence[str], opening: Sequence[str]) -> int:
    """How many rows repeat those that the table began with. Not all of them: then they are no heads."""
    count = 0
    while count < min(len(texts) - 1, len(opening)) and texts[count] == opening[count]:
        count += 1
    return count
