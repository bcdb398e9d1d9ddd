"""Making tables and changing them: their columns, what is read again, and what a person says of a cell."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from kb_project.errors import Conflict, Invalid
from kb_project.hints import send_hint
from keeping.models import CellDecision, CellStatus, ColumnKind, Table, TableCell, TableColumn, TableRow
from keeping.tables import rows
from keeping.tables.kinds import AskedColumn, parse
from topics.models import Topic

MAX_TABLES = 200  # of a topic
MAX_COLUMNS = 20
MAX_OPTIONS = 30
MAX_NAME_LENGTH = 200
MAX_QUESTION_LENGTH = 500
MAX_HINT_LENGTH = 1_000
MAX_OPTION_LENGTH = 100
MAX_SOURCES = rows.MAX_ROWS
HINT_EXPIRES_S = 60.0
# A cell as if nobody had read it. What a person said of it stays.
_UNREAD: dict[str, Any] = {
    "status": CellStatus.WAITING.value,
    "value": None,
    "quote": "",
    "chunk_id": None,
    "eid": "",
    "page": None,
    "searched": {},
    "why": "",
    "filled_at": None,
    "attempts": 0,
    "claim": None,
    "held_until": None,
    "next_at": None,
}


def hint_now() -> None:
    """Have a worker look for cells. Beat looks too, where the broker is away."""
    send_hint(settings.KB_TABLE_TASK, expires=HINT_EXPIRES_S)


def hint() -> None:
    """Likewise, after this transaction."""
    transaction.on_commit(hint_now, robust=True)


def make(name: str, *, topic: Topic, by: str, filter: Mapping[str, Any], columns: Sequence[Mapping[str, Any]]) -> Table:
    """A table whose cells wait to be read. Raises Conflict and Invalid."""
    with transaction.atomic():
        Topic.objects.select_for_update(no_key=True).get(pk=topic.pk)
        if Table.objects.filter(topic=topic).count() >= MAX_TABLES:
            raise Conflict(_("The topic has as many tables as it can have: %(count)d.") % {"count": MAX_TABLES})
        table = Table.objects.create(topic=topic, name=name, by=by, rows=dict(filter))
        for position, column in enumerate(columns):
            _add(table, column, position=position)
        rows.look(table.pk)
        hint()
    return Table.objects.get(pk=table.pk)


def add_column(table: Table, given: Mapping[str, Any]) -> TableColumn:
    """A further column, whose cells wait. Raises Conflict and Invalid."""
    with transaction.atomic():
        Table.objects.select_for_update(no_key=True).get(pk=table.pk)
        there = list(TableColumn.objects.filter(table=table).values_list("position", flat=True))
        if len(there) >= MAX_COLUMNS:
            raise Conflict(_("The table has as many columns as it can have: %(count)d.") % {"count": MAX_COLUMNS})
        column = _add(table, given, position=max(there, default=-1) + 1)
        rows.look(table.pk)
        hint()
    return column


def _add(table: Table, given: Mapping[str, Any], *, position: int) -> TableColumn:
    column = TableColumn(table=table, position=position, **_fields(given))
    _check(column)
    column.save(force_insert=True)
    return column


def _fields(given: Mapping[str, Any], *, title: str = "") -> dict[str, Any]:
    """The columns of what is given. An empty question is the title, by default the one that is there."""
    named = {"kind" if name == "type" else name: value for name, value in given.items()}
    return {**named, "question": named["question"] or named.get("title", title)} if "question" in named else named


def _check(column: TableColumn) -> None:
    """Raises Invalid for a list without options, and for options of what is none."""
    is_list = column.kind == ColumnKind.ONE_OF
    folded = [option.casefold() for option in column.options]
    sentence = ""
    if is_list and len(folded) < 2:
        sentence = _("A column of this type needs two options or more.")
    elif column.options and not is_list:
        sentence = _("Only a column whose answers are one of a list has options.")
    elif len(set(folded)) < len(folded):
        sentence = _("An option is given twice.")
    if sentence:
        raise Invalid(sentence, errors={"options": [sentence]})


def change_column(column: TableColumn, given: Mapping[str, Any]) -> TableColumn:
    """Give it other values. What asks something else is read again, in this column alone. Raises Invalid."""
    fields = _fields(given, title=column.title)
    asks_anew = any(getattr(column, name) != value for name, value in fields.items() if name != "title")
    for name, value in fields.items():
        setattr(column, name, value)
    _check(column)
    with transaction.atomic():
        Table.objects.select_for_update(no_key=True).get(pk=column.table_id)
        column.save()
        if asks_anew:
            read_again(column.table, Q(column=column))
    return column


def read_again(table: Table, which: Q) -> int:
    """Have cells read anew. Returns how many it is. A decision on them stands."""
    with transaction.atomic():
        Table.objects.select_for_update(no_key=True).get(pk=table.pk)
        count = TableCell.objects.filter(which, table=table).update(**_UNREAD)
        if count:
            Table.objects.filter(pk=table.pk).update(filled_at=None)
            hint()
    return count


def read_row_again(row: TableRow) -> int:
    """Have a document read anew. From now on it is marked only where it changes again."""
    with transaction.atomic():
        row.content_sha256 = row.source.content_sha256
        row.changed_at = None
        row.save(update_fields=["content_sha256", "changed_at"])
        return read_again(row.table, Q(row=row))


def pause(table: Table, *, paused: bool) -> None:
    """Stop taking its cells, or go on. What is being read is recorded."""
    Table.objects.filter(pk=table.pk).update(paused=paused)
    table.paused = paused
    if not paused:
        hint()


def decide(cell: TableCell, decision: str, *, value: str = "", by: str, topic_id: int) -> None:
    """Confirm, edit or reject what was read, or with '' take that back. Raises Invalid and Conflict."""
    decided = None
    if decision == CellDecision.EDITED:
        decided = parse(value, AskedColumn.of(cell.column, topic_id=topic_id))
        if decided is None:
            sentence = _("This is no answer of the column's form.")
            raise Invalid(sentence, errors={"value": [sentence]})
    elif decision and cell.status in (CellStatus.WAITING, CellStatus.RUNNING):
        raise Conflict(_("The cell was not read yet."))
    cell.decision, cell.decided_value = decision, decided
    cell.decided_by, cell.decided_at = (by, Now()) if decision else ("", None)
    cell.save(update_fields=["decision", "decided_value", "decided_by", "decided_at"])
    cell.refresh_from_db(fields=["decided_at"])
