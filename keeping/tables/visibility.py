"""Who sees a table, and who may change it.

A table belongs to its topic: whoever signs in, or has a key, and sees the topic sees it. Whoever made it, or may change
documents of the topic, changes it.
"""

from typing import Any

from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from kb_project.errors import NotFound, PermissionDenied
from keeping.models import Survey, Table, TableCell, TableColumn, TableRow
from topics.scoping import may, within_topics

RIGHT = "sources.change_source"


def tables_for(request: Request | HttpRequest) -> QuerySet[Table]:
    """Those of the topics that the caller sees."""
    return within_topics(Table.objects.all(), request)


def find(request: Request | HttpRequest, table_id: int) -> Table:
    """Raises NotFound."""
    table = tables_for(request).filter(pk=table_id).first()
    if table is None:
        raise NotFound(_("There is no such table."))
    return table


def find_to_change(request: Request | HttpRequest, table_id: int) -> Table:
    """One that the caller may change. Raises NotFound and PermissionDenied."""
    table = find(request, table_id)
    if not may_change(table, request):
        raise PermissionDenied(_("Only who made the table, or may change documents of its topic, changes it."))
    return table


def may_change(one: Table | Survey, request: Request | HttpRequest) -> bool:
    user: Any = request.user
    return one.by == user.get_username() or may(request, RIGHT, topic_id=one.topic_id)


def rows_of(*tables: Table) -> QuerySet[TableRow]:
    """Their rows, but for documents that are in another topic now, until they are taken out."""
    return TableRow.objects.filter(table__in=tables, source__topic_id=F("table__topic_id"))


def cells_of(*tables: Table) -> QuerySet[TableCell]:
    """Likewise."""
    return TableCell.objects.filter(table__in=tables, row__source__topic_id=F("table__topic_id"))


def find_cell(table: Table, cell_id: int) -> TableCell:
    """Raises NotFound."""
    cell = cells_of(table).select_related("row__source", "row__now", "column").filter(pk=cell_id).first()
    if cell is None:
        raise NotFound(_("The table has no such cell."))
    return cell


def find_column(table: Table, column_id: int) -> TableColumn:
    """Raises NotFound."""
    column = TableColumn.objects.filter(table=table, pk=column_id).first()
    if column is None:
        raise NotFound(_("The table has no such column."))
    return column
