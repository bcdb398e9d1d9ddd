"""What the readers of markup have in common about tables: text of cells, and which tables only lay text out."""

from collections.abc import Iterable, Sequence

from extraction.document import TableRow

MAX_COLUMNS = 100
LAYOUT_CELL = 2_000  # characters. Cells of real tables hold less.


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
