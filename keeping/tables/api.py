"""`/kb/tables`: questions to many documents, their cells, and what a person says of these."""

from typing import Any

from django.db.models import Q
from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.openapi import problems
from kb_project.api.pagination import page_response
from kb_project.api.strict import body, forbid_body, forbid_query, query_params
from kb_project.api.throttles import PublicThrottle, ReadingThrottle
from kb_project.errors import Invalid, NotFound
from keeping.models import CellStatus, Table
from keeping.person_view import KnownView
from keeping.tables import making, visibility
from keeping.tables.files import OPENAPI_TYPES, TYPES, file_response
from keeping.tables.given import rows_given
from keeping.tables.grouping import groups_of
from keeping.tables.serializers import (
    DECISIONS,
    CellDecisionInput,
    CellSerializer,
    CellsQuery,
    ColumnInput,
    ColumnSerializer,
    FillInput,
    FillSerializer,
    GroupSerializer,
    GroupsQuery,
    TableChange,
    TableInput,
    TableSerializer,
    TablesQuery,
    TemplateSerializer,
    TemplatesQuery,
    cell_out,
    shown,
)
from keeping.tables.templates import columns_of, templates
from topics.scoping import TopicFirst, require_topic

FORM = OpenApiParameter("table_format", enum=list(TYPES), location=OpenApiParameter.PATH)


class TableView(KnownView):
    throttle_classes = [PublicThrottle]

    def find(self, request: Request, table_id: int) -> Table:
        """One that the caller may change, if that is what they ask for. Raises NotFound and PermissionDenied."""
        look = visibility.find if request.method == "GET" else visibility.find_to_change
        return look(request, table_id)


def table_out(table: Table) -> Any:
    fresh = Table.objects.filter(pk=table.pk).first()
    if fresh is None:
        raise NotFound(_("There is no such table."))
    return TableSerializer(shown([fresh])[0]).data


