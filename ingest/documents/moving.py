"""Move a source to another topic, by the reindex that publishes it there.

Until then the source is where it was, whole. A reindex that fails leaves it there.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Q

from ingest.documents.reindex import live_reindexes, queue, require_file
from ingest.job_states import UNFINISHED
from ingest.models import Job, Similar
from ingest.similar.duplicates import find_duplicate, raise_if_duplicate
from ingest.webhook_events import source_was_deleted, source_was_published
from kb_project import audit
from labels import locks
from search.index import IndexContext, engine
from sources.models import Source, Work
from sources.references.storing import delete_for_source
from sources.works import work_versions
from topics.models import Topic

MOVES_TO = "moves_to"
"""In `confirmed` of a reindex: `{"topic_id", "by"}`, where the source goes and who said so."""


def move(source_id: int, topic: Topic, *, by: str) -> bool:
    """Queue the move of a source to a topic. Returns False when it is there already. The last move wins.

    Raises `NotFound`, `Conflict` with `file_missing`, and `DuplicateDocument` when the topic holds the same bytes.
    """
    require_file(source_id)
    with transaction.atomic():
        source = locks.source(source_id)
        if source.topic_id == topic.pk:
            return _cancel_move(source)
        if source.content_sha256:
            raise_if_duplicate(topic=topic, sha256=source.content_sha256)
        job, _made = queue(source, by=by, why=f"to be moved to topic {topic.pk}")
        job.confirmed = {**(job.confirmed or {}), MOVES_TO: {"topic_id": topic.pk, "by": by}}
        job.save(update_fields=["confirmed"])
    return True


def _cancel_move(source: Source) -> bool:
    """Withdraw the move that waits, if one does."""
    job = live_reindexes(source).filter(confirmed__has_key=MOVES_TO).first()
    if job is None or job.confirmed is None:
        return False
    del job.confirmed[MOVES_TO]
    job.save(update_fields=["confirmed"])
    return True


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


def move_to_topic(job: Job, source: Source) -> None:
    """Move a locked source, with its jobs, to the topic that its reindex names. The caller publishes it there.

    Nothing of the old topic names it afterwards. Its work is locked: it leaves the other versions, and keeps its days.
    Labels stay on it, and are known in the new topic by that.
    """
    told, left, old_work = _requested_move(job), source.topic, source.work_id
    topic = Topic.objects.get(pk=told["topic_id"])
    # The same bytes may have come there since: then both stay.
    twin = bool(source.content_sha256) and find_duplicate(topic=topic, sha256=source.content_sha256) is not None
    source_was_deleted(source)  # for who is told of the old topic alone, it is
    engine().withdraw(source.pk)
    delete_for_source(source.pk)
    Similar.objects.filter(Q(source=source) | Q(job__source=source) | Q(other__source=source)).delete()
    work_versions.remove_version(source, by=told["by"])
    source.topic = job.topic = topic
    source.work = Work.objects.create(topic=topic, kind=source.kind, title=source.title, identifier=source.identifier)
    source.save(update_fields=["topic", "work"])
    work_versions.sync_work(old_work)
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


def _requested_move(job: Job) -> dict[str, Any]:
    told: dict[str, Any] = (job.confirmed or {}).get(MOVES_TO, {})
    return told
