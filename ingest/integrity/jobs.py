"""Checks of jobs, and of sources that a reindex repairs."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from ingest.documents.reindex import reindex
from ingest.job_states import CLASSIFYING, EMBEDDING, QUEUED
from ingest.jobs import claims, dispatch
from ingest.jobs.claims import database_time
from ingest.models import Job
from kb_project.errors import NotFound, Unavailable
from kb_project.operations.integrity.registry import Finding, IntegrityCheck, query, register

BY = "check_integrity"
REINDEX_OR_UPLOAD = _(
    "Run `manage.py check_integrity --repair`; one without a file must be deleted and uploaded again."
)
LONG = timedelta(minutes=15)

# Sources that are being reindexed are left out.
UNDER_WAY = """
EXISTS (SELECT FROM kb_ingest_job j WHERE j.source_id = s.id AND j.reindex AND j.status IN ('queued', 'processing'))
"""
WITHOUT_CHUNKS = f"""
SELECT s.id, s.file_key <> '' FROM kb_source s
WHERE NOT EXISTS (SELECT FROM kb_chunk c WHERE c.source_id = s.id) AND NOT {UNDER_WAY} ORDER BY s.id
"""
# They are numbered from 0, and a source knows how many it was published with.
LOST_CHUNKS = f"""
SELECT s.id, held.chunks, greatest(s.chunk_count, held.last + 1) FROM kb_source s JOIN (
    SELECT source_id, count(*) AS chunks, max(seq) AS last FROM kb_chunk GROUP BY source_id
) AS held ON held.source_id = s.id
WHERE held.chunks < greatest(s.chunk_count, held.last + 1) AND NOT {UNDER_WAY} ORDER BY s.id
"""
IN_ANOTHER_TOPIC = f"""
SELECT s.id, s.topic_id, count(*) FROM kb_source s JOIN kb_chunk c ON c.source_id = s.id AND c.topic_id <> s.topic_id
WHERE NOT {UNDER_WAY} GROUP BY s.id, s.topic_id ORDER BY s.id
"""
REINDEX_FAILED = """
SELECT source_id, id::text, error_code, error_message FROM (
    SELECT DISTINCT ON (source_id) source_id, id, status, error_code, error_message FROM kb_ingest_job
    WHERE reindex AND source_id IS NOT NULL ORDER BY source_id, created_at DESC, id DESC
) AS last WHERE status = 'failed' ORDER BY source_id
"""


def find_stuck_jobs() -> Iterator[Finding]:
    """Jobs whose worker is dead and jobs that wait, when nobody hints at them.

    A worker that died a moment ago is no finding: the sweeper has yet to come by.
    The sweeper hints at the oldest waiting job about once a minute. While it does, those behind it only wait their
    turn, however long. When it has not for long, none of them is going to be worked on.
    """
    now = database_time()
    under_way = Job.objects.in_state(QUEUED, CLASSIFYING, EMBEDDING).order_by("created_at", "id")
    hinted = now - timedelta(seconds=settings.KB_HINT_AGAIN_AFTER_S)
    heard = timedelta(seconds=settings.KB_STALLED_AFTER_S + settings.KB_HINT_AGAIN_AFTER_S)
    for job in under_way.exclude(claim="").iterator():
        if job.heartbeat_at is not None and abs(now - job.heartbeat_at) <= heard:
            continue
        if claims.worker_is_dead(job) and (job.hinted_at is None or job.hinted_at < hinted):
            detail = gettext_noop("Its worker %(worker)s is dead, and it was not given to another one.")
            yield Finding(f"job {job.pk}", detail, {"worker": job.claim}, key=job.pk)
    long_ago = now - max(LONG, 5 * timedelta(seconds=settings.KB_HINT_AGAIN_AFTER_S))
    waiting = under_way.filter(claim="").annotate(told_at=Coalesce("hinted_at", "created_at"))
    if not dispatch.free_classifier_slots():  # those to be classified wait for a place
        waiting = waiting.exclude(confirmed__isnull=True)
    oldest = waiting.first()
    if oldest is None or oldest.told_at >= long_ago:
        return
    for job in waiting.filter(told_at__lt=long_ago).iterator():
        detail = gettext_noop("It is %(state)s, and no worker was told of it since %(told)s.")
        yield Finding(
            f"job {job.pk}", detail, {"state": str(job.state), "told": f"{job.told_at:%Y-%m-%d %H:%M}"}, key=job.pk
        )


def hint_again(finding: Finding) -> None:
    job = Job.objects.get(pk=finding.key)
    Job.objects.filter(pk=job.pk).update(hinted_at=Now())
    if not dispatch.send(job):
        raise Unavailable(_now("The broker does not answer, so no worker can be told."))


def find_sources_without_chunks() -> Iterator[Finding]:
    for source_id, has_file in query(WITHOUT_CHUNKS):
        detail = (
            gettext_noop("No search finds it: it has no chunks.")
            if has_file
            else gettext_noop("No search finds it: it has no chunks, and no file they could be made of.")
        )
        yield Finding(f"source {source_id}", detail, key=source_id)


def _sources(sql: str, detail: str, *names: str) -> Callable[[], Iterator[Finding]]:
    """A finding for each row of the query: a source's id, then the values of the sentence by these names."""

    def find() -> Iterator[Finding]:
        for source_id, *values in query(sql):
            yield Finding(f"source {source_id}", detail, dict(zip(names, values, strict=True)), key=source_id)

    return find


def index_again(finding: Finding) -> None:
    """Queue a reindex. Raises `Conflict` when the file that it would read is not there."""
    with suppress(NotFound):
        reindex(finding.key, by=BY, why=finding.sentence[:200])


register(
    IntegrityCheck(
        name="stuck_jobs",
        meaning=_("Each job that is to be worked on is held by a live worker, or a worker was told of it."),
        find=find_stuck_jobs,
        repair=hint_again,
        advice=_("See that workers, scheduler and broker run, then run `manage.py check_integrity --repair`."),
        quick=True,
    ),
    IntegrityCheck(
        name="sources_without_chunks",
        meaning=_("Each source has chunks, or is being indexed again."),
        find=find_sources_without_chunks,
        repair=index_again,
        advice=REINDEX_OR_UPLOAD,
    ),
    IntegrityCheck(
        name="lost_chunks",
        meaning=_("Each source has all the chunks that it was published with, or is being indexed again."),
        find=_sources(
            LOST_CHUNKS,
            gettext_noop("It was published with %(published)d chunks and has %(chunks)d of them."),
            *("chunks", "published"),
        ),
        repair=index_again,
        advice=REINDEX_OR_UPLOAD,
    ),
    IntegrityCheck(
        name="chunks_in_another_topic",
        meaning=_("Each chunk is in the topic of its source, or the source is being indexed again."),
        find=_sources(
            IN_ANOTHER_TOPIC,
            gettext_noop("It is in topic %(topic)d; its chunks in another one: %(chunks)d."),
            *("topic", "chunks"),
        ),
        repair=index_again,
    ),
    IntegrityCheck(
        name="reindex_failed",
        meaning=_("The last time that a source was indexed again did not fail; else its older chunks still serve."),
        find=_sources(
            REINDEX_FAILED,
            gettext_noop("Job %(job)s, which was to index it again, failed: %(code)s: %(message)s"),
            *("job", "code", "message"),
        ),
        repair=index_again,
        advice=_("Read the job's error; once the cause is gone, run `manage.py check_integrity --repair`."),
        quick=True,
    ),
)
