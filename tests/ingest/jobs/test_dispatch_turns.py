"""Whose turn it is to be classified: nobody waits who need not, and nobody is forgotten."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from ingest.job_states import AWAITING_REVIEW, QUEUED
from ingest.jobs import claims, dispatch
from ingest.models import Job
from ingest.stages.run import run_job
from tests.factories import LAW, make_job, upload_text

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def queue(settings: Any) -> Iterator[Any]:
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete("classify:5")
    yield client
    client.delete("classify:5")


def test_each_job_that_is_being_classified_takes_a_place(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 3
    assert dispatch.free_classifier_slots() == 3
    claims.claim(make_job(confirmed=None).pk)
    claims.claim(make_job().pk)  # decided: it is embedded
    make_job(confirmed=None)
    assert dispatch.free_classifier_slots() == 2


def test_whoever_ends_calls_the_one_that_has_waited_longest(settings: Any, tmp_path: Path, queue: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    jobs = [upload_text(tmp_path, f"{LAW}\n{number}", filename=f"{number}.txt", metadata=None) for number in range(3)]
    busy = claims.claim(jobs[0].pk)
    assert busy is not None
    queue.delete("classify:5")
    assert [run_job(job.pk) for job in jobs[1:]] == [None, None]
    assert queue.llen("classify:5") == 0
    claims.requeue_after_error(busy)
    first = run_job(jobs[0].pk)
    assert first is not None
    assert first.state == AWAITING_REVIEW
    assert queue.llen("classify:5") == 1
    assert str(jobs[1].pk).encode() in queue.lindex("classify:5", 0)
    assert Job.objects.get(pk=jobs[2].pk).state == QUEUED


def test_a_place_that_came_free_while_a_job_was_turned_away_is_not_lost(queue: Any) -> None:
    job = make_job(confirmed=None)
    dispatch.postpone(job)
    assert queue.llen("classify:5") == 1
    job.refresh_from_db()
    assert job.hinted_at is not None
