"""Move a work to another topic, version by version, each by the reindex that publishes it there.

Until then each is where it was, whole. A reindex that fails leaves its version there, with its days, and a retry brings
it to the others.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from ingest.documents.reindex import queue, require_file, source_deleted
from ingest.job_states import UNFINISHED, JobStatus
from ingest.models import Job, Similar
from ingest.similar.duplicates import find_duplicate, raise_if_duplicate
from ingest.webhook_events import source_was_deleted, source_was_published
from kb_project import audit
from kb_project.errors import Conflict
from labels import locks
from search.index import IndexContext, engine
from sources import work_versions
from sources.models import Source, TrashedSource, Work
from sources.references.storing import delete_for_source
from topics.models import Topic

MOVES_TO = "moves_to"
"""In `confirmed` of a reindex: `{"topic_id", "by"}`, where the source goes and who said so.

`after`: a version of the same work that has gone there before it.
"""


def move(source_id: int, topic: Topic, *, by: str) -> bool:
    """Queue the move of a source to a topic, with all other versions of its work. The last move wins.

    Returns False when they are there already. Raises `NotFound`, `Conflict` with `file_missing` for any of them or
    `moving` where some have gone already or another is coming, and `DuplicateDocument` when the topic holds the same
    bytes.
    """
    for version_id in _versions(source_id).values_list("pk", flat=True):
        require_file(version_id)
    with transaction.atomic():
        work_versions.lock_work_of(source_id)
        source = locks.source(source_id)
        versions = list(_versions(source_id).order_by("pk"))
        if source.topic_id == topic.pk:
            return _cancel_move(versions)
        for version in versions:
            if version.content_sha256:
                raise_if_duplicate(topic=topic, sha256=version.content_sha256)
        after = _gone_before(versions, topic)
        _raise_if_one_is_coming(versions)
        for version in versions:
            job, _made = queue(version, by=by, why=f"to be moved to topic {topic.pk}")
            job.confirmed = {**(job.confirmed or {}), MOVES_TO: {**after, "topic_id": topic.pk, "by": by}}
            job.save(update_fields=["confirmed"])
    return True


def _versions(source_id: int) -> QuerySet[Source]:
    """All versions of the work of a source."""
    return Source.objects.filter(work__versions=source_id)


def _moves_of(versions: Sequence[Source]) -> list[Job]:
    """The moves of versions that wait or have failed."""
    found = Job.objects.filter(source__in=[one.pk for one in versions], reindex=True, confirmed__has_key=MOVES_TO)
    return list(found.filter(status__in=[*UNFINISHED, JobStatus.FAILED]))


def _gone_before(versions: Sequence[Source], topic: Topic | None) -> dict[str, int]:
    """`after` of a work's versions, where one has gone to the topic before them and is not in their work again.

    Raises Conflict where it has gone to another topic.
    """
    for told in map(_requested_move, _moves_of(versions)):
        gone = Source.objects.filter(pk=told.get("after", 0), topic=told["topic_id"])
        if not gone.exclude(work=versions[0].work_id).exists():
            continue  # none has, or a move that failed was made up for since
        if topic is None or told["topic_id"] != topic.pk:
            sentence = _("Some of its versions have moved to another topic already. Move the others there first.")
            raise Conflict(sentence, code="moving")
        return {"after": told["after"]}
    return {}


def _raise_if_one_is_coming(versions: Sequence[Source]) -> None:
    """A document that is decided to be a version of the work would be left behind. Raises Conflict."""
    ids = [one.pk for one in versions]
    named = Q(confirmed__version_of__in=ids) | Q(confirmed__replaces__in=ids)
    coming = Job.objects.filter(named, reindex=False, status__in=UNFINISHED).first()
    if coming is not None:
        sentence = _("Another version of it is being read. Move it when that is there.")
        raise Conflict(sentence, code="moving", job_id=str(coming.pk))


def _cancel_move(versions: Sequence[Source]) -> bool:
    """Withdraw the moves of a work's versions that wait, if any do."""
    _gone_before(versions, None)
    waiting = [job for job in _moves_of(versions) if job.status in UNFINISHED]
    for job in waiting:
        job.confirmed = {name: value for name, value in (job.confirmed or {}).items() if name != MOVES_TO}
        job.save(update_fields=["confirmed"])
    return bool(waiting)


def pending_moves(source_ids: Collection[int]) -> dict[int, Topic]:
    """Where those of the sources are to go that wait for it."""
    waiting = Job.objects.filter(
        source__in=source_ids, reindex=True, status__in=UNFINISHED, confirmed__has_key=MOVES_TO
    )
    wanted = {job.source_id: _requested_move(job)["topic_id"] for job in waiting}
    topics = Topic.objects.in_bulk(set(wanted.values()))
    return {source_id: topics[pk] for source_id, pk in wanted.items() if source_id and pk in topics}


