"""Never more classifications at a time than the setting says, whoever asks and whoever dies."""

import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from django.db import connection

from ingest.stages.classify.provider_slots import Slot, acquire_slot, release
from tests.servers import PROJECT, subprocess_environment

pytestmark = pytest.mark.django_db(transaction=True)


def expire(slot: Slot) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE kb_classify_slot SET expires_at = now() - interval '1 second' WHERE number = %s", [slot.number]
        )


def test_there_are_as_many_slots_as_the_setting_says(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 2
    assert [acquire_slot("a"), acquire_slot("b"), acquire_slot("c")] == [Slot(1, "a"), Slot(2, "b"), None]
    settings.KB_CLASSIFY_CONCURRENCY = 3
    assert acquire_slot("c") == Slot(3, "c")
    settings.KB_CLASSIFY_CONCURRENCY = 1
    assert acquire_slot("d") is None


def test_a_released_slot_is_free_and_releasing_it_again_does_nothing(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    slot = acquire_slot("a")
    assert slot is not None
    release(slot)
    assert acquire_slot("b") == Slot(1, "b")
    release(slot)
    assert acquire_slot("c") is None


def test_twelve_threads_never_hold_more_than_five() -> None:
    lock, start = threading.Lock(), threading.Barrier(12)
    held, most, turns = 0, 0, 0

    def work(name: str) -> None:
        nonlocal held, most, turns
        start.wait(60)
        try:
            for turn in range(10):
                while (slot := acquire_slot(f"{name}:{turn}")) is None:
                    time.sleep(0.002)
                with lock:
                    held += 1
                    most = max(most, held)
                    turns += 1
                time.sleep(0.01)  # long enough for others to come while it is held
                with lock:
                    held -= 1
                release(slot)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(f"worker{number}",)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert turns == 120
    assert 2 <= most <= 5


@pytest.mark.deep
def test_the_slot_of_a_killed_holder_comes_free_within_a_minute(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    script = (
        "import django, os, signal; django.setup(); from ingest.stages.classify.provider_slots import acquire_slot; "
        "assert acquire_slot('doomed'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    environment = subprocess_environment(KB_CLASSIFY_CONCURRENCY="1")
    done = subprocess.run([sys.executable, "-c", script], cwd=PROJECT, env=environment, check=False, timeout=60)
    assert done.returncode == -9
    assert acquire_slot("next") is None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT expires_at <= now() + interval '60 seconds' FROM kb_classify_slot WHERE holder = 'doomed'"
        )
        assert cursor.fetchone() == (True,)
    expire(Slot(1, "doomed"))
    assert acquire_slot("next") == Slot(1, "next")


def test_a_late_holder_does_not_release_its_successors_slot(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    late = acquire_slot("late")
    assert late is not None
    expire(late)
    assert acquire_slot("next") == Slot(1, "next")
    release(late)
    assert acquire_slot("third") is None


def test_a_lease_from_the_far_future_keeps_no_slot(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    assert acquire_slot("doomed") is not None
    with connection.cursor() as cursor:
        cursor.execute("UPDATE kb_classify_slot SET expires_at = expires_at + interval '6 hours'")
    assert acquire_slot("next") == Slot(1, "next")
