"""The rows of a table by what holds in a column: a value, or why there is none."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Case, CharField, Count, F, JSONField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from keeping.models import CellDecision, CellStatus, TableCell, TableColumn, TableRow
from keeping.tables import kinds

LACKS = [*CellStatus.choices, (CellDecision.REJECTED.value, CellDecision.REJECTED.label)]
"""Why a cell has no value: its status, or that a person rejected it."""
# As `TableCell.held_value` has it.
_HELD = Case(
    When(decision=CellDecision.EDITED, then="decided_value"),
    When(~Q(decision=CellDecision.REJECTED), then="value"),
    output_field=JSONField(),
)
_LACKS = Case(
    When(one_held__isnull=False, then=Value("")),
    When(decision=CellDecision.REJECTED, then=Value(CellDecision.REJECTED.value)),
    default="status",
    output_field=CharField(),
)
ORDER = (F("held").asc(nulls_last=True), F("lacks").asc())


@dataclass(frozen=True, kw_only=True)
class RowGroup:
    """Rows of the same value, or without one for the same reason (`lacks`, '' beside a value)."""

    value: Any
    lacks: str
    shown: str
    documents: int


def by_value(rows: QuerySet[TableRow], column: TableColumn) -> QuerySet[Any]:
    """The rows with what is `held` in the column, and what they `lacks` where that is nothing."""
    cells = TableCell.objects.filter(row=OuterRef("pk"), column=column)
    cells = cells.annotate(one_held=_HELD).annotate(one_lacks=_LACKS)
    return rows.annotate(
        held=Subquery(cells.values("one_held")[:1]),
        lacks=Coalesce(Subquery(cells.values("one_lacks")[:1]), Value(CellStatus.WAITING.value)),
    )


def groups_of(rows: QuerySet[TableRow], column: TableColumn) -> list[RowGroup]:
    """The groups with how many of the rows each has, values first, in their order. No more than rows."""
    counted = by_value(rows, column).order_by().values("held", "lacks").annotate(documents=Count("pk"))
    return [
        RowGroup(value=held, lacks=lacks, shown=shown(held, lacks, column), documents=documents)
        for held, lacks, documents in counted.order_by(*ORDER).values_list("held", "lacks", "documents")
    ]


def shown(held: Any, lacks: str, column: TableColumn) -> str:
    """A group's value as people read it, or why there is none."""
    return kinds.show(held, column.kind) or str(dict(LACKS).get(lacks, ""))
