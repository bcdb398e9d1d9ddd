"""Completes the tables of a page: which rows without borders are one, and which row names the columns."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.document import Page, Table

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
