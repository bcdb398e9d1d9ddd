"""`/library/`: the sources, filtered and sorted, and as a file: CSV for people, JSON for programs.

A file is written row by row as it is read.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest.decisions import LABELS_LABEL
from ingest.documents.bulk import MAX_AT_ONCE
from ingest.documents.moving import pending_moves
from ingest.job_states import UNFINISHED
from ingest.library.listing import CHECKS, COLUMNS, NEWEST, SORTS, FilterForm
from ingest.models import Job
from ingest.review.undo import undoable
from ingest.similar.naming import similar_sources
from kb_project.api.openapi_files import TEXT, describe
from kb_project.errors import Invalid
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.web.origins import Absolute, absolute
from kb_project.web.streams import BOM, CONTENT_TYPE, csv_line, in_blocks, stream
from labels.serializers import SourceSerializer
from search.embedders import vector_notes
from search.embedders.vector_progress import progress
from sources.fields import FIELDS, DocumentField
from sources.kinds import SourceKind
from sources.models import Source
from sources.remarks import page_ranges
from topics.models import Topic
from topics.scoping import topics_to_choose, within_topics

SOURCES_A_PAGE = 50
FIRST_ASCENDING = ("title", "kind")
ROWS_AT_ONCE = 500
TYPES = {"csv": CONTENT_TYPE, "json": "application/json"}


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


def _value_of(field: DocumentField) -> Callable[[Source], str]:
    return lambda source: field.display(getattr(source, field.column))


FILE_COLUMNS: Mapping[str, tuple[Any, Callable[[Source], Any]]] = {
    "id": (gettext_lazy("Id"), lambda source: source.pk),
    **{field.column: (field.label, _value_of(field)) for field in FIELDS},
    "topic": (gettext_lazy("Topic"), lambda source: source.topic),
    "labels": (LABELS_LABEL, lambda source: ", ".join(label.name for label in source.labels.all())),
    "created_at": (gettext_lazy("Added on"), lambda source: localdate(source.created_at)),
    "pages": (gettext_lazy("Pages"), lambda source: source.pages),
    "unread_pages": (gettext_lazy("Pages not read"), lambda source: page_ranges(source.unread_pages or ())),
    "passages": (gettext_lazy("Pieces of text"), lambda source: source.chunk_count),
    "filename": (gettext_lazy("File"), lambda source: source.filename),
}
"""The columns of the CSV file: a name and a value."""


def export_response(request: HttpRequest, sources: QuerySet[Source], *, form: str) -> StreamingHttpResponse:
    """The sources as a file of this form, `csv` or `json`, in their order."""
    read = sources.select_related("topic").prefetch_related("labels__aliases").iterator(chunk_size=ROWS_AT_ONCE)
    written = written_csv(read, absolute(request)) if form == "csv" else written_json(request, read)
    name = f"library-{localdate():%Y-%m-%d}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return stream(request, in_blocks(written), content_type=TYPES[form], headers=headers)


def written_csv(sources: Iterable[Source], absolute: Absolute) -> Iterator[str]:
    """The lines of the file. The last column is the address of the source here."""
    yield BOM + csv_line([*(name for name, _value in FILE_COLUMNS.values()), _("Address")])
    for source in sources:
        address = absolute(reverse("library-source", args=[source.pk]))
        yield csv_line([*(value(source) for _name, value in FILE_COLUMNS.values()), address])


def written_json(request: HttpRequest, sources: Iterable[Source]) -> Iterator[str]:
    """A list of the API's sources, one in a line."""
    yield "["
    for number, source in enumerate(sources):
        shown = SourceSerializer(source, context={"request": request}).data
        yield (",\n" if number else "\n") + json.dumps(shown, cls=DjangoJSONEncoder, ensure_ascii=False)
    yield "\n]\n"
