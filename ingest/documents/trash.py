"""The trash: what a person deleted on a screen is out of every search at once, and can be put back for some days."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from ingest.decisions import labels_of
from ingest.documents.edit import delete
from ingest.documents.reindex import queue
from ingest.models import Job
from ingest.similar.duplicates import holder_of
from ingest.webhook_events import source_was_published
from kb_project import audit
from kb_project.errors import NotFound
from labels import assign, locks
from sources.files import deletions
from sources.models import Source, TrashedSource
from sources.models.trash import row_of
from sources.works import keeping
from sources.works.keeping import VersionOverlap

EMPTIED_AT_ONCE = 1_000


def throw_away(source_id: int, *, by: str) -> None:
    """Delete a source as `edit.delete` does, but keep what it takes to put it back. Raises `NotFound`."""
    if not settings.KB_TRASH_DAYS:
        delete(source_id, by=by)
        return
    with transaction.atomic():
        locks.share()
        keeping.lock_work_of(source_id)
        source = locks.source(source_id)
        TrashedSource.objects.create(
            source_id=source.pk,
            topic_id=source.topic_id,
            title=str(source),
            file_key=source.file_key,
            size=source.size,
            row=row_of(source),
            labels=[[label.slug, label.name] for label in source.labels.order_by("slug")],
            jobs=[str(pk) for pk in Job.objects.filter(source=source, reindex=False).values_list("pk", flat=True)],
            neighbour=_neighbour(source),
            deleted_by=by,
        )
        delete(source_id, by=by, keeps_file=True)


def restore(source_id: int, *, by: str) -> Job:
    """Put a source back under its id, with its fields, labels and file; the job that indexes it again.

    It is a version of its former work again, if that is there and nothing else is in force on its days, else one of its
    own. Raises `NotFound` for what is not in the trash.
    """
    with transaction.atomic():
        locks.share()
        trashed = _locked(source_id)
        was = trashed.as_source()
        # The same bytes may have come since: then both stay.
        twin = bool(was.content_sha256) and holder_of(topic=trashed.topic, sha256=was.content_sha256) is not None
        source = _made_again(was, neighbour=trashed.neighbour, by=by)
        chosen = [{"slug": slug, "name": name} for slug, name in trashed.labels]
        assign.start_with(source, labels_of({"labels": chosen}, by=by))
        jobs = {"source": source, "file_key": source.file_key, **({"allow_duplicate": True} if twin else {})}
        Job.objects.filter(pk__in=trashed.jobs, source__isnull=True).update(**jobs)
        trashed.delete()
        audit.record(
            by=by, action="source.restore", thing=source, after={"title": source.title}, topic_id=source.topic_id
        )
        source_was_published(source)
        job, _made = queue(source, by=by, why="put back")
    return job


def destroy(source_id: int, *, by: str) -> None:
    """Delete for good what is in the trash, with its file. Raises `NotFound`."""
    with transaction.atomic():
        trashed = _locked(source_id)
        before, topic_id = {"title": trashed.title}, trashed.topic_id
        audit.record(by=by, action="source.destroy", thing=trashed.as_source(), before=before, topic_id=topic_id)
        deletions.request(trashed.file_key)
        trashed.delete()


def empty() -> int:
    """Let go of what has been in the trash for `KB_TRASH_DAYS`. Returns how many sources."""
    old = TrashedSource.objects.filter(deleted_at__lt=Now() - timedelta(days=settings.KB_TRASH_DAYS))
    gone = list(old.order_by("deleted_at").values_list("pk", flat=True)[:EMPTIED_AT_ONCE])
    for source_id in gone:
        with transaction.atomic():
            trashed = TrashedSource.objects.select_for_update().filter(pk=source_id).first()
            if trashed is not None:
                deletions.request(trashed.file_key)
                trashed.delete()
    return len(gone)


def _neighbour(source: Source) -> int | None:
    others = Source.objects.filter(work_id=source.work_id).exclude(pk=source.pk)
    return others.order_by("pk").values_list("pk", flat=True).first()


def _locked(source_id: int) -> TrashedSource:
    found = TrashedSource.objects.select_for_update(of=("self",)).select_related("topic").filter(pk=source_id).first()
    if found is None:
        raise NotFound(_("There is no such source in the trash."))
    return found


def _made_again(was: Source, *, neighbour: int | None, by: str) -> Source:
    """The stored source, without passages."""
    columns = {
        field.attname: getattr(was, field.attname)
        for field in Source._meta.concrete_fields
        if field.attname not in ("work_id", "topic_id", "chunk_count")
    }
    work_id = None
    if neighbour is not None and Source.objects.filter(pk=neighbour, topic_id=was.topic_id).exists():
        work_id = keeping.lock_work_of(neighbour)
    if work_id is not None:
        try:
            with transaction.atomic():
                return keeping.add(work_id, by=by, topic_id=was.topic_id, **columns)
        except VersionOverlap:
            pass  # another version took its days meanwhile
    return Source.objects.create(topic_id=was.topic_id, **columns)
