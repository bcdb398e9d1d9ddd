"""Which changes are asked for: by topic, label and work."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from labels.models import SourceLabel
from reading.changes.shown import shown
from search.shown.access import counted, public_page
from search.shown.faceting import MAX_VALUES, Counted, FacetForm
from sources.changes.listing import changes_in
from sources.models import Change, Source, Work
from topics.scoping import limits, topics_to_choose

MAX_ID = 2**63 - 1


class ChangesForm(FacetForm):
    """The query of the page and of its feed. A label is of a work if any version of it has it."""

    work = forms.IntegerField(required=False, min_value=1, max_value=MAX_ID)

    names: ClassVar[dict[str, Any]] = {
        "topic": gettext_lazy("Topic"),
        "label": gettext_lazy("Label"),
        "work": gettext_lazy("Document"),
    }
    chosen_work: Work | None = None

    def clean_work(self) -> int | None:
        wanted: int | None = self.cleaned_data["work"]
        if wanted:
            self.chosen_work = Work.objects.filter(pk=wanted, topic__in=self.topics.values()).first()
            if self.chosen_work is None:
                raise forms.ValidationError(_("There is no such work."))
        return wanted

    def all_rows(self) -> QuerySet[Change]:
        return changes_in(self.topics.values())

    def conditions(self) -> Mapping[str, Q]:
        labelled = SourceLabel.objects.filter(label=self.chosen_label, source__work=OuterRef("source__work"))
        return {
            "topic": Q(source__topic=self.cleaned_data["topic"]),
            "label": Q(Exists(labelled)),
            "work": Q(source__work=self.chosen_work),
        }

    def name_of_chosen(self, name: str) -> Any:
        return str(self.chosen_work) if name == "work" else super().name_of_chosen(name)

    def counted(self, name: str) -> Sequence[Counted]:
        if name == "topic":
            return super().counted(name)
        changes = self.rows(without=name).order_by()
        if name == "work":
            works = changes.values_list("source__work", "source__work__title").annotate(n=Count("pk"))
            return [
                (pk, title or f"#{pk}", n) for pk, title, n in works.order_by("-n", "source__work__title")[:MAX_VALUES]
            ]
        of_work = "source__work__versions__label_assignments__label__"
        labelled = changes.filter(**{f"{of_work}isnull": False}).values_list(f"{of_work}slug", f"{of_work}name")
        labels = labelled.annotate(n=Count("pk", distinct=True)).order_by("-n", f"{of_work}name")
        return sorted(labels[:MAX_VALUES], key=lambda row: row[0] != self.cleaned_data["label"])


CHANGES_A_PAGE = 50


@public_page
@counted
def changes(request: HttpRequest) -> HttpResponse:
    """The changes that the filters leave, a page of them, and the address of their feed."""
    form = ChangesForm(request.GET, topics=topics_to_choose(request), labels_within=limits(request))
    context = {"section": "changes", "form": form}
    if not form.is_valid():
        return render(request, "search/changes.html", context, status=400)
    sources = Source.objects.with_followed().select_related("topic").prefetch_related("labels")
    found = form.rows().prefetch_related(Prefetch("source", sources))
    page = Paginator(found, CHANGES_A_PAGE).get_page(request.GET.get("page"))
    context["page"], context["changes"] = page, shown(page, today=timezone.localdate())
    context["feed"] = form.address(language=request.LANGUAGE_CODE)
    return render(request, "search/changes.html", context)
