"""`/documents/{id}/compare/{id}/`: what changed from one document to another, and `/documents/{id}/history/`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from kb_project.errors import TooLarge
from law.citations.provision_names import citation, name_of
from reading.compare.naming import change_name
from reading.works.screens import Versions
from search.shown.access import of_source
from sources import provisions
from sources.comparison import (
    ChangeKind,
    DiffRow,
    ProvisionChange,
    ProvisionText,
    ProvisionVersion,
    beside,
    compare_sources,
    history,
)
from sources.models import Source
from sources.provisions import address
from sources.templatetags.directions import direction
from topics.scoping import within_topics

CHANGES_A_PAGE = 50
MAX_NAMED = 1_000  # changes in the list above
MAX_STANDINGS = 100  # versions before a provision's own, and after it
AS_TEXT, AS_COLUMNS = "text", "columns"


@dataclass(frozen=True)
class NumberedChange:
    """A change with what it is called, and its place among all from 1."""

    number: int
    change: ProvisionChange
    name: str
    heading: str
    before_path: str
    after_path: str
    was: str
    history_path: str

    @property
    def page(self) -> int:
        return (self.number - 1) // CHANGES_A_PAGE + 1

    @property
    def kind(self) -> str:
        return self.change.kind.value

    @property
    def groups(self) -> list[tuple[bool, list[DiffRow]]]:
        """The lines, those in a row together that are the same or not."""
        before, after = self.change.before, self.change.after
        return grouped_lines(before.text if before else "", after.text if after else "")


def grouped_lines(before: str, after: str) -> list[tuple[bool, list[DiffRow]]]:
    """The lines of two wordings, those in a row together that are the same or not."""
    return [(same, list(group)) for same, group in groupby(beside(before, after), key=attrgetter("same"))]


@of_source
def compare(request: HttpRequest, source: Source, *, other_id: int) -> HttpResponse:
    """The changes in the order of the later document. `view` is `columns`, or `text` for one text with words marked."""
    other = within_topics(Source.objects.select_related("topic"), request).filter(pk=other_id).first()
    if other is None:
        return render(request, "search/document_gone.html", status=404)
    context: dict[str, Any] = {"source": other, "before": source, "after": other}
    if source.work_id == other.work_id:
        context["versions"] = Versions.of(other)
    try:
        context |= shown_changes(request, compare_sources(source.pk, other.pk), before=source, after=other)
    except TooLarge as refusal:
        return render(request, "search/compare.html", context | {"refusal": refusal.detail}, status=refusal.status)
    return render(request, "search/compare.html", context)


def shown_changes(
    request: HttpRequest, found: Sequence[ProvisionChange], *, before: Source, after: Source
) -> dict[str, Any]:
    """What `templates/search/_changes.html` takes. `after` may be a document that is not stored."""
    changes = [_shown(number, one, before=before, after=after) for number, one in enumerate(found, 1)]
    page = Paginator(changes, CHANGES_A_PAGE).get_page(request.GET.get("page"))
    return {
        "view": AS_COLUMNS if request.GET.get("view") == AS_COLUMNS else AS_TEXT,
        "page": page,
        "named": changes[:MAX_NAMED],
        "unnamed": max(len(changes) - MAX_NAMED, 0),
        "counts": _counts(changes),
        "direction": direction(" ".join(one.change.shown.text for one in page)),
    }


@of_source
def compare_with_before(request: HttpRequest, source: Source) -> HttpResponse:
    """Leads to the comparison with the version before, or to that of the versions that `before` and `after` name."""
    versions = Versions.of(source)
    named = {str(one.pk): one for one in versions.every}
    before = named.get(request.GET.get("before", "")) or versions.before
    after = named.get(request.GET.get("after", "")) or source
    if before is None:
        raise Http404
    return redirect("document-compare", before.pk, after.pk)


def _counts(changes: Sequence[NumberedChange]) -> list[tuple[str, int]]:
    """How many changes of each kind there are."""
    counted = Counter(one.change.kind for one in changes)
    return [(kind.value, counted[kind]) for kind in ChangeKind if counted[kind]]


def _shown(number: int, change: ProvisionChange, *, before: Source, after: Source) -> NumberedChange:
    shown, same_work = change.shown, before.work_id == after.work_id
    moved = change.kind is ChangeKind.MOVED and change.before
    return NumberedChange(
        number=number,
        change=change,
        name=change_name(shown, after if change.after else before),
        heading=shown.heading if shown.number else "",
        before_path=_path(before, change.before),
        after_path=_path(after, change.after),
        was=name_of(moved, source=before) if moved and moved.number != shown.number else "",
        history_path=_history_path(after if change.after else before, shown.eid) if same_work and shown.eid else "",
    )


def _path(source: Source, text: ProvisionText | None) -> str:
    """Where the provision is read, or '' for what has no address, or stands in a document that is not stored."""
    return address(source.pk, text.eid) if source.pk and text and text.eid else ""


def _history_path(source: Source, eid: str) -> str:
    return f"{reverse('document-history', args=[source.pk])}?{urlencode({'eid': eid})}"


@dataclass(frozen=True)
class ShownStanding:
    """A provision in some versions, with the lines in which it differs from the versions before."""

    standing: ProvisionVersion
    before: ProvisionVersion | None
    is_last: bool

    @property
    def first(self) -> Source:
        return self.standing.versions[0]

    @property
    def last(self) -> Source:
        return self.standing.versions[-1]

    @property
    def what(self) -> str:
        """What became of the provision when these versions came."""
        if self.standing.text is None:
            return ChangeKind.REMOVED
        if self.before is None:
            return "first"
        if self.before.text is None:
            return ChangeKind.ADDED
        return ChangeKind.MOVED if self.before.text.number != self.standing.text.number else ChangeKind.CHANGED

    @property
    def name(self) -> str:
        """What the provision is called in these versions."""
        return name_of(self.standing.text, source=self.first) if self.standing.text else ""

    @property
    def path(self) -> str:
        return address(self.first.pk, self.standing.text.eid if self.standing.text else "")

    @property
    def groups(self) -> list[tuple[bool, list[DiffRow]]]:
        """The lines, with marked words only where there was another wording before."""
        text, before = self.standing.text, self.before.text if self.before else None
        if text is None or before is None:
            return [(False, beside(text.text, text.text))] if text else []
        return grouped_lines(before.text, text.text)


@of_source
def provision_history(request: HttpRequest, source: Source) -> HttpResponse:
    """In which versions of its work the provision `eid` stands, and with which words. The last one first."""
    provision = provisions.in_order(source.pk).filter(eid=request.GET.get("eid", "").replace("\0", "")).first()
    if provision is None:
        raise Http404
    versions = Versions.of(source)
    every, place = ([source], 0) if versions.place is None else (versions.every, versions.place)
    context = {
        "source": source,
        "cited": citation(provision, source=source, label=provision.heading),
        "path": address(source.pk, provision.eid),
    }
    try:
        found = history(provision, every[max(place - MAX_STANDINGS, 0) : place + MAX_STANDINGS + 1])
    except TooLarge as refusal:
        return render(request, "search/history.html", context | {"refusal": refusal.detail}, status=refusal.status)
    context["standings"] = list(_standings(found))[::-1]
    context["direction"] = direction(" ".join(one.text.text for one in found if one.text))
    return render(request, "search/history.html", context)


def _standings(found: Sequence[ProvisionVersion]) -> Iterator[ShownStanding]:
    """Those from the first version on that has the provision."""
    first = next(at for at, one in enumerate(found) if one.text)
    for at, one in enumerate(found[first:], first):
        yield ShownStanding(one, found[at - 1] if at else None, at == len(found) - 1)
