"""Tables as the API takes and gives them."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count
from rest_framework import serializers

from kb_project.api.pagination import PageQuery
from kb_project.api.strict import StrictSerializer
from keeping.models import CellDecision, CellStatus, ColumnKind, Table, TableCell
from keeping.tables import kinds, visibility
from keeping.tables.grouping import LACKS
from keeping.tables.making import (
    MAX_COLUMNS,
    MAX_HINT_LENGTH,
    MAX_NAME_LENGTH,
    MAX_OPTION_LENGTH,
    MAX_OPTIONS,
    MAX_QUESTION_LENGTH,
    MAX_SOURCES,
)
from keeping.tables.reading.document import CellReason
from keeping.tables.templates import LANGUAGES, NAMES
from sources.kinds import SourceKind
from sources.provisions import address

MAX_LABELS = 50
DECISIONS = {
    "confirm": CellDecision.CONFIRMED,
    "edit": CellDecision.EDITED,
    "reject": CellDecision.REJECTED,
    "undo": "",
}
CELL_DECISIONS = [*CellDecision.choices, ("", "")]


class ColumnInput(StrictSerializer):
    title = serializers.CharField(max_length=MAX_NAME_LENGTH)
    question = serializers.CharField(
        max_length=MAX_QUESTION_LENGTH, required=False, default="", allow_blank=True, help_text="Empty: the title."
    )
    type = serializers.ChoiceField(ColumnKind.choices, required=False, default=ColumnKind.TEXT.value)
    options = serializers.ListField(
        child=serializers.CharField(max_length=MAX_OPTION_LENGTH),
        max_length=MAX_OPTIONS,
        required=False,
        default=list,
        help_text="Of the type `one_of`.",
    )
    hint = serializers.CharField(
        max_length=MAX_HINT_LENGTH, required=False, default="", allow_blank=True, help_text="Told to a model besides."
    )
    unit = serializers.CharField(
        max_length=kinds.MAX_UNIT_LENGTH, required=False, default="", allow_blank=True, help_text="Of a number."
    )


class RowsFilter(StrictSerializer):
    """The documents that get a row, those too that come later. Of several labels, kinds or documents any suffices."""

    label_ids = serializers.ListField(child=serializers.IntegerField(), max_length=MAX_LABELS, required=False)
    kind = serializers.ListField(
        child=serializers.ChoiceField(SourceKind.choices), max_length=len(SourceKind), required=False
    )
    source_ids = serializers.ListField(child=serializers.IntegerField(), max_length=MAX_SOURCES, required=False)
    batch_id = serializers.UUIDField(
        required=False, help_text="Those of a batch, as they are confirmed. For callers who may look at batches."
    )
    published_from = serializers.DateField(required=False)
    published_to = serializers.DateField(required=False)


class TableInput(StrictSerializer):
    name = serializers.CharField(max_length=MAX_NAME_LENGTH)
    topic_id = serializers.IntegerField(required=False, allow_null=True)
    rows = RowsFilter(required=False)
    columns = serializers.ListField(child=ColumnInput(), max_length=MAX_COLUMNS, required=False)
    template = serializers.ChoiceField(NAMES, required=False, help_text="Columns to begin with.")
    language = serializers.ChoiceField(LANGUAGES, required=False, default="en", help_text="Of the template.")


class TableChange(StrictSerializer):
    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False)
    paused = serializers.BooleanField(required=False)


class TablesQuery(PageQuery):
    topic_id = serializers.IntegerField(required=False)


class ColumnSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    title = serializers.CharField()
    question = serializers.CharField()
    type = serializers.ChoiceField(ColumnKind.choices, source="kind")
    options = serializers.ListField(child=serializers.CharField())
    hint = serializers.CharField()
    unit = serializers.CharField()


class TableSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    topic_id = serializers.IntegerField()
    by = serializers.CharField()
    rows = serializers.DictField(help_text="The filter, as it was given.")
    columns = ColumnSerializer(many=True)
    documents = serializers.IntegerField(help_text="How many rows it has.")
    left_out = serializers.IntegerField(help_text="Documents that meet the filter, for which there is no room.")
    paused = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    filled_at = serializers.DateTimeField(allow_null=True, help_text="Null while cells are to be read.")
    counts = serializers.DictField(
        child=serializers.IntegerField(), help_text="Cells by their status, and by what people decided."
    )


def shown(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """Tables with their columns and counts, in a bounded number of statements."""
    rows = visibility.rows_of(*tables).order_by().values_list("table_id")
    documents = dict(rows.annotate(Count("pk")))
    counts = counts_of(tables)
    return [
        {
            **{name: getattr(one, name) for name in ("name", "topic_id", "by", "rows", "paused", "left_out")},
            "id": one.pk,
            "created_at": one.created_at,
            "filled_at": one.filled_at,
            "columns": list(one.columns.all()),
            "documents": documents.get(one.pk, 0),
            "counts": counts[one.pk],
        }
        for one in tables
    ]


def counts_of(tables: Sequence[Table]) -> dict[int, dict[str, int]]:
    """How many cells of each table are of each status and decision, with the zeros."""
    counts = {one.pk: dict.fromkeys([*CellStatus.values, *CellDecision.values], 0) for one in tables}
    cells = visibility.cells_of(*tables).order_by()
    for pk, status, decision, count in cells.values_list("table_id", "status", "decision").annotate(Count("pk")):
        counts[pk][status] += count
        if decision:
            counts[pk][decision] += count
    return counts


class CellsQuery(PageQuery):
    row_id = serializers.IntegerField(required=False)
    column_id = serializers.IntegerField(required=False)
    status = serializers.ChoiceField(CellStatus.choices, required=False)
    decision = serializers.ChoiceField(
        [*CellDecision.choices, ("none", "none")], required=False, help_text="`none`: nobody decided yet."
    )


class GroupsQuery(PageQuery):
    group_by = serializers.IntegerField(help_text="The column.")


class GroupSerializer(serializers.Serializer[Any]):
    value = serializers.JSONField(help_text="As that of a cell. Null where none holds.")
    lacks = serializers.ChoiceField(
        [*LACKS, ("", "")], help_text="Why there is none: the status of the cells, or that people rejected them."
    )
    shown = serializers.CharField(help_text="The value as people read it, or why there is none.")
    documents = serializers.IntegerField(help_text="How many rows.")


class CellDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    title = serializers.CharField()


class CellSearched(serializers.Serializer[Any]):
    way = serializers.ChoiceField(["words", "model"])
    read = serializers.IntegerField(help_text="Passages of the document that were read.")
    passages = serializers.IntegerField(help_text="All that it has.")
    model = serializers.CharField()


class CellChanged(serializers.Serializer[Any]):
    since = serializers.DateTimeField()
    now_source_id = serializers.IntegerField(help_text="The version that is in force now, or the document itself.")


class CellSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    row_id = serializers.IntegerField()
    column_id = serializers.IntegerField()
    source = CellDocument()  # type: ignore[assignment]  # Field has an attribute of this name
    status = serializers.ChoiceField(CellStatus.choices)
    value = serializers.JSONField(  # any value, null too: told to be nullable, null would be one of two alternatives
        help_text=(
            "Null where there is none. A text, true or false, a day, `{number, unit}`, or"
            " `{text, source_id, eid, title, number}` of a citation."
        ),
    )
    shown = serializers.CharField(help_text="What holds, as people read it: the person's value, where one edited it.")
    quote = serializers.CharField(help_text="Words of the document.")
    chunk_id = serializers.IntegerField(allow_null=True)
    eid = serializers.CharField()
    page = serializers.IntegerField(allow_null=True)
    url = serializers.CharField(help_text="The path of the document's page at the quote, or of the document.")
    searched = CellSearched(allow_null=True, help_text="What was read. Null where nothing was.")
    why = serializers.ChoiceField([*CellReason.choices, ("", "")])
    reason = serializers.CharField(help_text="The same as a sentence.")
    decision = serializers.ChoiceField(CELL_DECISIONS)
    decided_value = serializers.JSONField(help_text="Null where there is none.")
    decided_by = serializers.CharField()
    decided_at = serializers.DateTimeField(allow_null=True)
    filled_at = serializers.DateTimeField(allow_null=True)
    changed = CellChanged(allow_null=True, help_text="That the document changed since it was read.")


def cell_out(cell: TableCell) -> dict[str, Any]:
    """A cell, read with its row, source and column."""
    row, source = cell.row, cell.row.source
    same = ("row_id", "column_id", "status", "value", "quote", "chunk_id", "eid", "page", "why", "decision")
    decided = ("decided_value", "decided_by", "decided_at", "filled_at")
    return {
        **{name: getattr(cell, name) for name in (*same, *decided)},
        "id": cell.pk,
        "source": {"id": source.pk, "title": source.title},
        "shown": kinds.show(cell.held_value, cell.column.kind),
        "url": url_of(cell),
        "searched": cell.searched or None,
        "reason": reason_of(cell),
        "changed": {"since": row.changed_at, "now_source_id": row.now_id} if row.changed_at else None,
    }


def reason_of(cell: TableCell) -> str:
    """Why it has no answer, as a sentence."""
    return str(CellReason(cell.why).label) if cell.why else ""


def state_of(cell: TableCell | None) -> str:
    """What is said of a cell: what a person decided, or how far it is."""
    if cell is None:
        return ""
    return str(cell.get_decision_display() if cell.decision else cell.get_status_display())


def url_of(cell: TableCell) -> str:
    """The path of its document's page, at the quote where there is one."""
    return address(cell.row.source_id, cell.eid, chunk_id=cell.chunk_id or 0, quote=cell.quote)


class CellDecisionInput(StrictSerializer):
    decision = serializers.ChoiceField(list(DECISIONS))
    value = serializers.CharField(
        max_length=kinds.MAX_VALUE_LENGTH,
        required=False,
        help_text="With `edit`: the answer as one would type it, of the form of its column.",
    )


class FillInput(StrictSerializer):
    """Which cells are read again: of a row, of a column, or, where neither is given, those that failed."""

    row_id = serializers.IntegerField(required=False)
    column_id = serializers.IntegerField(required=False)


class FillSerializer(serializers.Serializer[Any]):
    cells = serializers.IntegerField(help_text="How many wait for it.")


class TemplatesQuery(StrictSerializer):
    language = serializers.ChoiceField(LANGUAGES, required=False, default="en")


class TemplateSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    columns = ColumnInput(many=True)
