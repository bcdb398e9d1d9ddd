"""`/library/`: the sources, filtered, and labels for many of them at once."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ingest.forms import ISO_DATE, BulkForm
from ingest.library.edit import LabelChangeCounts, add_to_all, remove_from_all
from kb_project.errors import Refusal
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import way_back
from kb_project.screens.forms import PublishedForm
from labels.api.sources import filtered
from labels.models import Label
from labels.naming import named_label
from labels.slugs import MAX_NAME_LENGTH, clean_name
from sources.kinds import Kind
from sources.models import Source
from topics.models import Topic

SOURCES_A_PAGE = 50


class FilterForm(PublishedForm):
    """The query of the page."""

    q = forms.CharField(required=False, max_length=200)
    topic = forms.ModelChoiceField(required=False, queryset=Topic.objects.all())
    kind = forms.ChoiceField(required=False, choices=[("", ""), *Kind.choices])
    label = forms.CharField(required=False, max_length=200)
    label_name = forms.CharField(required=False, max_length=MAX_NAME_LENGTH)
    published_from = forms.DateField(required=False, input_formats=ISO_DATE)
    published_to = forms.DateField(required=False, input_formats=ISO_DATE)

    chosen_label: Label | None = None

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        slug, name = values.get("label") or "", clean_name(values.get("label_name") or "")
        if slug or name:
            self.chosen_label = named_label(slug, name)
            if self.chosen_label is None:
                self.add_error("label_name", gettext_lazy("There is no such label."))
        return values

    @property
    def is_set(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def sources(self) -> QuerySet[Source]:
        """The filtered sources, newest first; none when the form is not valid."""
        if not self.is_valid():
            return Source.objects.none()
        values = self.cleaned_data
        query = {name: values[name] for name in ("kind", "q") if values[name]}
        if self.chosen_label is not None:
            query["label_id"] = self.chosen_label.pk
        sources = filtered(Source.objects.all(), query, topic=values["topic"])
        if values["published_from"]:
            sources = sources.filter(published_at__gte=values["published_from"])
        if values["published_to"]:
            sources = sources.filter(published_at__lte=values["published_to"])
        return sources.order_by("-id")


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
