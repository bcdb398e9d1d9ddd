"""Cores that nothing else wants, on this machine as it is."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from search.local_model import machine as module
from search.local_model.machine import IdleCores
from tests.waiting import wait_until

CORES = os.sched_getaffinity(0)
pytestmark = pytest.mark.skipif(not module._COUNTS.exists(), reason="This machine does not count what its cores do.")


def looked(cores: IdleCores) -> int:
    time.sleep(module._LOOK_S + 0.05)
    return cores.count()


def test_what_others_use_is_not_idle() -> None:
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in CORES]
    cores = IdleCores(CORES)
    try:
        wait_until(lambda: looked(cores) == 0)
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_what_this_process_uses_is_idle_to_itself() -> None:
    cores = IdleCores(CORES)
    cores.count()
    busy_s, others_s = cores._busy_s() or 0, cores._others_s
    ends = time.process_time() + 1
    while time.process_time() < ends:
        pass
    looked(cores)
    assert cores._others_s - others_s < (cores._busy_s() or 0) - busy_s - 0.8


def test_who_had_to_wait_shows_that_a_core_is_wanted() -> None:
    cores = IdleCores(CORES)
    cores.count()
    cores.waited(2 * module._LOOK_S * len(CORES))
    assert looked(cores) == 0


def test_at_first_one_is_taken_and_all_where_nobody_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert IdleCores(CORES).count() == 1
    monkeypatch.setattr(module, "_COUNTS", Path("/nowhere"))
    assert IdleCores(CORES).count() == len(CORES)
