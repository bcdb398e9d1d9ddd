"""Any number of beats: each task starts once a period, and goes on when a beat dies, hangs or is cut off."""

import base64
import json
import logging
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
import redis
from celery.beat import ScheduleEntry
from django.conf import settings as django_settings
from django.utils import timezone

from kb_project.celery import app
from kb_project.operations.beat_scheduler import SENT_KEY, SharedScheduler
from kb_project.operations.local_stack.machine import free_port
from kb_project.operations.local_stack.supervisor import Program, Supervisor
from tests.proxy import Proxy
from tests.servers import PROJECT, subprocess_environment
from tests.waiting import wait_until

PERIOD_S = 1.0
QUEUE = "celery"  # of priority 0, that of housekeeping


@pytest.fixture
def broker() -> Iterator[redis.Redis]:
    """The broker without a worker, so that what beats send stays in its queue."""
    with redis.Redis.from_url(django_settings.CELERY_BROKER_URL) as client:
        _forget(client)
        yield client
        _forget(client)


def _forget(client: redis.Redis) -> None:
    client.delete(QUEUE, *client.scan_iter(f"{SENT_KEY}*"))


def sent(client: redis.Redis) -> Counter[str]:
    """How often each task was sent."""
    return Counter(json.loads(message)["headers"]["task"] for message in client.lrange(QUEUE, 0, -1))


def entry_of(scheduler: SharedScheduler, name: str) -> ScheduleEntry:
    return scheduler.schedule[name]


def test_of_several_beats_the_first_sends_what_is_due(broker: redis.Redis) -> None:
    one, other = SharedScheduler(app), SharedScheduler(app)
    for scheduler in (one, other, one):
        for name in ("noted-work", "clear-sessions"):
            scheduler.apply_entry(entry_of(scheduler, name))
    once = {"kb_project.tasks.look_for_work": 1, "kb_project.tasks.clear_sessions": 1}
    assert sent(broker) == once
    # The period of each is noted, not the time between two looks.
    assert 0 < broker.pttl(f"{SENT_KEY}noted-work") <= 4_500
    assert 23 * 3600 < broker.ttl(f"{SENT_KEY}clear-sessions") < 24 * 3600
    broker.delete(f"{SENT_KEY}noted-work")  # its time has passed
    other.apply_entry(entry_of(other, "noted-work"))
    assert sent(broker) == {**once, "kb_project.tasks.look_for_work": 2}


def test_a_day_is_looked_at_as_it_begins(broker: redis.Redis) -> None:
    scheduler, task = SharedScheduler(app), "keeping.watches.tasks.look_at_days_of_watches"
    assert entry_of(scheduler, "watch-days").schedule.seconds <= 10
    for zone, times in (("Pacific/Pago_Pago", 1), ("Pacific/Kiritimati", 2)):  # 25 hours apart: never on the same day
        with timezone.override(zone):
            for _ in range(2):
                scheduler.apply_entry(entry_of(scheduler, "watch-days"))
            assert sent(broker)[task] == times


def test_entries_are_looked_at_hourly_with_readable_messages() -> None:
    app.loader.import_default_modules()
    scheduler = SharedScheduler(app)
    assert set(scheduler.schedule) == set(django_settings.KB_BEAT_PERIODS_S)
    for entry in scheduler.schedule.values():
        assert entry.schedule.seconds <= min(3600, django_settings.KB_BEAT_PERIODS_S[entry.name])
        assert entry.task in app.tasks, "nobody would run it"


def test_without_redis_a_beat_goes_on_and_says_so_once(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{free_port()}/0"
    scheduler = SharedScheduler(app)
    with caplog.at_level(logging.WARNING, logger="kb_project.operations.beat_scheduler"):
        for _ in range(3):
            scheduler.apply_entry(entry_of(scheduler, "sweep"))
    assert [record.message.split(";")[0] for record in caplog.records] == ["Redis is away"]


@pytest.mark.deep
def test_three_beats_send_once_period_and_one_of_them_is_enough(
    transactional_db: None, broker: redis.Redis, tmp_path: Path
) -> None:
    """One is killed, one hangs, one is cut off from Redis and comes back, in turn."""
    supervisor = Supervisor()

    def start(name: str, **environment: str) -> Any:
        program = Program(
            name=name,
            command=[sys.executable, "-m", "celery", "-A", "kb_project", "beat", "--pidfile", ""],
            log=tmp_path / f"{name}.log",
            env=subprocess_environment(KB_SWEEP_INTERVAL_S=str(PERIOD_S), **environment),
            cwd=PROJECT,
        )
        return supervisor.start(program)

    def has_looked(process: Any) -> bool:
        assert process.poll() is None, "its log says why"
        return bool(psutil.Process(process.pid).net_connections())

    def sent_within(seconds: float) -> Counter[str]:
        before = sent(broker)
        time.sleep(seconds)
        return sent(broker) - before

    def wait_for_another() -> None:
        before = sent(broker)["ingest.tasks.sweep"]
        wait_until(lambda: sent(broker)["ingest.tasks.sweep"] > before)

    address = urlsplit(django_settings.CELERY_BROKER_URL)
    assert address.port
    with Proxy(address.port).running() as proxy:
        away = address._replace(netloc=address.netloc.replace(f":{address.port}", f":{proxy.port}")).geturl()
        try:
            killed, hanging, cut_off = start("killed"), start("hanging"), start("cut-off", REDIS_URL=away)
            wait_until(lambda: all(map(has_looked, (killed, hanging, cut_off))))
            # A period may last until the next look of another beat, and EARLY shortens it.
            within = sent_within(6 * PERIOD_S)
            assert 3 <= within["ingest.tasks.sweep"] <= 7
            assert within["kb_project.tasks.look_for_work"] <= 2
            hanging.send_signal(signal.SIGSTOP)
            proxy.is_cut_off = True
            wait_for_another()  # the one that is left sends it
            proxy.is_cut_off = False
            killed.kill()
            assert killed.wait(60)
            wait_for_another()  # the one that was cut off is back
            hanging.send_signal(signal.SIGCONT)
            for process in (hanging, cut_off):
                process.terminate()
                assert process.wait(60) == 0
        finally:
            supervisor.stop()


def test_a_message_holds_what_a_worker_needs(broker: redis.Redis) -> None:
    scheduler = SharedScheduler(app)
    scheduler.apply_entry(entry_of(scheduler, "sweep"))
    [message] = map(json.loads, broker.lrange(QUEUE, 0, -1))
    arguments, keywords, _ = json.loads(base64.b64decode(message["body"]))
    assert (arguments, keywords) == ([], {})
    assert message["headers"]["task"] == "ingest.tasks.sweep"


@pytest.mark.deep
def test_beat_in_a_classifier_sends_until_that_is_asked_to_end(
    transactional_db: None, broker: redis.Redis, tmp_path: Path
) -> None:
    supervisor = Supervisor()
    program = Program(
        name="classifier",
        command=[sys.executable, "manage.py", "classifier", "--beat", "--hostname", "with-beat@%h"],
        log=tmp_path / "classifier.log",
        env=subprocess_environment(),
        cwd=PROJECT,
    )
    try:
        process = supervisor.start(program)
        wait_until(lambda: sent(broker)["kb_project.tasks.look_for_work"] >= 2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    finally:
        supervisor.stop()
