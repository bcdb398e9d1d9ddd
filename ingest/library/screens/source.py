"""`/library/{source}/`: one source, edited, indexed again and deleted by a person."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import trigger_client_event

from ingest.documents.edit import EditConflict, save_form
from ingest.documents.reindex import live_reindexes, reindex
from ingest.documents.trash import throw_away
from ingest.library.source_page import NAMES, SourceScreen, changes_of
from ingest.review.forms import SourceForm
from ingest.review.undo import tell
from kb_project.errors import ApiError, NotFound
from kb_project.isolates import safe_message
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import redirect_from_dialog, render_dialog
from labels.label_set import LabelSet, chips_of
from sources.models import Chunk, Source, TrashedSource
from topics.scoping import limits

CHUNKS_A_PAGE = 25
SHOWN_OF_A_CHUNK = ("id", "source_id", "seq", "page", "section", "heading", "path", "text")


@staff_may(GET="sources.view_source", POST="sources.change_source")
def source(request: StaffRequest, source_id: int) -> HttpResponse:
    found = _find(source_id)
    form = SourceForm(request.POST) if request.method == "POST" else None
    if found is None:
        return _gone(request, source_id, form)
    if form is None:
        return _page(request, SourceScreen(found))
    if not form.is_valid():
        return _page(request, SourceScreen(found, form=form), status=400)
    try:
        was, by = form.cleaned_data["was"], request.user.get_username()
        saved = save_form(
            source_id, form.changes, labels=form.chosen_labels, if_version=was, by=by, labels_within=limits(request)
        )
    except NotFound:
        return _gone(request, source_id, form)
    except EditConflict as refusal:
        screen = SourceScreen(_find(source_id) or found, form=form)
        return _page(request, screen, status=refusal.status, overtaken=screen.last_change() or True)
    except ApiError as refusal:
        form.add_refusal(refusal)
        return _page(request, SourceScreen(found, form=form), status=refusal.status, refused=refusal.detail)
    if live_reindexes(saved).exists():
        messages.success(request, _("Saved. The document is being read again with it."))
    else:
        messages.success(request, _("Saved."))
    return redirect(request.path)


@staff_may(GET="sources.view_source", POST="sources.change_source")
def reindexing(request: StaffRequest, source_id: int) -> HttpResponse:
    """The state of the newest reindex. POST starts one."""
    found = _find(source_id)
    if found is None:
        return redirect_from_dialog(request, reverse("library-source", args=[source_id]))
    if request.method == "POST":
        try:
            reindex(source_id, by=request.user.get_username())
        except ApiError as refusal:
            if not isinstance(refusal, NotFound):  # of that the page tells
                messages.error(request, refusal.detail)
            return redirect_from_dialog(request, reverse("library-source", args=[source_id]))
    if not request.htmx:
        return redirect("library-source", source_id=source_id)
    screen = SourceScreen(found)
    response = render(request, "library/_reindex.html", {"screen": screen, "source": found})
    return response if screen.is_reindexing else trigger_client_event(response, "kb:indexed")


@staff_may(GET="sources.delete_source", POST="sources.delete_source")
def delete(request: StaffRequest, source_id: int) -> HttpResponse:
    """Ask for confirmation, then delete."""
    found = _find(source_id)
    if found is None:
        return redirect_from_dialog(request, reverse("library-source", args=[source_id]))
    if request.method != "POST":
        context = {"source": found, "labels": found.labels.all(), "days": settings.KB_TRASH_DAYS}
        return render_dialog(request, "library/_delete.html", context)
    try:
        throw_away(source_id, by=request.user.get_username())
    except NotFound:
        return redirect_from_dialog(request, reverse("library-source", args=[source_id]))
    if settings.KB_TRASH_DAYS:
        tell(request, "delete", [source_id], name=str(found), to=reverse("library-source", args=[source_id]))
    else:
        messages.success(request, safe_message(_("Deleted: %(name)s"), name=found))
    return redirect_from_dialog(request, reverse("library"))


def _find(source_id: int) -> Source | None:
    return Source.objects.select_related("topic").filter(pk=source_id).first()


def _page(request: StaffRequest, screen: SourceScreen, *, status: int = 200, **more: Any) -> HttpResponse:
    chunks = Chunk.objects.filter(source=screen.source).order_by("seq").only(*SHOWN_OF_A_CHUNK)
    wanted = request.GET.get("chunk", "")
    if wanted:
        return _to_chunk(request, screen.source, wanted)
    context = {
        "section": "library",
        "screen": screen,
        "source": screen.source,
        "form": screen.form,
        "changes": screen.changes(request.user),
        "versions": Source.objects.versions_of(screen.source.work_id),
        "page": Paginator(chunks, CHUNKS_A_PAGE).get_page(request.GET.get("page")),
        **more,
    }
    return render(request, "library/source.html", context, status=status)


def _to_chunk(request: StaffRequest, source: Source, wanted: str) -> HttpResponse:
    """Redirect to the page of chunks that holds this one."""
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 19 else 0
    chunk = Chunk.objects.filter(source=source, pk=number).only("seq").first()
    url = reverse("library-source", args=[source.pk])
    if chunk is None:
        messages.info(request, _("That place is not there any more: the document was read again since."))
        return redirect(url)
    before = Chunk.objects.filter(source=source, seq__lt=chunk.seq).count()
    return redirect(f"{url}?page={before // CHUNKS_A_PAGE + 1}#chunk-{chunk.pk}")


def _gone(request: StaffRequest, source_id: int, form: SourceForm | None) -> HttpResponse:
    """404 that names who deleted the source, if known, and what was typed."""
    typed = []
    if form is not None:
        typed = [(NAMES[name], form.data[name]) for name in NAMES if name != "labels" and form.data.get(name)]
        labels = [chip.name for chip in chips_of(form.sent_labels, LabelSet(form.sent_slugs))]
        typed += [(NAMES["labels"], ", ".join(labels))] if labels else []
    context = {
        "entry": changes_of(source_id).filter(action="source.delete").first(),
        "typed": typed,
        "trashed": TrashedSource.objects.filter(pk=source_id).first(),
    }
    return render(request, "library/gone.html", {"section": "library", **context}, status=404)
