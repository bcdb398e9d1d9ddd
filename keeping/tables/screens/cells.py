"""`/tables/{id}/cells/{cell}/`: a cell beside its passage, and what a person says of it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from kb_project.errors import ApiError
from keeping.models import CellDecision
from keeping.notebooks.screens import for_people
from keeping.people import Owner
from keeping.tables import kinds, making, visibility
from keeping.tables.screens.cell_page import CellPage, ShownCell


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
