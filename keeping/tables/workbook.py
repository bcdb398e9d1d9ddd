"""A table as an Excel workbook: values typed, the quote and the address of each in the note of its cell."""

import io
import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

from kb_project.web.origins import Absolute
from keeping.models import CellDecision, ColumnKind, Table, TableCell, TableColumn, TableRow
from keeping.tables import kinds
from keeping.tables.serializers import reason_of, state_of, url_of
from sources.provisions import address

TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MAX_SHEET_NAME_LENGTH = 31  # characters, as Excel has it
_A4 = 9  # as Excel numbers paper
MAX_NOTE_LENGTH = 2_500  # characters
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\']")
_WIDTH, _FIRST_WIDTH = 24, 40  # characters
_CELL = {"text_wrap": True, "valign": "top", "border": 1, "border_color": "#DDD7C9"}
_COLOURS = {
    "": "#FFFFFF",
    CellDecision.CONFIRMED: "#E5F3E8",
    CellDecision.EDITED: "#E6EEF9",
    CellDecision.REJECTED: "#F3F3F3",
}


def as_workbook(
    table: Table,
    columns: Sequence[TableColumn],
    rows: Iterable[tuple[TableRow, Sequence[TableCell | None]]],
    *,
    absolute: Absolute,
) -> bytes:
    """The file. `absolute` makes an address of a path."""
    import xlsxwriter  # here, as few processes write a workbook

    written = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(written, options) as book:
        sheet = add_sheet(book, _NOT_IN_NAMES.sub(" ", table.name).strip()[:MAX_SHEET_NAME_LENGTH] or None)
        writer = _Writer(book, sheet, absolute)
        writer.head([_("Document"), *(column.title for column in columns)])
        for number, (row, cells) in enumerate(rows, start=1):
            writer.document(number, row)
            for place, cell in enumerate(cells, start=1):
                if cell is not None:
                    writer.cell(number, place, cell)
    return written.getvalue()


def add_sheet(book: Any, name: str | None) -> Any:
    """A sheet in the direction of the language. On paper it is as wide as a page, whose first line is the heads."""
    sheet = book.add_worksheet(name)
    if get_language_bidi():
        sheet.right_to_left()
    sheet.set_landscape()
    sheet.set_paper(_A4)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    return sheet


class _Writer:
    def __init__(self, book: Any, sheet: Any, absolute: Absolute) -> None:
        self._book, self._sheet, self._absolute = book, sheet, absolute
        self._formats: dict[tuple[str, str], Any] = {}

    def head(self, titles: Sequence[str]) -> None:
        bold = self._book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1})
        for place, title in enumerate(titles):
            self._sheet.write_string(0, place, title, bold)
        self._sheet.set_column(0, 0, _FIRST_WIDTH)
        self._sheet.set_column(1, len(titles) - 1, _WIDTH)
        self._sheet.freeze_panes(1, 1)

    def document(self, number: int, row: TableRow) -> None:
        text = row.source.title or f"#{row.source_id}"
        self._sheet.write_url(
            number, 0, self._absolute(address(row.source_id)), string=text, cell_format=self._format("", "")
        )
        if row.changed_at:
            self._sheet.write_comment(number, 0, _("The document changed since it was read."))

    def cell(self, number: int, place: int, cell: TableCell) -> None:
        value, kind = cell.held_value, cell.column.kind
        if value is None:
            look = self._book_format_of_state()
            self._sheet.write_string(number, place, state_of(cell), look)
        elif kind == ColumnKind.DATE:
            self._sheet.write_datetime(number, place, _as_datetime(value), self._format(cell.decision, "yyyy-mm-dd"))
        elif kind == ColumnKind.NUMBER:
            self._sheet.write_number(
                number, place, value["number"], self._format(cell.decision, _number_format(value["unit"]))
            )
        elif kind == ColumnKind.YES_NO:
            # Excel has words of its own for these, LibreOffice shows 1 and 0 where no format says otherwise.
            shown = '"{0}";"{0}";"{1}"'.format(kinds.show(True, kind), kinds.show(False, kind))
            self._sheet.write_boolean(number, place, value, self._format(cell.decision, shown))
        else:
            self._sheet.write_string(number, place, kinds.show(value, kind), self._format(cell.decision, ""))
        if note := self._note(cell):
            self._sheet.write_comment(number, place, note, {"x_scale": 2, "y_scale": 1.5})

    def _note(self, cell: TableCell) -> str:
        """The quote with its address, and what a person or the reader had to say."""
        parts = [f"“{cell.quote}”" if cell.quote else "", reason_of(cell), state_of(cell)]
        if cell.decided_by:
            parts.append(cell.decided_by)
        if cell.quote:
            parts.append(self._absolute(url_of(cell)))
        return "\n".join(filter(None, parts))[:MAX_NOTE_LENGTH]

    def _format(self, decision: str, number: str) -> Any:
        if (decision, number) not in self._formats:
            given = {**_CELL, "bg_color": _COLOURS[decision]}
            if number:
                given["num_format"] = number
            self._formats[decision, number] = self._book.add_format(given)
        return self._formats[decision, number]

    def _book_format_of_state(self) -> Any:
        if ("state", "") not in self._formats:
            self._formats["state", ""] = self._book.add_format({**_CELL, "italic": True, "font_color": "#666666"})
        return self._formats["state", ""]


def _as_datetime(day: str) -> date:
    return date.fromisoformat(day)


def _number_format(unit: str) -> str:
    """The number with its unit behind it, as text that no format takes for a sign of its own."""
    plain = unit.replace('"', "")
    return f'#,##0.######## "{plain}"' if plain else "#,##0.########"
