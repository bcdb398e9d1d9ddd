"""`/library/trash/`: what was deleted on a screen, to be put back or let go of."""

from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from ingest.documents.trash import destroy
from ingest.documents.trash import restore as put_back
from kb_project.errors import NotFound
from kb_project.isolates import safe_message
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import render_dialog
from sources.models import Source, TrashedSource
from topics.scoping import within_topics

ROWS_A_PAGE = 50


@staff_may(GET="sources.delete_source")
def trash(request: StaffRequest) -> HttpResponse:
    """The sources in the trash, the last deleted first, each with the day from which it is gone."""
    rows = within_topics(TrashedSource.objects.select_related("topic"), request)
    page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
    kept = timedelta(days=settings.KB_TRASH_DAYS)
    context = {
        "section": "library",
        "page": page,
        "rows": [(row, row.deleted_at + kept) for row in page.object_list],
        "days": settings.KB_TRASH_DAYS,
    }
    return render(request, "library/trash.html", context)


@staff_may(POST="sources.delete_source")
def restore(request: StaffRequest, source_id: int) -> HttpResponse:
    """Put a source back, and go to it."""
    work_id = TrashedSource.objects.filter(pk=source_id).values_list("row__work_id", flat=True).first()
    try:
        put_back(source_id, by=request.user.get_username())
    except NotFound as refusal:
        messages.error(request, refusal.detail)
        return redirect("library-trash")
    messages.success(request, _("Put back. It can be searched again in a moment."))
    if not Source.objects.filter(pk=source_id, work=work_id).exists():
        messages.warning(request, _("Another version is in force on its days by now, so it stands by itself."))
    return redirect("library-source", source_id=source_id)


@staff_may(GET="sources.delete_source", POST="sources.delete_source")
def let_go(request: StaffRequest, source_id: int) -> HttpResponse:
    """Ask for confirmation, then delete for good what is in the trash."""
    trashed = TrashedSource.objects.filter(pk=source_id).first()
    if request.method != "POST" and trashed is not None:
        return render_dialog(request, "library/_let_go.html", {"trashed": trashed})
    try:
        destroy(source_id, by=request.user.get_username())
    except NotFound as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, safe_message(_("Deleted for good: %(source)s"), source=trashed))
    return redirect("library-trash")
