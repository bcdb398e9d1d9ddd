"""The trash: what a person deleted on a screen is out of every search at once, and can be put back for some days."""

from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from ingest.decisions import get_or_create_labels
from ingest.documents.edit import delete
from ingest.documents.reindex import queue
from ingest.job_states import JobStatus
from ingest.jobs import claims
from ingest.models import Job
from kb_project import audit
from kb_project.errors import NotFound
from labels import assign, locks
from sources import work_versions
from sources.files import deletions
from sources.models import Source, TrashedSource, Work
from sources.models.trash import row_of
from sources.work_versions import VersionOverlap

EMPTIED_AT_ONCE = 1_000


def throw_away(source_id: int, *, by: str) -> None:
    """Delete a source as `edit.delete` does, but keep what it takes to put it back. Raises `NotFound`."""
    if not settings.KB_TRASH_DAYS:
        delete(source_id, by=by)
        return
    with transaction.atomic():
        locks.lock_shared()
        work_versions.lock_work_of(source_id)
        source = locks.source(source_id)
        TrashedSource.objects.create(
            source_id=source.pk,
            topic_id=source.topic_id,
            title=str(source),
            file_key=source.file_key,
            size=source.size,
            row=row_of(source),
            labels=[[label.slug, label.name] for label in source.labels.order_by("slug")],
            jobs=[str(pk) for pk in _jobs_of(source).values_list("pk", flat=True)],
            deleted_by=by,
        )
        delete(source_id, by=by, keeps_file=True)


def restore(source_id: int, *, by: str) -> Job:
    """Put a source back under its id, with its fields, labels and file. Gives the job that indexes it again.

    It is a version of its former work again, unless another one is in force on its days by now: then it has one of its
    own. Raises `NotFound` for what is not in the trash.
    """
    with transaction.atomic():
        locks.lock_shared()
        trashed = _locked(source_id)
        source = _made_again(trashed, by=by)
        chosen = [{"slug": slug, "name": name} for slug, name in trashed.labels]
        assign.start_with(source, get_or_create_labels({"labels": chosen}, by=by))
        # The same bytes may have come since, or be coming: then both stay.
        jobs = Job.objects.filter(pk__in=trashed.jobs, status=JobStatus.DONE, source__isnull=True)
        jobs.update(source=source, file_key=source.file_key, allow_duplicate=True)
        trashed.delete()
        audit.record(
            by=by,
            action="source.restore",
            thing=source,
            before={"work_id": trashed.row["work_id"]},
            after={"work_id": source.work_id, "title": source.title},
            topic_id=source.topic_id,
        )
        job, _made = queue(source, by=by, why="put back")
    return job


def destroy(source_id: int, *, by: str) -> None:
    """Delete for good what is in the trash, with its file. Raises `NotFound`."""
    with transaction.atomic():
        _let_go(_locked(source_id), by=by)


def empty() -> int:
    """Let go of what has been in the trash for `KB_TRASH_DAYS`. Returns how many sources."""
    old = TrashedSource.objects.filter(deleted_at__lt=Now() - timedelta(days=settings.KB_TRASH_DAYS))
    let_go = 0
    for source_id in list(old.order_by("deleted_at").values_list("pk", flat=True)[:EMPTIED_AT_ONCE]):
        with transaction.atomic():
            # It may have been put back, and thrown away anew.
            trashed = old.select_for_update(of=("self",)).filter(pk=source_id).first()
            if trashed is not None:
                _let_go(trashed, by=claims.WORKER)
                let_go += 1
    return let_go


def _let_go(trashed: TrashedSource, *, by: str) -> None:
    before, topic_id = {"title": trashed.title}, trashed.topic_id
    audit.record(by=by, action="source.destroy", thing=trashed.as_source(), before=before, topic_id=topic_id)
    deletions.delete_on_commit(trashed.file_key)
    trashed.delete()


def _jobs_of(source: Source) -> QuerySet[Job]:
    """Those whose file is the source's own: not that of a document that it replaced, or of one that failed."""
    return Job.objects.filter(source=source, reindex=False, status=JobStatus.DONE, file_key=source.file_key)


def _locked(source_id: int) -> TrashedSource:
    found = TrashedSource.objects.select_for_update(of=("self",)).filter(pk=source_id).first()
    if found is None:
        raise NotFound(_("There is no such source in the trash."))
    return found


def _made_again(trashed: TrashedSource, *, by: str) -> Source:
    """The stored source, without passages. Columns that are newer than its row have their defaults."""
    was, kept = trashed.as_source(), set(trashed.row) - {"work_id", "topic_id", "chunk_count"}
    columns = {one.attname: getattr(was, one.attname) for one in Source._meta.concrete_fields if one.column in kept}
    work_id = _locked_work(trashed, was)
    for days in ({}, {"valid_to": None}):  # its end may have come of others that were in the trash before it
        with suppress(VersionOverlap), transaction.atomic():
            return work_versions.create_version(work_id, by=by, topic_id=trashed.topic_id, **columns | days)
    return Source.objects.create(topic_id=trashed.topic_id, **columns)


def _locked_work(trashed: TrashedSource, was: Source) -> int:
    """Its former work, made again if it is gone."""
    about = {name: getattr(was, name) for name in ("kind", "title", "identifier")}
    work, _made = Work.objects.get_or_create(pk=was.work_id, defaults={"topic_id": trashed.topic_id, **about})
    return Work.objects.select_for_update(no_key=True).get(pk=work.pk).pk
