"""Synonyms as CSV files: exporting them, and importing with a look at what it changes."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import ngettext

from kb_project.errors import Refusal
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.files import chosen_file, preview
from search.synonyms import editing, transfer

BYTE_ORDER_MARK = "\ufeff"  # without it spreadsheets read Hebrew as Latin letters


@staff_may(GET="search.view_synonym")
def export(request: StaffRequest) -> HttpResponse:
    """Every entry that people made."""
    text = BYTE_ORDER_MARK + transfer.written(editing.synonyms_within(None))
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="synonyms.csv"'
    return response


@staff_may(GET="search.add_synonym", POST="search.change_synonym")
def import_file(request: StaffRequest) -> HttpResponse:
    """Choose a file, see what it changes, take it over. The page carries the file from the second step to the third."""
    context: dict[str, object] = {
        "section": "synonyms",
        "back": reverse("synonyms"),
        "columns": ", ".join(transfer.COLUMNS),
    }
    if request.method != "POST":
        return render(request, "synonyms/import.html", context)
    by = request.user.get_username()
    try:
        content = chosen_file(request, largest=transfer.LARGEST_FILE)
        rows = transfer.read(content)
        if "sure" in request.POST:
            done = transfer.take_over(rows, by=by)
            sentence = ngettext("%d synonym was taken over.", "%d synonyms were taken over.", len(done)) % len(done)
            messages.success(request, sentence)
            return redirect("synonyms")
        changes = transfer.checked(rows, by=by)
    except Refusal as refusal:
        context["refused"] = refusal.detail
        return render(request, "synonyms/import.html", context, status=refusal.status)
    context |= preview(changes, rows=len(rows), content=content)
    return render(request, "synonyms/import.html", context)
