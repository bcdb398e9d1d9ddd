"""CSV for spreadsheets: lines whose cells are no formulas, and their stream in few pieces."""

import csv
import io
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Any

BOM = "\ufeff"  # Excel reads Hebrew by it
CONTENT_TYPE = "text/csv; charset=utf-8"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
LINES_AT_ONCE = 500


def csv_line(row: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(map(_harmless, row))
    return line.getvalue()


def _harmless(value: Any) -> Any:
    """A text that a spreadsheet does not take for a formula."""
    if value is None or isinstance(value, int):
        return value
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def in_blocks(lines: Iterator[str]) -> Generator[bytes]:
    """The same text in fewer pieces, each of which is a step of the event loop."""
    while block := "".join(islice(lines, LINES_AT_ONCE)):
        yield block.encode()
