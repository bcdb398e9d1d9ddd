"""The same bytes in a topic: who holds them, and the refusal of another copy."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from ingest.models import Job
from kb_project.errors import Conflict
from kb_project.isolates import isolated
from sources.models import Source
from topics.models import Topic

CONTENT_ONCE = "kb_ingest_job_content_once"  # the unique index that simultaneous uploads violate


class DuplicateDocument(Conflict):
    """The same bytes are in the topic already. `extra` names the source or job that holds them.

    `field` is what takes them in all the same, where a person is asked.
    """

    code = "duplicate_document"
    title = "Duplicate document"

    def __init__(self, holder: Source | Job, *, field: str = "") -> None:
        if isinstance(holder, Source):
            sentence = _("The same bytes are already in the topic as source %(id)s, “%(title)s”.")
            values = {"id": holder.pk, "title": isolated(holder)}
        else:
            sentence = _("The same bytes are already in the topic as the file of job %(id)s, which is %(state)s.")
            values = {"id": holder.pk, "state": holder.state, "filename": holder.filename}
        errors = {field: [_("Tick this to take the file in anyway.")]} if field else None
        super().__init__(sentence % values, errors=errors, **duplicate_reference(holder))


def find_duplicate(*, topic: Topic, sha256: str, besides: UUID | None = None) -> Source | Job | None:
    """The source of the topic that has these bytes, else the job that holds them, if any."""
    source = Source.objects.filter(topic=topic, content_sha256=sha256).order_by("id").first()
    if source is not None:
        return source
    holders = Job.objects.holding_content(topic=topic, sha256=sha256).order_by("created_at")
    return (holders.exclude(pk=besides) if besides else holders).first()


def raise_if_duplicate(*, topic: Topic, sha256: str, besides: UUID | None = None) -> None:
    """Raise `DuplicateDocument` when a source or another job of the topic holds these bytes."""
    holder = find_duplicate(topic=topic, sha256=sha256, besides=besides)
    if holder is not None:
        raise DuplicateDocument(holder)


def duplicate_reference(holder: Source | Job) -> dict[str, Any]:
    """`{"source_id"}` or `{"job_id"}`, as the API names a twin."""
    return {"source_id": holder.pk} if isinstance(holder, Source) else {"job_id": str(holder.pk)}
