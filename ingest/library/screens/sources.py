"""`/library/`: the sources, filtered and sorted, and as a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from ingest.documents.bulk import MAX_AT_ONCE
from ingest.documents.moving import pending_moves
from ingest.job_states import UNFINISHED
from ingest.library.export import TYPES, export_response
from ingest.library.listing import CHECKS, COLUMNS, NEWEST, SORTS, FilterForm
from ingest.models import Job
from ingest.review.undo import undoable
from ingest.similar.naming import similar_sources
from kb_project.api.openapi_files import TEXT, describe
from kb_project.errors import Invalid
from kb_project.screens.access import StaffRequest, staff_may
from search.embedders import vector_notes
from search.embedders.vector_progress import progress
from sources.kinds import SourceKind
from sources.models import Source
from topics.models import Topic
from topics.scoping import topics_to_choose, within_topics

SOURCES_A_PAGE = 50
FIRST_ASCENDING = ("title", "kind")


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source, the topic it is about to be moved to, and what it is nearly the same as."""

    source: Source
    moves_to: Topic | None
    similar: list[Source]


@dataclass(frozen=True, slots=True)
class ColumnHeading:
    """The heading of a column: `sort` is what a click on it asks for, `direction` the value of aria-sort."""

    name: Any
    sort: str
    direction: str


@staff_may(GET="sources.view_source")
def library(request: StaffRequest) -> HttpResponse:
    """The sources that the filter finds. With `all`, they are selected."""
    form = FilterForm(request.GET, request)
    sources = form.sources().select_related("topic").prefetch_related("labels")
    page = Paginator(sources, SOURCES_A_PAGE).get_page(request.GET.get("page"))
    count = page.paginator.count
    context = {
        "section": "library",
        "undoes": undoable(request, within=reverse("library")),
        "form": form,
        "page": page,
        "rows": rows_of(page.object_list),
        "meaning": progress() if vector_notes.exist() else None,
        "headings": {name: heading(name, form.order) for name in COLUMNS},
        "sorts": [_choice(sort, form.order) for sort in SORTS],
        "most": MAX_AT_ONCE,
        "selectable": page.paginator.num_pages > 1 and count <= MAX_AT_ONCE,
        "selected": _ids(form) if "all" in request.GET and count <= MAX_AT_ONCE else [],
        "reindexing": within_topics(Job.objects.filter(reindex=True, status__in=UNFINISHED), request).count(),
        "topics": [(topic, str(topic.pk) == form.data.get("topic")) for topic in topics_to_choose(request)],
        "checks": [(value, name, value == form.data.get("check")) for value, (name, _fits) in CHECKS.items()],
        "kinds": [(value, name, value == form.data.get("kind")) for value, name in SourceKind.choices],
    }
    return render(request, "library/library.html", context)


for _form, _of in (("csv", TEXT), ("json", {"type": "array", "items": {"$ref": "#/components/schemas/Source"}})):
    describe(
        name=f"library-{_form}",
        media_type=TYPES[_form].partition(";")[0],
        description="The sources that a filter of the library finds.",
        fields=lambda: FilterForm(QueryDict()).fields,
        schema=_of,
    )


@staff_may(GET="sources.view_source")
def export(request: StaffRequest, form: str) -> HttpResponseBase:
    """What the filter finds as a file."""
    chosen = FilterForm(request.GET, request)
    if not chosen.is_valid():
        raise Invalid(" ".join(str(error) for errors in chosen.errors.values() for error in errors))
    return export_response(request, chosen.sources(), form=form)


def rows_of(sources: Iterable[Source]) -> list[SourceRow]:
    """The rows of one page, with the same number of queries for any number of sources."""
    found = list(sources)
    ids = [source.pk for source in found]
    moving, similar = pending_moves(ids), similar_sources(ids)
    return [SourceRow(source, moving.get(source.pk), similar.get(source.pk, [])) for source in found]


def heading(name: str, order: str) -> ColumnHeading:
    """The heading of a column in a list of this order."""
    descending = order == f"-{name}" or (order != name and name in FIRST_ASCENDING)
    direction = {name: "ascending", f"-{name}": "descending"}.get(order, "")
    return ColumnHeading(COLUMNS[name][1], name if descending else f"-{name}", direction)


def _choice(sort: str, order: str) -> tuple[str, Any, str, bool]:
    """A sort as the list of narrow windows offers it: value, name, arrow, and whether it is the present one."""
    name, arrow = COLUMNS[sort.removeprefix("-")][1], "↓" if sort.startswith("-") else "↑"
    return "" if sort == NEWEST else sort, name, arrow, sort == order


def _ids(form: FilterForm) -> list[int]:
    return list(form.sources().values_list("pk", flat=True)[:MAX_AT_ONCE])
