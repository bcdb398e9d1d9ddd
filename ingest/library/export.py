"""The sources that a filter finds as a file: CSV for people, JSON for programs. Written row by row as it is read."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest.decisions import LABELS_LABEL
from kb_project.web.origins import Absolute, absolute
from kb_project.web.streams import BOM, CONTENT_TYPE, csv_line, in_blocks, stream
from labels.serializers import SourceSerializer
from sources.fields import FIELDS, DocumentField
from sources.models import Source
from sources.remarks import page_ranges

ROWS_AT_ONCE = 500
TYPES = {"csv": CONTENT_TYPE, "json": "application/json"}


def _value_of(field: DocumentField) -> Callable[[Source], str]:
    return lambda source: field.display(getattr(source, field.column))


COLUMNS: Mapping[str, tuple[Any, Callable[[Source], Any]]] = {
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
    yield BOM + csv_line([*(name for name, _value in COLUMNS.values()), _("Address")])
    for source in sources:
        address = absolute(reverse("library-source", args=[source.pk]))
        yield csv_line([*(value(source) for _name, value in COLUMNS.values()), address])


def written_json(request: HttpRequest, sources: Iterable[Source]) -> Iterator[str]:
    """A list of the API's sources, one in a line."""
    yield "["
    for number, source in enumerate(sources):
        shown = SourceSerializer(source, context={"request": request}).data
        yield (",\n" if number else "\n") + json.dumps(shown, cls=DjangoJSONEncoder, ensure_ascii=False)
    yield "\n]\n"
