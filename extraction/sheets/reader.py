"""Reads XLSX: each sheet is a page, its blocks of rows are tables, values stand as they are displayed."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from lxml.etree import _Element as Element
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import Text
from openpyxl.reader.excel import ExcelReader
from openpyxl.worksheet._read_only import ReadOnlyWorksheet
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse

from extraction.document import Losses, LostWhat, Page, TableRow, characters_of, in_parts
from extraction.docx.package import Package
from extraction.drawings import ShapeWalk
from extraction.packages import open_office
from extraction.sheets.facts import SheetFacts, facts_of, texts_of
from extraction.sheets.number_formats import displayed
from extraction.tables import MAX_COLUMNS
from extraction.text.raised import Lowered, Raised, joined
from extraction.xml import unescaped

NAME = "Excel"
MAX_ROWS = 200_000  # with something in them, of the whole workbook
# What programs name a sheet that nobody has named, in the languages of those who write to an office here.
_SHEET = (
    "sheet|chart|גיליון|גליון|ورقة|лист|feuil(?:le)?|tabelle|hoja|foglio|planilha|folha|blad|arkusz|munka|foaie|list"
)
_DEFAULT_NAME = re.compile(rf"(?:{_SHEET}) ?\d*", re.I)
_RAISING = {"superscript": Raised, "subscript": Lowered}
_STATED = re.compile(r'="(.*)"', re.DOTALL)


def read_xlsx(path: Path) -> Iterator[Page]:
    """The sheets in order. One that is hidden has a page without text, which tells what is lost.

    Raises ExtractionFailed with code corrupt, encrypted or too_large. Left out: hidden sheets, rows and columns,
    comments, charts, and long headers and footers.
    """
    with open_office(path, name=NAME) as archive, path.open("rb") as file:
        workbook = open_workbook(file)
        package, rows_left = Package(archive), [MAX_ROWS]
        for number, sheet in enumerate(workbook._sheets, 1):
            losses = Losses()
            if number == 1:
                _names(workbook.defined_names, losses)
            if not isinstance(sheet, ReadOnlyWorksheet):  # a chart alone
                losses.add(LostWhat.SHAPE)
                yield Page(number, (), lost=losses.take())
                continue
            yield from _Sheet(sheet, archive, package, losses, rows_left).pages(number)


def _names(defined: Any, losses: Losses) -> None:
    """Count the texts that are only kept under a name."""
    for name in defined.values():
        if found := _STATED.fullmatch(f"={(name.attr_text or '').lstrip('=')}"):
            losses.add(LostWhat.OTHER, characters_of(found[1]))


class _Cell(NamedTuple):
    column: int
    text: str


class _Sheet:
    """One sheet. `rows_left` is how many rows of the workbook are still read."""

    def __init__(
        self, sheet: Any, archive: zipfile.ZipFile, package: Package, losses: Losses, rows_left: list[int]
    ) -> None:
        self._sheet, self._archive, self._package, self._losses = sheet, archive, package, losses
        self._relations = package.relations_of(sheet._worksheet_path)
        self._rows_left, self._cut_at = rows_left, 0

    def pages(self, number: int) -> Iterator[Page]:
        """The sheet as one page or more of its number."""
        with self._archive.open(self._sheet._worksheet_path) as file:
            facts = facts_of(file, self._losses)
        blocks = self._blocks(facts) if self._sheet.sheet_state == "visible" else self._hidden()
        made = [replace(page, number=number) for page in in_parts(blocks, losses=self._losses)]
        if self._cut_at and made:
            sentence = (
                f"Page {number} is a sheet with more rows than are read; from row {self._cut_at} on it was not read."
            )
            made[-1] = replace(made[-1], unread=True, warnings=(sentence,))
        yield from made or [Page(number, ())]

    def _hidden(self) -> Iterator[str | TableRow]:
        """Nothing. What is in a hidden sheet is lost."""
        for _row, cells in self._rows():
            self._losses.add(LostWhat.HIDDEN, characters_of(*(cell.text for cell in cells)))
        for block in self._beside():
            texts = block.cells if isinstance(block, TableRow) else (block,)
            self._losses.add(LostWhat.HIDDEN, characters_of(*texts))
        yield from ()

    def _blocks(self, facts: SheetFacts) -> Iterator[str | TableRow]:
        if not _DEFAULT_NAME.fullmatch(self._sheet.title):
            yield self._sheet.title
        yield from self._tables(facts)
        yield from self._beside()

    def _tables(self, facts: SheetFacts) -> Iterator[str | TableRow]:
        """Rows without a blank one between them are a table. Lone cells above it are paragraphs."""
        places = {column: place for place, column in enumerate(facts.columns()[:MAX_COLUMNS])}
        in_table, last = False, 0
        for row, cells in self._rows():
            shown = self._shown(row, cells, facts, places)
            if not shown:
                continue
            if row > last + 1 + sum(one in facts.hidden_rows for one in range(last + 1, min(row, last + 1_000))):
                in_table = False
            last = row
            if len(shown) == 1 and (not in_table or (row, shown[0].column) in facts.wide):
                yield TableRow((shown[0].text,)) if in_table else shown[0].text
                continue
            texts = [""] * len(places)
            for cell in shown:
                texts[places[cell.column]] = cell.text
            yield TableRow(tuple(texts), opens=not in_table)
            in_table = True

    def _shown(self, row: int, cells: Sequence[_Cell], facts: SheetFacts, places: dict[int, int]) -> list[_Cell]:
        """The cells of a row that are displayed. The others are lost."""
        shown = []
        for cell in cells:
            is_hidden = (
                row in facts.hidden_rows or cell.column in facts.hidden_columns or (row, cell.column) in facts.covered
            )
            if is_hidden or cell.column not in places:
                self._losses.add(LostWhat.HIDDEN if is_hidden else LostWhat.OTHER, characters_of(cell.text))
            else:
                shown.append(cell)
        return shown

    def _rows(self) -> Iterator[tuple[int, list[_Cell]]]:
        """The rows with something in them, by their numbers, up to the limit of the workbook."""
        self._sheet.reset_dimensions()
        for row in self._sheet.iter_rows():
            cells = [_Cell(cell.column, text) for cell in row if cell.value is not None and (text := self._text(cell))]
            if not cells:
                continue
            number = next(cell.row for cell in row if cell.value is not None)
            if not self._rows_left[0]:
                self._cut_at = number
                return
            self._rows_left[0] -= 1
            yield number, cells

    def _text(self, cell: Any) -> str:
        value = cell.value
        if isinstance(value, CellRichText):
            value = joined(map(_piece, value))
        elif isinstance(value, str):
            value = unescaped(value)
        text = " ".join(displayed(value, cell.number_format or "General").split())
        if not text:
            self._losses.add(LostWhat.HIDDEN, characters_of(str(value)))
        return text

    def _beside(self) -> Iterator[str | TableRow]:
        """What is drawn on the sheet, and an account of what else belongs to it."""
        for relation in self._relations.values():
            root = self._package.root(relation.part) if relation.part.endswith((".xml", ".vml")) else None
            match relation.kind:
                case "drawing" if root is not None:
                    related = partial(self._related, self._package.relations_of(relation.part))
                    yield from ShapeWalk(related, self._losses).blocks(root)
                case "comments" | "threadedComment":
                    self._losses.add(LostWhat.NOTE, characters_of(*texts_of(root, "t", "text")))
                case "vmlDrawing":
                    self._losses.add(LostWhat.SHAPE, _in_boxes(root))
                case "oleObject" | "package":
                    self._losses.add(LostWhat.ATTACHMENT)
                case "ctrlProp" | "control":
                    self._losses.add(LostWhat.FORM)
                case "image":
                    self._losses.add(LostWhat.PICTURE)

    def _related(self, relations: dict[str, Any], key: str) -> Element | None:
        relation = relations.get(key)
        return self._package.root(relation.part) if relation and relation.part else None


def _piece(piece: Any) -> str:
    """A piece of a rich text: plain, or with a font that may lift it."""
    if isinstance(piece, str):
        return unescaped(piece)
    return _RAISING.get(piece.font.vertAlign, str)(unescaped(piece.text))


def _in_boxes(root: Element | None) -> int:
    """The characters in text boxes of the old kind."""
    boxes = root.iter("{*}textbox") if root is not None else ()
    return characters_of(*(text for box in boxes for text in box.itertext()))


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
