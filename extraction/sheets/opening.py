"""Opens a workbook with the strings of its cells as they stand in the file."""

from collections.abc import Iterator
from typing import IO, Any

from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import Text
from openpyxl.reader.excel import ExcelReader
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse


def open_workbook(file: IO[bytes]) -> Any:
    """The workbook, read row by row. `file` must stay open."""
    reader = _Reader(file, read_only=True, data_only=True, rich_text=True, keep_links=False)
    reader.read()
    return reader.wb


class _Reader(ExcelReader):
    """openpyxl deletes the escapes of escapes, after which `_x000D_` may be a line end or these letters."""

    def read_strings(self) -> None:
        part = self.package.find(SHARED_STRINGS)
        if part is not None:
            with self.archive.open(part.PartName[1:]) as file:
                self.shared_strings = list(_strings(file))


def _strings(file: IO[bytes]) -> Iterator[str | CellRichText]:
    for _event, node in iterparse(file):
        if node.tag == f"{{{SHEET_MAIN_NS}}}si":
            text = Text.from_tree(node)
            node.clear()
            pieces = [TextBlock(run.rPr, run.t or "") if run.rPr else run.t or "" for run in text.r]
            yield CellRichText(pieces) if any(isinstance(one, TextBlock) for one in pieces) else text.content
