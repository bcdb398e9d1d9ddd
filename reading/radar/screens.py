"""`/radar/`: documents that cite what was repealed, renumbered or changed since, by topic, kind and label."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy

from kb_project.api.openapi_files import describe
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import next_url
from kb_project.web.origins import absolute
from kb_project.web.streams import BOM, CONTENT_TYPE, csv_line
from reading.radar.listing import BECAME, shown, stale_in
from reading.radar.looking import look_at
from search.shown.access import counted, public_feed, public_page
from search.shown.faceting import MAX_VALUES, Counted, FacetForm
from sources.kinds import SourceKind
from sources.models import StaleReference
from topics.scoping import limits, visible_topics

ROWS_A_PAGE = 50
MAX_EXPORTED = 5_000
LOOKED = {"no": gettext_lazy("Not yet"), "yes": gettext_lazy("Looked at")}
COLUMNS = [
    gettext_lazy("Document"),
    gettext_lazy("Kind"),
    gettext_lazy("Provision"),
    gettext_lazy("Sentence"),
    gettext_lazy("Cites"),
    gettext_lazy("What became of it"),
    gettext_lazy("Since"),
    gettext_lazy("Should read"),
    gettext_lazy("Looked at"),
    gettext_lazy("Address"),
]


class RadarForm(FacetForm):
    """The query of the page and of its file."""

    kind = forms.ChoiceField(
        required=False,
        choices=[("", ""), *SourceKind.choices],
        error_messages={"invalid_choice": gettext_lazy("There is no such kind of document.")},
    )
    became = forms.ChoiceField(required=False, choices=[("", ""), *BECAME.items()])
    looked = forms.ChoiceField(required=False, choices=[("", ""), *LOOKED.items()])

    names: ClassVar[dict[str, Any]] = {
        "topic": gettext_lazy("Topic"),
        "became": gettext_lazy("What became of it"),
        "kind": gettext_lazy("Kind"),
        "label": gettext_lazy("Label"),
        "looked": gettext_lazy("Looked at"),
    }

    def all_rows(self) -> QuerySet[StaleReference]:
        return stale_in(self.topics.values())

    def conditions(self) -> Mapping[str, Q]:
        values = self.cleaned_data
        return {
            "topic": Q(source__topic=values["topic"]),
            "became": Q(became=values["became"]),
            "kind": Q(source__kind=values["kind"]),
            "label": Q(source__label_assignments__label=self.chosen_label),
            "looked": Q(looked_at__isnull=values["looked"] == "no"),
        }

    def name_of_chosen(self, name: str) -> Any:
        named: dict[str, Any] = {"kind": dict(SourceKind.choices), "became": BECAME, "looked": LOOKED}
        return named[name][self.cleaned_data[name]] if name in named else super().name_of_chosen(name)

    def counted(self, name: str) -> Sequence[Counted]:
        if name == "topic":
            return super().counted(name)
        rows = self.rows(without=name).order_by().prefetch_related(None)
        if name == "looked":
            looked = rows.filter(looked_at__isnull=False).count()
            counts = {"no": rows.count() - looked, "yes": looked}
            return [(value, LOOKED[value], count) for value, count in counts.items() if count]
        if name == "label":
            of = "source__label_assignments__label__"
            labelled = rows.filter(**{f"{of}isnull": False}).values_list(f"{of}slug", f"{of}name")
            return list(labelled.annotate(n=Count("pk", distinct=True)).order_by("-n", f"{of}name")[:MAX_VALUES])
        field, names = ("source__kind", dict(SourceKind.choices)) if name == "kind" else ("became", BECAME)
        counts = dict(rows.values_list(field).annotate(n=Count("pk")))
        return [(value, names[value], counts[value]) for value in names if value in counts]


def _form(request: HttpRequest) -> RadarForm:
    return RadarForm(
        request.GET,
        topics=visible_topics(request).defer("system_prompt_addendum"),
        labels_within=limits(request),
    )


@public_page
@counted
def radar(request: HttpRequest) -> HttpResponse:
    """What the filters leave, a page of it."""
    form = _form(request)
    context: dict[str, Any] = {"section": "radar", "form": form}
    if not form.is_valid():
        return render(request, "search/radar.html", context, status=400)
    page = Paginator(form.rows(), ROWS_A_PAGE).get_page(request.GET.get("page"))
    context["page"], context["rows"] = page, shown(list(page))
    context["file"] = reverse("radar-file") + form.address()
    return render(request, "search/radar.html", context)


describe(
    name="radar-file",
    media_type="text/csv",
    description="What the radar lists, at most 5,000 rows.",
    fields=lambda: RadarForm.base_fields,
    takes_keys=True,
)


@public_feed
@counted
def radar_file(request: HttpRequest) -> HttpResponseBase:
    """What the filters leave as a CSV file, at most `MAX_EXPORTED` rows."""
    form = _form(request)
    if not form.is_valid():
        return render(request, "search/radar.html", {"section": "radar", "form": form}, status=400)
    name = f"radar-{localdate():%Y-%m-%d}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse("".join(_lines(request, form)), content_type=CONTENT_TYPE, headers=headers)


def _lines(request: HttpRequest, form: RadarForm) -> Iterator[str]:
    to_address = absolute(request)
    yield BOM + csv_line(map(str, COLUMNS))
    for one in shown(list(form.rows()[:MAX_EXPORTED])):
        row = one.row
        yield csv_line(
            [
                row.source,
                row.source.get_kind_display(),
                one.number,
                one.text,
                one.cites,
                one.outcome,
                row.since,
                row.should_read,
                localdate(row.looked_at) if row.looked_at else None,
                to_address(one.url),
            ]
        )


@staff_may(POST="sources.change_source")
def radar_looked(request: StaffRequest, stale_id: int) -> HttpResponse:
    """Mark one as looked at, or take that back, and go back to the page."""
    looked, by = request.POST.get("looked") == "yes", request.user.get_username()
    look_at(stale_in(visible_topics(request)), stale_id, looked=looked, by=by)
    return redirect(next_url(request, default=reverse("radar")))
