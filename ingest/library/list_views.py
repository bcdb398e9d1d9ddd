"""`/library/`: the sources, filtered, and labels for many of them at once."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingest.library.bulk_labels import LabelChangeCounts, add_to_all, remove_from_all
from ingest.library.forms import BulkForm
from ingest.library.source_filter import FilterForm
from kb_project.errors import Refusal
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import way_back
from sources.kinds import Kind
from topics.models import Topic

SOURCES_A_PAGE = 50


@staff_may(GET="sources.view_source")
def library(request: StaffRequest) -> HttpResponse:
    """The filtered sources, newest first."""
    form = FilterForm(request.GET)
    sources = form.sources().select_related("topic").prefetch_related("labels")
    page = Paginator(sources, SOURCES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "section": "library",
        "form": form,
        "page": page,
        "rows": list(page.object_list),
        "topics": [(topic, str(topic.pk) == form.data.get("topic")) for topic in Topic.objects.all()],
        "kinds": [(value, name, value == form.data.get("kind")) for value, name in Kind.choices],
    }
    return render(request, "library/library.html", context)


@staff_may(POST="sources.change_source")
def change_labels(request: StaffRequest) -> HttpResponse:
    """Add the chosen labels to the selected sources, or remove them."""
    back = redirect(way_back(request, default=reverse("library")))
    form = BulkForm(request.POST)
    if not form.is_valid():
        for sentences in form.errors.values():
            messages.error(request, " ".join(map(str, sentences)))
        return back
    source_ids, choices = form.cleaned_data["sources"], form.chosen_labels
    if not source_ids:
        messages.warning(request, _("No sources were selected."))
    elif not choices:
        messages.warning(request, _("Choose a label first."))
    else:
        change = add_to_all if form.cleaned_data["action"] == "add" else remove_from_all
        try:
            _tell(request, change(source_ids, choices, by=request.user.get_username()))
        except Refusal as refusal:
            messages.error(request, refusal.detail)
    return back


def _tell(request: StaffRequest, outcome: LabelChangeCounts) -> None:
    changed, same, gone = outcome.changed, outcome.as_before, outcome.gone
    sentences = [ngettext("%d source was changed.", "%d sources were changed.", changed) % changed]
    if same:
        sentences.append(ngettext("%d was so already.", "%d were so already.", same) % same)
    if gone:
        sentences.append(ngettext("%d is not there any more.", "%d are not there any more.", gone) % gone)
    (messages.success if changed else messages.info)(request, " ".join(sentences))
