"""The sweeper: repeats lost hints, takes over from dead workers, and never fails what only waits."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import redis
from django.utils import timezone

from ingest.job_states import AWAITING_REVIEW, DONE, QUEUED
from ingest.jobs import claims
from ingest.jobs.claims import sweep
from ingest.models import Job
from tests.factories import make_job
from tests.ingest.jobs.holders import dead_pid

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def empty_queue(settings: Any) -> Iterator[Any]:
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete("celery:5", "classify:5")
    yield client
    client.delete("celery:5", "classify:5")


def test_a_job_nobody_was_told_of_is_hinted_at(empty_queue: Any) -> None:
    job = make_job()
    assert sweep() == 1
    assert empty_queue.llen("celery:5") == 1
    assert str(job.pk).encode() in empty_queue.lindex("celery:5", 0)
    assert sweep() == 0, "it was hinted at a moment ago"


def test_a_job_that_waits_long_is_hinted_at_and_never_failed(settings: Any) -> None:
    long_ago = timezone.now() - timedelta(seconds=settings.KB_HINT_AGAIN_AFTER_S * 100)
    job = make_job(hinted_at=long_ago, created_at=long_ago)
    assert sweep() == 1
    job.refresh_from_db()
    assert job.state == QUEUED


def test_a_job_whose_worker_died_is_hinted_at_at_once() -> None:
    make_job(
        status="processing",
        processing_stage="embedding",
        hinted_at=timezone.now(),
        heartbeat_at=timezone.now(),
        claim=f"{claims.here()}:{dead_pid()}:x",
    )
    assert sweep() == 1


def test_a_job_worked_on_or_at_rest_is_left_alone() -> None:
    make_job(status="processing", processing_stage="embedding", heartbeat_at=timezone.now(), claim="elsewhere:1:x")
    make_job(status=AWAITING_REVIEW.status)
    make_job(status=DONE.status)
    assert sweep() == 0
    assert Job.objects.filter(hinted_at__isnull=False).count() == 0


def test_a_job_to_be_classified_is_hinted_at_if_there_is_room(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    waiting = make_job(confirmed=None)
    busy = make_job(
        status="processing",
        processing_stage="classifying",
        confirmed=None,
        heartbeat_at=timezone.now(),
        claim="elsewhere:1:x",
    )
    assert sweep() == 0
    Job.objects.filter(pk=busy.pk).update(status=AWAITING_REVIEW.status, processing_stage=None, claim="")
    assert sweep() == 1
    waiting.refresh_from_db()
    assert waiting.hinted_at is not None


def test_a_classifier_whose_worker_died_is_replaced_at_once() -> None:
    make_job(
        status="processing",
        processing_stage="classifying",
        confirmed=None,
        hinted_at=timezone.now(),
        heartbeat_at=timezone.now(),
        claim=f"{claims.here()}:{dead_pid()}:x",
    )
    assert sweep() == 1


def test_a_hint_from_far_ahead_is_left_of_a_wrong_clock_and_is_repeated() -> None:
    make_job(hinted_at=timezone.now() + timedelta(hours=6))
    assert sweep() == 1


def test_hints_that_were_lost_with_the_broker_are_repeated_soon(empty_queue: Any) -> None:
    job = make_job(hinted_at=timezone.now() - timedelta(seconds=10))
    empty_queue.lpush("celery:5", "somebody else's hint")
    assert sweep() == 0, "its own hint may be among those that wait"
    empty_queue.delete("celery:5")
    assert sweep() == 1
    Job.objects.filter(pk=job.pk).update(hinted_at=timezone.now() - timedelta(seconds=10), attempts=1)
    empty_queue.delete("celery:5")
    assert sweep() == 0, "it was put back, to be tried again in a while"
