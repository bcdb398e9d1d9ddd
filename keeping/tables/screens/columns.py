"""`/tables/{id}/columns/`: adding a column, changing and deleting it."""

from django.db.models import Q
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from kb_project.screens.access import StaffRequest
from kb_project.screens.dialogs import done
from keeping.notebooks.screens import for_people
from keeping.people import Owner
from keeping.tables import making, visibility
from keeping.tables.screens.forms import ColumnForm, ask


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
