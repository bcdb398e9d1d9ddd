"""Hints: sent, or left to the sweeper without holding up whoever has many to send."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis
from celery import Celery

from ingest.jobs import dispatch
from ingest.models import Job
from tests.factories import make_job
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def missing_broker(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    away = Celery("away", broker="redis://127.0.0.1:9/0", set_as_current=False)
    try:
        with monkeypatch.context() as patch:
            patch.setattr("kb_project.celery.app", away)
            yield
    finally:
        wait_until(lambda: dispatch.send(Job(confirmed={})))  # until it is asked again
        redis.Redis.from_url(settings.REDIS_URL).delete("celery:5")


def test_what_a_missing_broker_did_not_take_is_asked_for_once(
    missing_broker: None, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = [make_job(hinted_at="2026-01-01T00:00:00Z") for _ in range(20)]
    assert [dispatch.send(job) for job in jobs] == [False] * 20
    assert Job.objects.filter(hinted_at=None).count() == 20
    assert len([record for record in caplog.records if "broker is away" in record.message]) == 1


@pytest.mark.parametrize(("confirmed", "queue"), [(None, "classify:5"), ({"kind": "law"}, "celery:5")])
def test_who_classifies_and_who_indexes_are_told_apart(
    confirmed: dict[str, str] | None, queue: str, settings: Any
) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as broker:
        broker.delete("classify:5", "celery:5")
        dispatch.send(make_job(confirmed=confirmed))
        assert {name: broker.llen(name) for name in ("classify:5", "celery:5")} == {
            "classify:5": 0,
            "celery:5": 0,
            queue: 1,
        }
        assert [dispatch.queue_is_empty(decided=decided) for decided in (False, True)] == [
            queue == "celery:5",
            queue == "classify:5",
        ]
        broker.delete("classify:5", "celery:5")
