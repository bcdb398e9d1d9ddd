"""Delete a source: its chunks, labels and counts in one transaction, then its file."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from ingest.jobs import transitions
from ingest.jobs.states import Arrow
from ingest.library.reindex import live_reindexes
from ingest.models import Job
from kb_project import audit
from labels import assign, locks
from search.index import engine
from sources import deletions
from sources.fields import DocumentFields
from sources.models import Source

SOURCE_DELETED = "source_deleted"


def delete(source_id: int, *, by: str) -> None:
    """Delete the source; once this returns, no search finds anything of it. Raises `NotFound`.

    A worker that is indexing it again loses its job and drops what it made. The bytes may be uploaded anew.
    """
    with transaction.atomic():
        locks.share()
        source = locks.source(source_id)
        before = _what_goes(source) | {"labels": assign.release(source)}
        audit.record(by=by, action="source.delete", thing=source, before=before, topic_id=source.topic_id)
        for job in live_reindexes(source).select_for_update().order_by("pk"):
            transitions.move(
                job.pk,
                Arrow.FAIL,
                by=by,
                why=SOURCE_DELETED,
                error_code=SOURCE_DELETED,
                error_message="The source was deleted.",
            )
        Job.objects.filter(source=source).exclude(file_key="").update(file_key="")
        engine().withdraw(source.pk)
        deletions.request(source.file_key)
        source.delete()


def _what_goes(source: Source) -> dict[str, Any]:
    names = ("created_at", "filename", "content_sha256", "size", "pages", "chunk_count")
    return DocumentFields.of_source(source).columns() | {name: getattr(source, name) for name in names}