class Tables(TopicFirst, TableView):
    @extend_schema(operation_id="kb_tables_list", parameters=[TablesQuery], responses=TableSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The tables of the topics that the caller sees, the newest first."""
        query_params(request, TablesQuery)
        found = visibility.tables_for(request)
        if self.topic:
            found = found.filter(topic=self.topic)
        found = found.prefetch_related("columns")
        return page_response(request, found, show=shown, serializer_class=TableSerializer)

    @extend_schema(
        operation_id="kb_tables_create", request=TableInput, responses={201: TableSerializer, **problems(409)}
    )
    def post(self, request: Request) -> Response:
        """Ask questions of documents. The cells are filled in the background."""
        given = body(request, TableInput)
        topic = require_topic(request, given.get("topic_id"))
        filter = rows_given(given.get("rows") or {}, request=request, topic_id=topic.pk)
        columns = [
            *(columns_of(given["template"], given["language"]) if "template" in given else ()),
            *given.get("columns", ()),
        ]
        if not 0 < len(columns) <= making.MAX_COLUMNS:
            sentence = _("Give a column, or a template, and %(count)d columns at most.") % {"count": making.MAX_COLUMNS}
            raise Invalid(sentence, errors={"columns": [sentence]})
        by = request.user.get_username()
        table = making.make(given["name"], topic=topic, by=by, filter=filter, columns=columns)
        return Response(table_out(table), status=status.HTTP_201_CREATED)


class TableDetail(TableView):
    @extend_schema(operation_id="kb_tables_retrieve", responses=TableSerializer)
    def get(self, request: Request, table_id: int) -> Response:
        """A table with its columns, and how many cells are filled."""
        forbid_query(request)
        return Response(table_out(self.find(request, table_id)))

    @extend_schema(operation_id="kb_tables_update", request=TableChange, responses=TableSerializer)
    def patch(self, request: Request, table_id: int) -> Response:
        """Give it another name, pause it, or go on."""
        table = self.find(request, table_id)
        given = body(request, TableChange)
        if "name" in given:
            Table.objects.filter(pk=table.pk).update(name=given["name"])
        if "paused" in given:
            making.pause(table, paused=given["paused"])
        return Response(table_out(table))

    @extend_schema(operation_id="kb_tables_delete", request=None, responses={204: None})
    def delete(self, request: Request, table_id: int) -> Response:
        """Delete it with all its cells."""
        table = self.find(request, table_id)
        forbid_body(request)
        table.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class TableColumns(TableView):
    @extend_schema(
        operation_id="kb_tables_columns_create", request=ColumnInput, responses={201: ColumnSerializer, **problems(409)}
    )
    def post(self, request: Request, table_id: int) -> Response:
        """Ask a further question."""
        table = self.find(request, table_id)
        column = making.add_column(table, body(request, ColumnInput))
        return Response(ColumnSerializer(column).data, status=status.HTTP_201_CREATED)


class TableColumnDetail(TableView):
    @extend_schema(operation_id="kb_tables_columns_update", request=ColumnInput, responses=ColumnSerializer)
    def patch(self, request: Request, table_id: int, column_id: int) -> Response:
        """Change a question. Its column is read again, and no other."""
        column = visibility.find_column(self.find(request, table_id), column_id)
        given = body(request, ColumnInput, partial=True)
        return Response(ColumnSerializer(making.change_column(column, given)).data)

    @extend_schema(operation_id="kb_tables_columns_delete", request=None, responses={204: None})
    def delete(self, request: Request, table_id: int, column_id: int) -> Response:
        """Delete a column with its cells."""
        column = visibility.find_column(self.find(request, table_id), column_id)
        forbid_body(request)
        column.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class TableCells(TableView):
    throttle_classes = [ReadingThrottle]

    @extend_schema(operation_id="kb_tables_cells", parameters=[CellsQuery], responses=CellSerializer(many=True))
    def get(self, request: Request, table_id: int) -> Response:
        """The cells of a table, row by row."""
        query, table = query_params(request, CellsQuery), self.find(request, table_id)
        given: dict[str, Any] = {name: query[name] for name in ("row_id", "column_id", "status") if name in query}
        if "decision" in query:
            given["decision"] = "" if query["decision"] == "none" else query["decision"]
        cells = visibility.cells_of(table).filter(**given).select_related("row__source", "column")
        return page_response(
            request, cells, show=lambda page: list(map(cell_out, page)), serializer_class=CellSerializer
        )


class TableGroups(TableView):
    throttle_classes = [ReadingThrottle]

    @extend_schema(operation_id="kb_tables_groups", parameters=[GroupsQuery], responses=GroupSerializer(many=True))
    def get(self, request: Request, table_id: int) -> Response:
        """The values of a column, with how many documents have each."""
        query, table = query_params(request, GroupsQuery), self.find(request, table_id)
        groups = groups_of(visibility.rows_of(table), visibility.find_column(table, query["group_by"]))
        return page_response(request, groups, serializer_class=GroupSerializer)


class TableCellDecide(TableView):
    throttle_classes = [ReadingThrottle]

    @extend_schema(
        operation_id="kb_tables_cells_decide",
        request=CellDecisionInput,
        responses={200: CellSerializer, **problems(409)},
    )
    def post(self, request: Request, table_id: int, cell_id: int) -> Response:
        """Confirm, edit or reject a cell, or take that back. What was read stays beside it."""
        table = self.find(request, table_id)
        cell = visibility.find_cell(table, cell_id)
        given = body(request, CellDecisionInput)
        if (given["decision"] == "edit") != ("value" in given):
            sentence = _("Give a value with `edit`, and with nothing else.")
            raise Invalid(sentence, errors={"value": [sentence]})
        making.decide(
            cell,
            DECISIONS[given["decision"]],
            value=given.get("value", ""),
            by=request.user.get_username(),
            topic_id=table.topic_id,
        )
        return Response(CellSerializer(cell_out(cell)).data)


class TableFill(TableView):
    @extend_schema(operation_id="kb_tables_fill", request=FillInput, responses={202: FillSerializer})
    def post(self, request: Request, table_id: int) -> Response:
        """Have cells read again. Those of a row that changed are read in its document as it is now."""
        table = self.find(request, table_id)
        given = body(request, FillInput)
        which = Q(**given) if given else Q(status=CellStatus.FAILED)
        if list(given) == ["row_id"]:
            row = visibility.rows_of(table).select_related("source", "table").filter(pk=given["row_id"]).first()
            if row is None:
                raise NotFound(_("The table has no such row."))
            count = making.read_row_again(row)
        else:
            count = making.read_again(table, which)
        return Response({"cells": count}, status=status.HTTP_202_ACCEPTED)


class TableFile(TableView):
    @extend_schema(
        operation_id="kb_tables_file",
        parameters=[FORM],
        responses={
            (200, content_type): OpenApiTypes.OBJECT if content_type == "application/json" else OpenApiTypes.BINARY
            for content_type in OPENAPI_TYPES
        },
    )
    def get(self, request: Request, table_id: int, table_format: str) -> HttpResponseBase:
        """The table as a file: XLSX with typed values and a note of each quote, CSV, or JSON."""
        forbid_query(request)
        return file_response(request, self.find(request, table_id), table_format)


class TableTemplates(TableView):
    lists_whole = True

    @extend_schema(
        operation_id="kb_tables_templates", parameters=[TemplatesQuery], responses=TemplateSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """Columns to begin with, for six kinds of documents."""
        language = query_params(request, TemplatesQuery)["language"]
        return Response(TemplateSerializer(templates(language), many=True).data)
