"""A start waits as long as something moves."""

import subprocess
import sys
from collections.abc import Iterator
from subprocess import Popen

import pytest

from kb_project.operations.local_stack import movement
from kb_project.operations.local_stack.movement import Movement
from tests.waiting import wait_until

WORKS = "while True: sum(range(10_000))"
WAITS = "import time; time.sleep(600)"


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Iterator[Popen[bytes]]:
    """A shell that waits for what works or waits: what a program starts counts as its own."""
    with Popen(["/bin/sh", "-c", f'{sys.executable} -c "{request.param}"; true']) as process:
        yield process
        subprocess.run(["pkill", "-P", str(process.pid)], check=True)
        process.kill()


@pytest.mark.parametrize("program", [WAITS], indirect=True)
def test_who_only_waits_is_still_in_the_end(program: Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(movement, "STILL_FOR_S", 1.0)
    seen = Movement(lambda: [program.pid])
    assert not seen.has_stopped()
    wait_until(seen.has_stopped)


@pytest.mark.parametrize("program", [WORKS], indirect=True)
def test_who_works_is_waited_for_up_to_a_bound(program: Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(movement, "STILL_FOR_S", 2.0)
    monkeypatch.setattr(movement, "WORKED_S", 0.02)
    seen = Movement(lambda: [program.pid])

    def looked_long() -> bool:
        assert not seen.has_stopped()
        return seen.seconds > 3.0

    wait_until(looked_long)
    monkeypatch.setattr(movement, "MAX_SECONDS", 3.0)
    assert seen.has_stopped()


def test_a_program_that_is_gone_has_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    with Popen(["/bin/true"]) as ended:
        ended.wait()
    monkeypatch.setattr(movement, "STILL_FOR_S", 0.0)
    assert Movement(lambda: [ended.pid]).has_stopped()
