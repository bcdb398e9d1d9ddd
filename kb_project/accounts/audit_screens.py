"""`/audit/`: who did what to what, by person, object and day, and the same as a CSV file."""

import json
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from kb_project.audit import thing_of, verb_of
from kb_project.models import AuditEntry
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.web.streams import BOM, CONTENT_TYPE, csv_line, in_blocks, stream

ENTRIES_A_PAGE = 50
MAX_EXPORTED = 50_000  # the newest
MAX_FILTER_LENGTH = 200  # characters
MAX_ID = 2**63 - 1
SEES = "kb_project.view_auditentry"


class AuditFilter(forms.Form):
    """What is looked for, and the entry below which an older page begins."""

    who = forms.CharField(label=gettext_lazy("Who"), required=False, max_length=MAX_FILTER_LENGTH)
    what = forms.CharField(
        label=gettext_lazy("What: a name, a number or an action"), required=False, max_length=MAX_FILTER_LENGTH
    )
    first = forms.DateField(label=gettext_lazy("From"), required=False, widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label=gettext_lazy("To"), required=False, widget=forms.DateInput({"type": "date"}))
    before = forms.IntegerField(required=False, min_value=1, max_value=MAX_ID, widget=forms.HiddenInput)

    def found(self) -> QuerySet[AuditEntry]:
        """The entries, the newest first. None for a filter that cannot be read."""
        if not self.is_valid():
            return AuditEntry.objects.none()
        asked = self.cleaned_data
        entries = AuditEntry.objects.order_by("-id")
        if asked["who"]:
            entries = entries.filter(by__icontains=asked["who"])
        if what := asked["what"]:
            named = Q(object_name__icontains=what) | Q(object_id=what) | Q(action__istartswith=what)
            entries = entries.filter(named)
        if asked["first"]:
            entries = entries.filter(at__gte=timezone.make_aware(datetime.combine(asked["first"], time.min)))
        if asked["last"]:
            # From the end of the day back: the last day that there is has none after it.
            entries = entries.filter(at__lte=timezone.make_aware(datetime.combine(asked["last"], time.max)))
        return entries.filter(pk__lt=asked["before"]) if asked["before"] else entries


@staff_may(GET=SEES)
def audit_log(request: StaffRequest) -> HttpResponse:
    """A page of it. No page is counted, however long the log is."""
    form = AuditFilter(request.GET)
    rows = list(form.found()[: ENTRIES_A_PAGE + 1])
    entries = rows[:ENTRIES_A_PAGE]
    context = {
        "section": "audit",
        "form": form,
        "rows": [(entry, verb_of(entry.action), thing_of(entry.action), changes_of(entry)) for entry in entries],
        "older": entries[-1].pk if len(rows) > ENTRIES_A_PAGE else None,
    }
    return render(request, "accounts/audit.html", context, status=200 if form.is_valid() else 400)


@staff_may(GET=SEES)
def export(request: StaffRequest) -> HttpResponseBase:
    """The newest entries that the filter finds."""
    name = f"audit-{timezone.localdate():%Y-%m-%d}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    found = AuditFilter(request.GET).found()[:MAX_EXPORTED]
    return stream(request, in_blocks(_lines(found)), content_type=CONTENT_TYPE, headers=headers)


def _lines(entries: QuerySet[AuditEntry]) -> Iterator[str]:
    fields = ("at", "by", "action", "object_type", "object_name", "object_id", "topic_id")
    names = [str(AuditEntry._meta.get_field(field).verbose_name) for field in fields]  # type: ignore[union-attr]
    yield BOM + csv_line([*names, gettext("before"), gettext("after")])
    for entry in entries.iterator(chunk_size=500):
        changed = (json.dumps(value, ensure_ascii=False) if value else "" for value in (entry.before, entry.after))
        at = timezone.localtime(entry.at).isoformat(timespec="seconds")
        yield csv_line([at, *(getattr(entry, field) for field in fields[1:]), *changed])


def changes_of(entry: AuditEntry) -> list[tuple[str, str, str]]:
    """Field, value before and value after, as a person reads them."""
    return [
        (gettext(name.replace("_", " ")), _shown(entry.before.get(name)), _shown(entry.after.get(name)))
        for name in dict.fromkeys([*entry.before, *entry.after])
    ]


def _shown(value: Any) -> str:
    if value is None or value == "" or value == []:
        return "–"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list) and not any(isinstance(part, dict | list) for part in value):
        return ", ".join(str(part) for part in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