def context_of(job: Job, source: Source) -> IndexContext:
    """What a reindex indexes the chunks of a source with."""
    topic_id = _requested_move(job).get("topic_id", source.topic_id)
    return replace(IndexContext.of(source), topic_id=topic_id)


def slug_of(topic_id: int) -> str:
    """Raises `Topic.DoesNotExist`."""
    return Topic.objects.get(pk=topic_id).slug


def lock_as_staged(job: Job, source_id: int, context: IndexContext) -> Source | None:
    """The source that a reindex publishes, locked, and before it the works that a move changes.

    None where the source, or where it goes, is another by now than when it was staged with this context. Raises
    `ExtractionFailed` when it is gone.
    """
    job.refresh_from_db(fields=["confirmed"])
    named = _locked_with(job, source_id)
    work_versions.lock_works_of(*named)  # which the source may leave
    source = Source.objects.select_for_update().filter(pk=source_id).first()
    if source is None:
        raise source_deleted()
    job.refresh_from_db(fields=["confirmed"])  # it may have been told since to move the source
    return source if context_of(job, source) == context and _locked_with(job, source_id) == named else None


def _locked_with(job: Job, source_id: int) -> tuple[int, ...]:
    """The sources whose works a move changes: that of the source, and that of the versions gone before it."""
    after = _requested_move(job).get("after")
    return (source_id,) if after is None else (source_id, after)


def move_to_topic(job: Job, source: Source) -> None:
    """Move a locked source, with its jobs, to the topic that its reindex names. The caller publishes it there.

    Nothing of the old topic names it afterwards. `lock_as_staged` has locked the works. It keeps its days, as do those
    that stay, and is a version of one work with those gone before it. With the last version the work itself goes, with
    whoever watches it and its versions in the trash. Labels stay on the source, and are known in the new topic by that.
    """
    told, left, work = _requested_move(job), source.topic, source.work
    topic = Topic.objects.get(pk=told["topic_id"])
    # The same bytes may have come there since: then both stay.
    twin = bool(source.content_sha256) and find_duplicate(topic=topic, sha256=source.content_sha256) is not None
    source_was_deleted(source)  # for who is told of the old topic alone, it is
    engine().withdraw(source.pk)
    delete_for_source(source.pk)
    Similar.objects.filter(Q(source=source) | Q(job__source=source) | Q(other__source=source)).delete()
    gone_before = Source.objects.filter(pk=told.get("after", 0), topic=topic).first()
    others = list(Source.objects.filter(work=work).exclude(pk=source.pk).values_list("pk", flat=True))
    source.topic = job.topic = topic
    if not others:
        Work.objects.filter(pk=work.pk).update(topic=topic)
        TrashedSource.objects.filter(row__work_id=work.pk).update(topic=topic)
    elif gone_before:
        work_versions.add_version(source, gone_before.work_id, by=told["by"])
    else:
        about = {"kind": source.kind, "title": source.title, "identifier": source.identifier}
        source.work = Work.objects.create(topic=topic, **about)
    source.save(update_fields=["topic", "work", "valid_from", "valid_to"])
    if others:
        _let_follow(others, source=source)
        work_versions.sync_work(work.pk)
        work_versions.sync_work(source.work_id)
    elif gone_before:
        work_versions.join(gone_before.work_id, work.pk, by=told["by"])
    Job.objects.filter(source=source).update(topic=topic, **({"allow_duplicate": True} if twin else {}))
    source_was_published(source)
    audit.record(
        by=told["by"],
        action="source.move",
        thing=source,
        before={"topic_id": left.pk, "topic": left.name},
        after={"topic_id": topic.pk, "topic": topic.name},
        topic_id=topic.pk,
    )


def _let_follow(versions: Collection[int], *, source: Source) -> None:
    """Have the versions that are still to come join the work of one that is there. Failed moves may be tried again."""
    for job in Job.objects.filter(source__in=versions, reindex=True, confirmed__has_key=MOVES_TO):
        told = _requested_move(job)
        if told["topic_id"] == source.topic_id:
            job.confirmed = {**(job.confirmed or {}), MOVES_TO: {**told, "after": source.pk}}
            job.save(update_fields=["confirmed"])


def _requested_move(job: Job) -> dict[str, Any]:
    told: dict[str, Any] = (job.confirmed or {}).get(MOVES_TO, {})
    return told
