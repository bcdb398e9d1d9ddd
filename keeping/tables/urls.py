"""Paths of tables."""

from django.urls import path, register_converter

from keeping.tables.api import (
    TableCellDecide,
    TableCells,
    TableColumnDetail,
    TableColumns,
    TableDetail,
    TableFile,
    TableFill,
    Tables,
    TableTemplates,
)
from keeping.tables.files import TYPES
from keeping.tables.screens import cells, columns, tables


class TableFormatConverter:
    """The ending of the name of a table's file."""

    regex = "|".join(TYPES)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TableFormatConverter, "table_format")
_ONE = "kb/tables/<int:table_id>"

urlpatterns = [
    path("tables/", tables.tables, name="tables"),
    path("tables/new/", tables.make, name="table-make"),
    path("tables/<int:table_id>/", tables.table, name="table"),
    path("tables/<int:table_id>/act/", tables.act, name="table-act"),
    path("tables/<int:table_id>/delete/", tables.delete, name="table-delete"),
    path("tables/<int:table_id>/columns/new/", columns.add_column, name="table-column-add"),
    path("tables/<int:table_id>/columns/<int:column_id>/", columns.change_column, name="table-column"),
    path("tables/<int:table_id>/cells/<int:cell_id>/", cells.cell, name="table-cell"),
    path("kb/tables", Tables.as_view(), name="kb-tables"),
    path("kb/tables/templates", TableTemplates.as_view(), name="kb-table-templates"),
    path(_ONE, TableDetail.as_view(), name="kb-table"),
    path(f"{_ONE}.<table_format:table_format>", TableFile.as_view(), name="kb-table-file"),
    path(f"{_ONE}/columns", TableColumns.as_view(), name="kb-table-columns"),
    path(f"{_ONE}/columns/<int:column_id>", TableColumnDetail.as_view(), name="kb-table-column"),
    path(f"{_ONE}/cells", TableCells.as_view(), name="kb-table-cells"),
    path(f"{_ONE}/cells/<int:cell_id>/decide", TableCellDecide.as_view(), name="kb-table-cell-decide"),
    path(f"{_ONE}/fill", TableFill.as_view(), name="kb-table-fill"),
]
