"""`/works/{id}/`: the text of a work that was in force on a day, and its versions on the pages that show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from search.shown.access import counted, public_page
from search.shown.forms import ISO
from search.shown.law_day import law_day
from sources.models import Source, Work
from topics.scoping import within_topics


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of a work in the order of their days, with the place of the one that is shown, if one is."""

    work_id: int
    every: Sequence[Source]
    place: int | None = None

    @classmethod
    def of(cls, source: Source) -> Versions:
        """Those of a source's work."""
        every = list(Source.objects.versions_of(source.work_id))
        return cls(source.work_id, every, next((at for at, one in enumerate(every) if one.pk == source.pk), None))

    def at(self, day: date) -> Source | None:
        """The one in force on a day."""
        return next((one for one in self.every if one.days.hold(day)), None)

    @property
    def today(self) -> Source | None:
        return self.at(timezone.localdate())

    @property
    def shown(self) -> Source | None:
        return None if self.place is None else self.every[self.place]

    @property
    def before(self) -> Source | None:
        """The one before that which is shown."""
        return self.every[self.place - 1] if self.place else None

    @property
    def after(self) -> Source | None:
        """The one after that which is shown."""
        return None if self.place is None else next(iter(self.every[self.place + 1 :]), None)


class DayForm(forms.Form):
    as_of = forms.DateField(required=False, input_formats=ISO)


@public_page
@counted
def work(request: HttpRequest, work_id: int) -> HttpResponse:
    """Leads to the version in force on the day `as_of`, by default today. Without one a page that names all versions.

    What follows `#` in the address is kept: browsers carry it along.
    """
    found = within_topics(Work.objects.select_related("topic"), request).filter(pk=work_id).first()
    if found is None:
        return render(request, "search/document_gone.html", status=404)
    form = DayForm(request.GET)
    versions = Versions(work_id, list(Source.objects.versions_of(work_id)))
    understood = form.is_valid()
    day = (form.cleaned_data["as_of"] if understood else None) or law_day(request) or timezone.localdate()
    if understood and (version := versions.at(day)):
        return redirect("document", version.pk)
    context = {"section": "documents", "work": found, "versions": versions, "form": form, "day": day}
    return render(request, "search/work.html", context, status=200 if understood else 400)
