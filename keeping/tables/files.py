"""A table as a file: CSV for spreadsheets, JSON for programs, XLSX with typed values for people."""

import json
from collections.abc import Iterator, Sequence

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from rest_framework.request import Request

from kb_project.web.origins import Absolute, absolute
from kb_project.web.streams import BOM, CONTENT_TYPE, attachment, csv_line
from keeping.models import Table, TableCell, TableColumn, TableRow
from keeping.tables import kinds, visibility
from keeping.tables.serializers import TableSerializer, cell_out, shown, state_of
from keeping.tables.workbook import TYPE as XLSX_TYPE
from keeping.tables.workbook import as_workbook
from law.languages.scripts import main_language
from sources.models.documents import title_order
from sources.provisions import address

TYPES = {"xlsx": XLSX_TYPE, "csv": CONTENT_TYPE, "json": "application/json"}
OPENAPI_TYPES = [content_type.partition(";")[0] for content_type in TYPES.values()]
MAX_FILENAME_LENGTH = 80
ROWS_AT_ONCE = 50
Rows = Iterator[tuple[TableRow, Sequence[TableCell | None]]]


def file_response(request: Request | HttpRequest, table: Table, form: str) -> HttpResponseBase:
    """The whole table as a file of this form, in the language of its name and its questions."""
    columns, rows = list(table.columns.all()), rows_with_cells(table)
    language = main_language("\n".join((table.name, *(one.title for one in columns))))
    with translation.override(language.code):
        content = _written(table, columns, rows, form, absolute=absolute(request))
    name = get_valid_filename(table.name)[:MAX_FILENAME_LENGTH] if any(map(str.isalnum, table.name)) else "table"
    return attachment(content, content_type=TYPES[form], filename=f"{name}.{form}")


def _written(table: Table, columns: Sequence[TableColumn], rows: Rows, form: str, *, absolute: Absolute) -> bytes | str:
    if form == "xlsx":
        return as_workbook(table, columns, rows, absolute=absolute)
    return "".join(_lines(columns, rows, absolute)) if form == "csv" else _json(table, rows)


def rows_with_cells(table: Table) -> Rows:
    """Each row, by the title of its document, with a cell for each column in order, None where one is still missing.

    Few rows are held at a time.
    """
    columns = list(table.columns.all())
    rows = list(visibility.rows_of(table).order_by(title_order("source__title"), "pk").values_list("pk", flat=True))
    for at in range(0, len(rows), ROWS_AT_ONCE):
        some = rows[at : at + ROWS_AT_ONCE]
        read = visibility.rows_of(table).select_related("source", "now").in_bulk(some)
        cells = visibility.cells_of(table).filter(row__in=some).select_related("column")
        found: dict[tuple[int, int], TableCell] = {}
        for cell in cells:
            if cell.row_id in read:
                cell.row = read[cell.row_id]
                found[cell.row_id, cell.column_id] = cell
        for pk in some:
            if pk in read:
                yield read[pk], [found.get((pk, column.pk)) for column in columns]


def _lines(columns: Sequence[TableColumn], rows: Rows, absolute: Absolute) -> Iterator[str]:
    """Three columns for each question: the answer, its state, and the quote. The last is the document's address."""
    heads = [(one.title, f"{one.title}: {_('state')}", f"{one.title}: {_('quote')}") for one in columns]
    yield BOM + csv_line([_("Document"), *(name for of_one in heads for name in of_one), _("Address")])
    for row, cells in rows:
        values = [
            value
            for cell in cells
            for value in (
                kinds.show(cell.held_value, cell.column.kind) if cell else "",
                state_of(cell),
                cell.quote if cell else "",
            )
        ]
        yield csv_line([row.source.title, *values, absolute(address(row.source_id))])


def _json(table: Table, rows: Rows) -> str:
    head = json.dumps(TableSerializer(shown([table])[0]).data, ensure_ascii=False, cls=DjangoJSONEncoder)
    written = ",".join(_row_as_json(row, cells) for row, cells in rows)
    return f'{{"table":{head},"rows":[{written}]}}'


def _row_as_json(row: TableRow, cells: Sequence[TableCell | None]) -> str:
    out = {
        "row_id": row.pk,
        "source": {"id": row.source_id, "title": row.source.title},
        "cells": [cell_out(cell) for cell in cells if cell],
    }
    return json.dumps(out, ensure_ascii=False, cls=DjangoJSONEncoder)
