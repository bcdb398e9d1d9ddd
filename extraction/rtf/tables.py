"""The rows of a table in RTF: cells by where their right borders are, which is how RTF tells what they span."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from extraction.document import TableRow
from extraction.tables import MAX_COLUMNS, add_cell, cell_text, is_layout

ONE_BORDER = 60  # twips between borders of different rows that are one
_MERGED = frozenset({"clvmrg", "clmrg"})  # with the cell above, with the cell before


@dataclass(slots=True)
class _Definition:
    """What a row's definition says: right borders of cells, which cells are merged into others, and if it is a head."""

    borders: list[int] = field(default_factory=list)
    merged: set[int] = field(default_factory=set)
    is_head: bool = False


@dataclass(slots=True)
class _RtfRow:
    cells: list[list[str]]
    definition: _Definition


class RtfTable:
    """Rows until their table ends."""

    def __init__(self) -> None:
        self._defined = _Definition()
        self._cells: list[list[str]] = []
        self._rows: list[_RtfRow] = []
        self.is_open = False  # a row is begun and not ended

    def define(self) -> None:
        """A definition begins. It may be repeated behind the cells."""
        self._defined, self.is_open = _Definition(), True

    def describe(self, word: str, number: int) -> None:
        """A control word of the definition, or any other."""
        if word == "cellx" and len(self._defined.borders) < MAX_COLUMNS:
            self._defined.borders.append(number)
        elif word in _MERGED:
            self._defined.merged.add(len(self._defined.borders))
        elif word == "trhdr":
            self._defined.is_head = True

    def end_cell(self, lines: list[str]) -> None:
        """The lines are those of a cell."""
        self._cells.append(lines.copy())
        lines.clear()

    def end_row(self) -> None:
        if self._cells:
            self._rows.append(_RtfRow(self._cells, self._defined))
        self._cells, self.is_open = [], False

    def take(self) -> Iterator[str | TableRow]:
        """The rows of the table, which has ended."""
        self.end_row()
        rows, self._rows = self._rows, []
        if is_layout([row.cells for row in rows]):
            yield from (line for row in rows for cell in row.cells for line in cell)
            return
        edges = _distinct(border for row in rows for border in row.definition.borders)
        opens = True
        for row in rows:
            for cells in _in_columns(row, edges):
                if any(cells):
                    yield TableRow(cells, opens=opens, is_head=row.definition.is_head)
                    opens = False


def _in_columns(row: _RtfRow, edges: list[int]) -> Iterator[tuple[str, ...]]:
    """The cells in their columns. A cell over the whole width gives a row for each paragraph."""
    if len(row.cells) == 1:
        yield from ((cell_text([line]),) for line in row.cells[0])
        return
    columns: list[str] = []
    borders = [-(1 << 31), *row.definition.borders]
    spans = [sum(left + ONE_BORDER < edge < right + ONE_BORDER for edge in edges) for left, right in pairwise(borders)]
    for place, cell in enumerate(row.cells):
        text = "" if place in row.definition.merged else cell_text(cell)
        add_cell(columns, text, span=max(spans[place] if place < len(spans) else 1, 1))
    yield tuple(columns)


def _distinct(borders: Iterator[int]) -> list[int]:
    """Ascending, those near each other taken as one."""
    distinct: list[int] = []
    for border in sorted(set(borders)):
        if not distinct or border - distinct[-1] > ONE_BORDER:
            distinct.append(border)
    return distinct
