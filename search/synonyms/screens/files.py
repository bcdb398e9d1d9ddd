"""Synonyms as CSV files: exporting them, and importing with a look at what it changes."""

from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import ngettext

from kb_project.api.openapi_files import describe
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.imports import download, import_page
from search.synonyms import editing, transfer
from topics.scoping import limits

BYTE_ORDER_MARK = "\ufeff"  # without it spreadsheets read Hebrew as Latin letters


describe(name="synonym-export", media_type="text/csv", description="Every synonym that people made.")


@staff_may(GET="search.view_synonym")
def export(request: StaffRequest) -> HttpResponse:
    """Every entry that people made."""
    text = BYTE_ORDER_MARK + transfer.written(editing.synonyms_within(limits(request)))
    return download(text, name="synonyms.csv", content_type="text/csv")


@staff_may(GET="search.add_synonym", POST="search.change_synonym")
def import_file(request: StaffRequest) -> HttpResponse:
    return import_page(
        request,
        "synonyms/import.html",
        {"section": "synonyms", "back": reverse("synonyms"), "columns": ", ".join(transfer.COLUMNS)},
        read=partial(transfer.SynonymImport, within=limits(request)),
        largest=transfer.SynonymImport.largest,
        said=lambda n: ngettext("%d synonym was taken over.", "%d synonyms were taken over.", n) % n,
    )
