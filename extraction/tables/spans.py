"""Tables while they are read from markup like HTML's: cells put into their columns, below those that cover several."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from extraction.document import TableRow
from extraction.tables.rows import MAX_COLUMNS, add_cell, cell_text


@dataclass(slots=True)
class OpenCell:
    """A cell: its lines so far, and how many columns and rows it covers."""

    is_head: bool = False
    columns: int = 1
    rows: int = 1
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class OpenRow:
    """A row and its cells so far. `in_head`, `in_foot`: it stands in the head or the foot of its table."""

    in_head: bool = False
    in_foot: bool = False
    cells: list[OpenCell] = field(default_factory=list)

    @property
    def is_head(self) -> bool:
        """Does it name the columns?"""
        return self.in_head or (len(self.cells) > 1 and all(cell.is_head for cell in self.cells))


class OpenTable:
    """A table: its rows so far, and the columns that cells of rows above still cover."""

    def __init__(self) -> None:
        self._rows: list[TableRow] = []
        self._foot: list[TableRow] = []  # which may come before the body, and is shown below it
        self._covered: dict[int, int] = {}  # how many further rows, by column

    def add(self, row: OpenRow) -> None:
        """The next row, its cells put into their columns."""
        columns: list[str] = []
        covered = {column: rows - 1 for column, rows in self._covered.items() if rows > 1}
        for cell in row.cells:
            while len(columns) in self._covered:
                columns.append("")
            if cell.rows > 1:
                places = range(len(columns), len(columns) + max(1, min(cell.columns, MAX_COLUMNS)))
                covered |= dict.fromkeys(places, cell.rows - 1)
            add_cell(columns, cell_text(cell.lines), span=cell.columns)
        rows = self._foot if row.in_foot else self._rows
        if len(row.cells) == 1 and not self._covered:
            # A cell over the whole width: a row for each of its paragraphs.
            rows += (TableRow((cell_text([line]),), is_head=row.in_head) for line in row.cells[0].lines)
        elif any(columns):
            rows.append(TableRow(tuple(columns), is_head=row.is_head))
        self._covered = covered

    def rows(self) -> Iterator[str | TableRow]:
        """The rows. The paragraphs of a frame that has one column."""
        rows = self._rows + self._foot
        if all(len(row.cells) == 1 for row in rows):
            yield from (row.cells[0] for row in rows)
            return
        for place, row in enumerate(rows):
            yield row._replace(opens=not place)
