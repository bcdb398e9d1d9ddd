"""Programs forked from one process: each is looked after by itself, and all end with it."""

import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from tests.journeys.up import runs
from tests.servers import PROJECT
from tests.waiting import wait_until

# One that has started another, as a worker has its pool, and one that ends when it is asked to.
SCRIPT = """
import subprocess, sys, time
from kb_project.operations import forked_workers
forked_workers.PAUSE_S = 0.1

def with_child():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    time.sleep(600)

def alone():
    time.sleep(600)

forked_workers.ForkedPrograms({"with-child": with_child, "alone": alone}).run()
"""


class Forking:
    """The process, and what it has forked."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=PROJECT, stderr=subprocess.PIPE, text=True)

    def forked(self) -> dict[str, psutil.Process]:
        return {one.name(): one for one in psutil.Process(self.process.pid).children() if runs(one)}

    def complete(self) -> dict[str, psutil.Process]:
        """As soon as all are there, with what one of them starts."""

        def found() -> dict[str, psutil.Process]:
            there = self.forked()
            return there if there.keys() == {"with-child", "alone"} and there["with-child"].children() else {}

        return wait_until(found)


@pytest.fixture
def forking() -> Iterator[Forking]:
    forking = Forking()
    yield forking
    if forking.process.poll() is None:
        for one in psutil.Process(forking.process.pid).children(recursive=True):
            one.kill()
    forking.process.kill()
    forking.process.communicate()


def test_what_is_killed_is_forked_again_and_takes_only_its_own_along(forking: Forking) -> None:
    before = forking.complete()
    [child] = before["with-child"].children()
    before["with-child"].kill()
    wait_until(lambda: not runs(child))
    after = forking.complete()
    assert after["alone"] == before["alone"]
    assert after["with-child"] != before["with-child"]


def test_asked_to_end_all_are_asked_and_none_comes_again(forking: Forking) -> None:
    there = forking.complete()
    forking.process.send_signal(signal.SIGTERM)
    _, said = forking.process.communicate(timeout=60)
    assert (forking.process.returncode, said) == (0, "")
    assert [one for one in there.values() if runs(one)] == []


def test_all_end_with_the_process_that_forked_them(forking: Forking) -> None:
    there = forking.complete()
    [child] = there["with-child"].children()
    forking.process.kill()
    wait_until(lambda: not any(map(runs, there.values())))
    child.kill()  # a pool's process ends by itself
