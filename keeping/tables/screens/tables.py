"""`/tables/`: the tables of a reader's topics, one with its columns and cells, and a cell beside its passage."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.core.paginator import Paginator
from django.db.models import CharField, Count, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kb_project.errors import ApiError, Invalid
from kb_project.screens.access import StaffRequest
from kb_project.screens.dialogs import done, settle
from keeping.models import CellDecision, CellStatus, ColumnKind, Table, TableCell, TableColumn, TableRow
from keeping.notebooks.screens import for_people
from keeping.people import Owner
from keeping.tables import grouping, kinds, making, visibility
from keeping.tables.given import rows_given
from keeping.tables.screens.cell_page import PHASES, CellPage, ShownCell
from keeping.tables.screens.forms import ColumnForm, TableForm, ask, documents_given, spoken
from keeping.tables.serializers import counts_of
from keeping.tables.templates import columns_of
from sources.models.documents import title_order
from topics.scoping import find_topic

ROWS_A_PAGE = 50
TABLES_A_PAGE = 100
MAX_WORDS_LENGTH = 200  # characters that values are looked through for
OPEN = "open"
READ = (CellStatus.ANSWERED, CellStatus.NOT_STATED, CellStatus.UNDECIDED, CellStatus.FAILED)


@require_safe
@for_people
def tables(request: HttpRequest, _owner: Owner) -> HttpResponse:
    """All tables of the topics that the reader sees, the newest first."""
    page = Paginator(visibility.tables_for(request).select_related("topic"), TABLES_A_PAGE).get_page(
        request.GET.get("page")
    )
    counts = counts_of(list(page))
    context = {"section": "tables", "page": page, "shown": [(table, _progress(counts[table.pk])) for table in page]}
    return render(request, "tables/tables.html", context)


def _progress(counts: dict[str, int]) -> dict[str, int]:
    """How many cells there are, are read, and are decided."""
    total = sum(counts[status] for status in CellStatus.values)
    decided = sum(counts[decision] for decision in CellDecision.values)
    return {"total": total, "read": sum(counts[status] for status in READ), "decided": decided}


@require_safe
@for_people
def table(request: HttpRequest, _owner: Owner, table_id: int) -> HttpResponse:
    """A table: a page of its rows, narrowed by the state of cells or by words, in the order of a column."""
    found = visibility.find(request, table_id)
    columns = list(found.columns.all())
    only, words = request.GET.get("only", ""), _words(request)
    rows = _narrowed(found, only=only, words=words)
    sort = _sorted_by(request, columns)
    group_by = next((one for one in columns if str(one.pk) == request.GET.get("group_by")), None)
    page = Paginator(_in_order(rows, sort, group_by), ROWS_A_PAGE).get_page(request.GET.get("page"))
    counts = counts_of([found])[found.pk]
    context = {
        "section": "tables",
        "table": found,
        "columns": columns,
        "page": page,
        "groups": _in_groups(_with_cells(found, list(page), columns), group_by),
        "group_by": group_by,
        "progress": _progress(counts),
        "counts": [(status, status.label, PHASES[status], counts[status]) for status in CellStatus if counts[status]],
        "failed": counts[CellStatus.FAILED],
        "only": only,
        "q": words,
        "sort": sort,
        "may_change": visibility.may_change(found, request),
        "is_filling": not found.paused and bool(counts[CellStatus.WAITING] + counts[CellStatus.RUNNING]),
    }
    return render(request, "tables/table.html", context)


def _words(request: HttpRequest) -> str:
    return request.GET.get("q", "").replace("\0", "").strip()[:MAX_WORDS_LENGTH]


def _narrowed(found: Table, *, only: str, words: str) -> QuerySet[TableRow]:
    """Rows with a cell of the status, or one that nobody decided yet, and with a cell or a title that has the words."""
    rows = visibility.rows_of(found)
    if only == OPEN:
        cells = visibility.cells_of(found).filter(decision="", status__in=READ)
        rows = rows.filter(pk__in=cells.values("row_id"))
    elif only in CellStatus.values:
        rows = rows.filter(pk__in=visibility.cells_of(found).filter(status=only).values("row_id"))
    if words:
        said = visibility.cells_of(found).annotate(said=Cast("value", CharField()))
        having = said.filter(Q(said__icontains=words) | Q(quote__icontains=words)).values("row_id")
        rows = rows.filter(Q(pk__in=having) | Q(source__title__icontains=words))
    return rows


def _sorted_by(request: HttpRequest, columns: Sequence[TableColumn]) -> str:
    """`12` or `-12`, the column whose values rows are in the order of, '' for the titles of documents."""
    sort = request.GET.get("sort", "")
    return sort if sort.lstrip("-") in {str(column.pk) for column in columns} else ""


def _in_order(rows: QuerySet[TableRow], sort: str, group_by: TableColumn | None) -> QuerySet[Any]:
    """Group by group where they are grouped, and each group in the order. A row knows how many are together."""
    rows, groups = rows.select_related("source", "now"), grouping.ORDER if group_by else ()
    if group_by:
        together = Window(Count("pk"), partition_by=[F("held"), F("lacks")])
        rows = grouping.by_value(rows, group_by).annotate(together=together)
    if not sort:
        return rows.order_by(*groups, title_order("source__title"), "pk")
    cells = TableCell.objects.filter(row=OuterRef("pk"), column_id=int(sort.lstrip("-")))
    rows = rows.annotate(sorted_by=Subquery(cells.values("value")[:1]))
    return rows.order_by(*groups, "-sorted_by" if sort.startswith("-") else "sorted_by", "pk")


def _with_cells(
    found: Table, rows: Sequence[TableRow], columns: Sequence[TableColumn]
) -> list[tuple[TableRow, list[ShownCell | None]]]:
    cells = visibility.cells_of(found).filter(row__in=rows).select_related("column")
    at = {(cell.row_id, cell.column_id): ShownCell(cell) for cell in cells}
    return [(row, [at.get((row.pk, column.pk)) for column in columns]) for row in rows]


def _in_groups(rows: Sequence[tuple[Any, Any]], group_by: TableColumn | None) -> list[tuple[str, int, list[Any]]]:
    """The rows of a page by groups: what each is called, how many rows it has on all pages, and those of this one."""
    if not group_by:
        return [("", 0, list(rows))] if rows else []
    groups = [(held, list(some)) for held, some in groupby(rows, key=lambda one: (one[0].held, one[0].lacks))]
    return [(grouping.shown(*held, group_by), some[0][0].together, some) for held, some in groups]


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def make(request: StaffRequest, owner: Owner) -> HttpResponse:
    """A new table."""
    form = TableForm(request, owner.within)
    context = {"form": form, "section": "tables", "next": reverse("tables")}

    def act() -> HttpResponse:
        given = form.cleaned_data
        topic = find_topic(given["topic"], request)
        columns = columns_of(given["template"], spoken()) if given["template"] else []
        columns += [_column(line.strip()) for line in given["questions"].splitlines() if line.strip()]
        if topic is None or not 0 < len(columns) <= making.MAX_COLUMNS:
            count = {"count": making.MAX_COLUMNS}
            raise Invalid(_("Give a column, or a template, and %(count)d columns at most.") % count)
        by = request.user.get_username()
        rows = rows_given(documents_given(given), request=request, topic_id=topic.pk)
        made = making.make(given["name"], topic=topic, by=by, filter=rows, columns=columns)
        return done(request, reverse("table", args=[made.pk]), _("The table %(name)s was made."), name=made)

    return ask(request, form, "tables/_table_form.html", context, act)


def _column(question: str) -> dict[str, Any]:
    title = question[: making.MAX_NAME_LENGTH]
    given = {"title": title, "question": question[: making.MAX_QUESTION_LENGTH], "type": ColumnKind.TEXT.value}
    return {**given, "options": [], "hint": "", "unit": ""}


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def delete(request: StaffRequest, _owner: Owner, table_id: int) -> HttpResponse:
    """Delete it with its cells, after asking once."""
    found = visibility.find_to_change(request, table_id)
    context = {"table": found, "next": reverse("table", args=[table_id])}

    def act() -> HttpResponse:
        found.delete()
        return done(request, reverse("tables"), _("The table %(name)s was deleted."), name=found.name)

    return settle(request, "tables/_table_delete.html", context, act)


@require_POST
@for_people
def act(request: HttpRequest, _owner: Owner, table_id: int) -> HttpResponse:
    """Pause it or go on, or have read again what failed, or the document of a row."""
    found = visibility.find_to_change(request, table_id)
    action, row = request.POST.get("action", ""), request.POST.get("row", "")
    if action in ("pause", "resume"):
        making.pause(found, paused=action == "pause")
    elif action == "again":
        making.read_again(found, Q(status=CellStatus.FAILED))
    elif action == "row" and row.isascii() and row.isdecimal() and len(row) < 19:
        changed = visibility.rows_of(found).select_related("source", "table").filter(pk=int(row)).first()
        if changed is not None:
            making.read_row_again(changed)
    return redirect("table", table_id)


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def add_column(request: StaffRequest, _owner: Owner, table_id: int) -> HttpResponse:
    """A further question."""
    found = visibility.find_to_change(request, table_id)
    form, page = ColumnForm(request.POST or None), reverse("table", args=[table_id])

    def act() -> HttpResponse:
        column = making.add_column(found, form.given)
        return done(request, page, _("The column %(name)s was added."), name=column)

    return ask(request, form, "tables/_column_form.html", {"form": form, "next": page}, act)


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def change_column(request: StaffRequest, _owner: Owner, table_id: int, column_id: int) -> HttpResponse:
    """Another question in its place, or none."""
    column = visibility.find_column(visibility.find_to_change(request, table_id), column_id)
    names = ("title", "question", "unit", "hint")
    now = {name: getattr(column, name) for name in names} | {
        "type": column.kind,
        "options": ", ".join(column.options),
    }
    form, page = ColumnForm(request.POST or None, initial=now), reverse("table", args=[table_id])

    def act() -> HttpResponse:
        making.change_column(column, form.given)
        return done(request, page, _("The column %(name)s was changed."), name=column)

    if request.method == "POST" and request.POST.get("action") == "delete":
        column.delete()
        return done(request, page, _("The column %(name)s was deleted."), name=column.title)
    if request.method == "POST" and request.POST.get("action") == "again":
        making.read_again(column.table, Q(column=column))
        return done(request, page, _("The column %(name)s is read again."), name=column.title)
    context = {"form": form, "next": page, "column": column}
    return ask(request, form, "tables/_column_form.html", context, act)


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def cell(request: HttpRequest, _owner: Owner, table_id: int, cell_id: int) -> HttpResponse:
    """A cell beside its passage. What is decided leads to the next that nobody decided yet."""
    found = visibility.find(request, table_id)
    page = CellPage(table=found, cell=visibility.find_cell(found, cell_id))
    refused, typed = "", ""
    if request.method == "POST":
        visibility.find_to_change(request, table_id)
        typed = request.POST.get("value", "")[: kinds.MAX_VALUE_LENGTH]
        try:
            _decide(request, page, typed)
        except ApiError as refusal:
            refused = refusal.detail
        else:
            following = page.next_open if page.cell.decision else page.cell.pk
            return redirect("table-cell", table_id, following) if following else redirect("table", table_id)
    context = {
        "section": "tables",
        "table": found,
        "shown": page,
        "cell": page.cell,
        "state": ShownCell(page.cell),
        "may_change": visibility.may_change(found, request),
        "refused": refused,
        "typed": typed,
    }
    return render(request, "tables/cell.html", context, status=400 if refused else 200)


def _decide(request: HttpRequest, page: CellPage, typed: str) -> None:
    decisions = {"confirm": CellDecision.CONFIRMED, "edit": CellDecision.EDITED, "reject": CellDecision.REJECTED}
    decision = decisions.get(request.POST.get("action", ""), "")
    by = request.user.get_username()
    making.decide(page.cell, decision, value=typed, by=by, topic_id=page.table.topic_id)
