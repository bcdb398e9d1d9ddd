"""Find what a job's document is nearly the same as, once its beginning was read, and keep it."""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

import numpy as np
from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from ingest.job_states import UNFINISHED
from ingest.models import Job, JobFingerprint, Similar
from ingest.similar.naming import fields_of, same_title
from kb_project.database.rows import fetch
from law.words.fingerprints import Fingerprint, fingerprint, similarity
from search.similar import beginnings, near_duplicates
from sources.models import Source

MIN_SIMILARITY = 0.4  # of documents with the same title
MIN_OF_OTHER_TITLES = 0.8  # laws of one family are up to 0.6 alike
MAX_KEPT = 3  # that are kept of a job
ENDED = timedelta(hours=1)  # ago: the index has the source of such a job, if it has become one
_PRINTS = """
SELECT p.job_id, p.runs FROM kb_ingest_fingerprint p JOIN kb_ingest_job j ON j.id = p.job_id
WHERE j.topic_id = %s AND j.id <> %s
"""
LOCK = 0x6B62_6E65  # the first number of an advisory lock, of which the second is the topic


def similar_sources(job: Job, text: str, *, title: str) -> dict[int, float]:
    """The sources that are nearly the same as a text, with their similarity. Not those of the same bytes."""
    shares = near_duplicates(text, topic_id=job.topic_id, least=MIN_SIMILARITY)
    found = Source.objects.filter(pk__in=shares).exclude(content_sha256=job.content_sha256)
    return {one.pk: shares[one.pk] for one in found if _counts(shares[one.pk], title, one.title)}


def lock_topic_comparison(topic_id: int) -> None:
    """Until the transaction ends, no other compares jobs of the topic, so that of two at a time one sees the other.

    To be called before a job is locked.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK, topic_id % 2**31])


def save_similar(job: Job, text: str, *, sources: Mapping[int, float]) -> None:
    """Keep the similar sources and jobs of a job. Similar jobs name it too.

    The transaction has called `lock_topic_comparison`. The job has its suggestions by now.
    """
    JobFingerprint.objects.filter(job__finished_at__lt=Now() - ENDED).delete()
    Similar.objects.filter(Q(job=job) | Q(other=job)).delete()
    own = fingerprint(text)
    JobFingerprint.objects.update_or_create(job=job, defaults={"runs": own.tobytes()})
    rows = [Similar(job=job, source_id=pk, similarity=share) for pk, share in sources.items()]
    rows += [
        Similar(job=job, other=other, similarity=share)
        for other, share in _similar_jobs(job, own, title=fields_of(job).title)
        if other.source_id not in sources
    ]
    best = sorted(rows, key=lambda row: -row.similarity)[:MAX_KEPT]
    Similar.objects.bulk_create([*best, *_mutual(best)])


def notify_waiting_jobs(job: Job, source: Source) -> None:
    """Have the files that wait name a source which was just published, where its job was not compared with them."""
    if JobFingerprint.objects.filter(job=job).exists():
        return
    own = fingerprint(beginnings([source.pk]).get(source.pk, ""))
    others = _similar_jobs(job, own, title=source.title)
    rows = [Similar(job=other, source=source, similarity=share) for other, share in others]
    Similar.objects.bulk_create(rows, ignore_conflicts=True)


def _similar_jobs(job: Job, own: Fingerprint, *, title: str) -> list[tuple[Job, float]]:
    """The other jobs, under way or with a source, that are nearly the same. Those of the same bytes are left out."""
    prints = fetch(_PRINTS, [job.topic_id, job.pk], binary=True)
    shares = {pk: similarity(own, np.frombuffer(runs, np.uint32)) for pk, runs in prints}
    alike = [pk for pk, share in shares.items() if share >= MIN_SIMILARITY]
    others = Job.objects.filter(pk__in=alike).exclude(content_sha256=job.content_sha256)
    return [
        (other, shares[other.pk])
        for other in others.filter(Q(status__in=UNFINISHED) | Q(source__isnull=False))
        if _counts(shares[other.pk], title, fields_of(other).title)
    ]


def _mutual(rows: list[Similar]) -> list[Similar]:
    """The same rows the other way round, for other jobs that do not name enough already."""
    others = [(row.other, row) for row in rows if row.other is not None]
    named = Counter(Similar.objects.filter(job__in=[other for other, _ in others]).values_list("job_id", flat=True))
    return [
        Similar(job=other, other=row.job, similarity=row.similarity)
        for other, row in others
        if named[other.pk] < MAX_KEPT
    ]


def _counts(share: float, one: str, other: str) -> bool:
    return share >= (MIN_SIMILARITY if same_title(one, other) else MIN_OF_OTHER_TITLES)
