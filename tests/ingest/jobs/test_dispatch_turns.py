"""Whose turn it is to be classified: nobody waits who need not, and nobody is forgotten."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from ingest.job_states import AWAITING_REVIEW, QUEUED
from ingest.jobs import claims, dispatch
from ingest.models import Job
from ingest.stages.run import work
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
    assert dispatch.places() == 3
    claims.take(make_job(confirmed=None).pk)
    claims.take(make_job().pk)  # decided: it is embedded
    make_job(confirmed=None)
    assert dispatch.places() == 2


def test_whoever_ends_calls_the_one_that_has_waited_longest(settings: Any, tmp_path: Path, queue: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    jobs = [upload_text(tmp_path, f"{LAW}\n{number}", filename=f"{number}.txt", metadata=None) for number in range(3)]
    busy = claims.take(jobs[0].pk)
    assert busy is not None
    queue.delete("classify:5")
    assert [work(job.pk) for job in jobs[1:]] == [None, None]
    assert queue.llen("classify:5") == 0
    claims.release(busy)
    first = work(jobs[0].pk)
    assert first is not None
    assert first.state == AWAITING_REVIEW
    assert queue.llen("classify:5") == 1
    assert str(jobs[1].pk).encode() in queue.lindex("classify:5", 0)
    assert Job.objects.get(pk=jobs[2].pk).state == QUEUED


def test_a_place_that_came_free_while_a_job_was_turned_away_is_not_lost(queue: Any) -> None:
    job = make_job(confirmed=None)
    dispatch.turn_away(job)
    assert queue.llen("classify:5") == 1
    job.refresh_from_db()
    assert job.hinted_at is not None
