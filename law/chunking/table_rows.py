"""The rows of tables in the text that is being packed: which parts of which tables a chunk gets."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from law.chunking.drafts import TablePart
from law.structure.lines.document_lines import DocumentLine

MAX_CELL_LENGTH = 80  # characters of a cell above the chunk
MAX_ABOVE_LENGTH = 1_000  # of all these rows


class _ChunkRow(NamedTuple):
    """A row from character `at` up to `end`. `place` counts the rows of its table, `above` are rows that head it."""

    at: int
    end: int
    table: int
    place: int
    is_head: bool
    above: tuple[str, ...]
    skipped: int = 0


class TableRows:
    """The rows in a buffer, by the characters of it."""

    def __init__(self) -> None:
        self._rows: list[_ChunkRow] = []
        self._table = self._place = 0
        self._heads: tuple[str, ...] = ()
        self._over = ""  # the last row of one cell over the whole width
        self._filled: list[str] = []  # the cells of the last row, those that are covered from above filled in

    def follows_head(self, line: DocumentLine) -> bool:
        """Does the line stand right below the names of its table's columns?"""
        return bool(self._rows and self._rows[-1].is_head and self._rows[-1].table == line.table and not line.is_head)

    def add(self, line: DocumentLine, at: int) -> None:
        """A line that was put into the buffer."""
        end = at + len(line.text)
        if not line.table:
            return
        if not line.opens and self._rows and self._rows[-1].table == line.table:
            self._rows[-1] = self._rows[-1]._replace(end=end)
            return
        if line.table != self._table:
            self._table, self._place, self._heads, self._over, self._filled = line.table, 0, (), "", []
        cells = line.text.split("\t")
        covered = next((place for place, cell in enumerate(cells) if cell.strip()), len(cells))  # blank ones
        lead = "\t".join(self._filled[:covered]).rstrip("\t")
        above = _bounded([*self._heads, *filter(None, (self._over, lead))])
        self._rows.append(_ChunkRow(at, end, line.table, self._place, line.is_head, above))
        self._place += 1
        if line.is_head:
            self._heads += (line.text,)
        elif len(cells) == 1:
            self._over, self._filled = line.text, []
        else:
            self._filled = [*self._filled[:covered], *cells[min(covered, len(self._filled)) :]]

    def parts(self, start: int, end: int) -> tuple[TablePart, ...]:
        """The parts of tables between two characters of the buffer, counted from the first of them."""
        inside = [row for row in self._rows if row.at < end and row.end > start]
        return tuple(_part(list(rows), start=start, end=end) for _, rows in groupby(inside, key=lambda row: row.table))

    def with_blank_cells(self, first: int, last: int, end: int) -> tuple[int, int]:
        """The stretch with the blank cells that its outer rows begin and end with, up to character `end`."""
        for row in self._rows:
            if row.at < first < row.end:
                first = max(row.at, 0)
            if row.at < last < row.end:
                last = min(row.end, end)
        return first, last

    def cut(self, text: str, end: int) -> None:
        """The first characters left the buffer: `text` up to `end`."""
        self._rows = [
            row._replace(
                at=row.at - end, end=row.end - end, skipped=row.skipped + text.count("\t", max(row.at, 0), end)
            )
            if row.at < end
            else row._replace(at=row.at - end, end=row.end - end)
            for row in self._rows
            if row.end > end
        ]


def _part(rows: Sequence[_ChunkRow], *, start: int, end: int) -> TablePart:
    first = rows[0]
    continues = first.place > 0 or first.at < start
    return TablePart(
        start=max(first.at - start, 0),
        end=min(rows[-1].end, end) - start,
        head=sum(row.is_head for row in rows),
        continues=continues,
        skipped=first.skipped,
        above=first.above if continues else (),
    )


def _bounded(rows: Sequence[str]) -> tuple[str, ...]:
    """The rows with their cells cut, as many as may be."""
    kept: list[str] = []
    for row in rows:
        short = "\t".join(cell[:MAX_CELL_LENGTH] for cell in row.split("\t"))
        if sum(map(len, kept)) + len(short) <= MAX_ABOVE_LENGTH:
            kept.append(short)
    return tuple(kept)
