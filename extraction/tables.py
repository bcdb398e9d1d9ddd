"""Tables of every format: cells in their columns, which tables only lay text out, and which rows name the columns."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from extraction.document import Page, Table, TableRow

MAX_NAME_LENGTH = 60  # characters of a column's name
LOOSE_ROWS = 3  # rows without borders make a table from here on
ROWS_LOOKED_AT = 50
_LETTER = re.compile(r"[^\W\d_]")
_PAGE = re.compile(r"\t(\d{1,4})$")
_DIGIT = re.compile(r"\d")
_ENDED = re.compile(r"[.;,]$")
_NUMBERED = re.compile(r"[\d)•–]\.?\s*$|^\W*\w{1,3}[.)]\s*$|\d\w?\.\s*$")
_VALUES = 0.5  # share of a column's cells with a digit: the column is one of values
_LONGER = 2.0  # times longer than the names are the cells below, where they are words too
MAX_COLUMNS = 100
LAYOUT_CELL = 2_000  # characters. Cells of real tables hold less.


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


def with_tables(page: Page) -> Page:
    """The page with the tables that its reader did not know of, and with heads where the markup names none."""
    if not any("\t" in text for text in page.paragraphs):
        return page
    tables = sorted([*page.tables, *_loose(page)], key=lambda table: table.first)
    named = tuple(
        table if table.head or table.continues else replace(table, head=_head(page.paragraphs[table.first : table.end]))
        for table in tables
    )
    return page if named == page.tables else replace(page, tables=named)


def _loose(page: Page) -> Iterator[Table]:
    """Runs of lines outside of tables that have as many tabs each."""
    taken = {place for table in page.tables for place in range(table.first, table.end)}
    first, width = 0, 0
    for place, text in enumerate([*page.paragraphs, ""]):
        tabs = 0 if place in taken else text.count("\t")
        if tabs != width:
            rows = page.paragraphs[first:place]
            if width and len(rows) >= LOOSE_ROWS and not _are_contents(rows) and not _are_items(rows):
                yield Table(first, place)
            first, width = place, tabs


def _are_contents(rows: Sequence[str]) -> bool:
    """Are they lines of a table of contents: each a text and a page, in the order of these?"""
    pages = [int(found[1]) for row in rows if (found := _PAGE.search(row))]
    return len(pages) == len(rows) and pages == sorted(pages) and all(row.count("\t") == 1 for row in rows)


def _are_items(rows: Sequence[str]) -> bool:
    """Are most of them numbered provisions or items of a list, with a tab behind the number?"""
    cells = [row.split("\t") for row in rows]
    items = sum(len(row) == 2 and bool(_NUMBERED.search(row[0])) and len(row[1].split()) > 1 for row in cells)
    return items > len(rows) / 2


def _head(rows: Sequence[str]) -> int:
    """How many of the first rows look like names of columns: short words above values or above longer texts."""
    table = [row.split("\t") for row in rows[: ROWS_LOOKED_AT + 2]]
    if len(table) < 2 or not _are_names(table[0], blanks=1):
        # A cell over several columns leaves blanks beside it, and has the names of these below it.
        two = len(table) > 2 and _are_names(table[0], blanks=len(table[0]) - 1) and _are_names(table[1], blanks=1)
        return 2 if two and _stand_above(table[1], table[2:]) else 0
    return int(_stand_above(table[0], table[1:]))


def _are_names(cells: Sequence[str], *, blanks: int) -> bool:
    filled = [cell for cell in cells if cell.strip()]
    return (
        len(cells) > 1
        and len(cells) - len(filled) <= blanks
        and all(len(cell) <= MAX_NAME_LENGTH and _LETTER.search(cell) and not _ENDED.search(cell) for cell in filled)
    )


def _stand_above(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Do the cells below differ in kind: values with digits below a word, or much longer texts?"""
    columns = [[row[place] for row in rows if place < len(row) and row[place]] for place in range(len(names))]
    for name, below in zip(names, columns, strict=True):
        values = sum(bool(_DIGIT.search(cell)) for cell in below)
        if below and values >= _VALUES * len(below) and not _DIGIT.search(name):
            return True
    cells = [cell for below in columns for cell in below]
    longer = sum(map(len, cells)) / max(len(cells), 1) >= _LONGER * sum(map(len, names)) / len(names)
    return bool(cells) and (longer or len(names) > 2)


def cell_text(blocks: Iterable[str | TableRow]) -> str:
    """Paragraphs of a cell on one line, without the tabs that would part it."""
    texts = (" ".join(block.cells) if isinstance(block, TableRow) else block for block in blocks)
    return " ".join(word for text in texts for word in text.split())


def add_cell(columns: list[str], text: str, *, span: int = 1) -> None:
    """Put the next cell of a row, and blanks for the columns that it covers besides its first."""
    columns.append(text)
    columns += [""] * min(span - 1, MAX_COLUMNS - len(columns))


def is_layout(rows: Sequence[Sequence[Sequence[str | TableRow]]]) -> bool:
    """Does the table only lay text out? It has one column, tables in its cells, or cells as long as pages.

    `rows` are its rows of cells, and these are paragraphs.
    """
    if all(len(row) <= 1 for row in rows):
        return True
    cells = [cell for row in rows for cell in row]
    return any(
        any(isinstance(block, TableRow) for block in cell) or sum(map(len, cell)) > LAYOUT_CELL for cell in cells
    )
