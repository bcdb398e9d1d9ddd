"""The supervisor: crashed programs come back, stopped ones stay away, and nothing outlives it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from kb_project.operations.local_stack import CannotStart, supervisor
from kb_project.operations.local_stack.supervisor import Program, StopRequested, Supervisor, log_tail, spawn
from tests.waiting import wait_until

PROJECT = Path(__file__).resolve().parents[4]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def watched(said: list[str]) -> Iterator[Supervisor]:
    watched = Supervisor(say=said.append)
    yield watched
    watched.stop()


def shell(script: str, tmp_path: Path, **fields: Any) -> Program:
    log = tmp_path / "log" / "program.log"
    return Program(name="program", command=["/bin/sh", "-c", script], log=log, **fields)


def is_gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_output_of_a_program_goes_to_its_log(watched: Supervisor, tmp_path: Path) -> None:
    watched.start(shell("echo to the log; echo and errors >&2", tmp_path)).wait()
    assert (tmp_path / "log" / "program.log").read_text() == "to the log\nand errors\n"


def test_log_that_grew_too_long_is_put_aside(watched: Supervisor, tmp_path: Path) -> None:
    log = tmp_path / "log" / "program.log"
    log.parent.mkdir()
    with log.open("wb") as file:
        file.truncate(21 * 1024 * 1024)
    watched.start(shell("echo new", tmp_path)).wait()
    assert log.read_text() == "new\n"
    assert log.with_suffix(".log.1").exists()


def test_log_that_grows_too_long_while_its_program_runs_is_put_aside(
    watched: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "LOG_LIMIT_BYTES", 1_000)
    log, go_on = tmp_path / "log" / "program.log", tmp_path / "go on"
    script = f"seq 1 1000; echo end; until [ -e '{go_on}' ]; do sleep 0.05; done; echo after; sleep 60"
    watched.start(shell(script, tmp_path))
    wait_until(lambda: log.exists() and log.read_text().endswith("end\n"))
    watched.check()
    assert log.read_text() == ""
    assert log.with_suffix(".log.1").read_text().endswith("1000\nend\n")
    go_on.touch()
    wait_until(lambda: log.read_text() == "after\n")


def test_tail_of_a_log_is_its_last_lines(tmp_path: Path) -> None:
    log = tmp_path / "program.log"
    log.write_text("".join(f"line {number}\n" for number in range(5000)))
    assert log_tail(log, lines=2) == "    line 4998\n    line 4999"


def test_tail_of_a_missing_log_is_empty(tmp_path: Path) -> None:
    assert log_tail(tmp_path / "none.log") == ""


def test_program_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=r"^program cannot be started: .*no-such-thing"):
        spawn(Program(name="program", command=[str(tmp_path / "no-such-thing")], log=tmp_path / "log"))


def test_crashed_program_is_started_again(watched: Supervisor, said: list[str], tmp_path: Path) -> None:
    seen = tmp_path / "starts"
    watched.start(shell(f"echo >> {seen}; [ $(wc -l < {seen}) = 1 ] && exit 3; exec sleep 600", tmp_path))

    def started_twice() -> bool:
        watched.check()
        return seen.exists() and seen.read_text() == "\n\n"

    wait_until(started_twice)
    log = tmp_path / "log" / "program.log"
    assert said == [f"program ended (exit code 3); starting it again in 0.5 s (log: {log})"]


def test_a_killed_program_is_started_again_without_its_children(
    watched: Supervisor, said: list[str], tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    process = watched.start(shell(f"sleep 600 & echo $! >> {pids}; wait", tmp_path))
    wait_until(lambda: pids.exists() and pids.read_text())
    os.kill(process.pid, signal.SIGKILL)

    def started_twice() -> bool:
        watched.check()
        return len(pids.read_text().split()) == 2

    wait_until(started_twice)
    wait_until(lambda: is_gone(int(pids.read_text().split()[0])))
    assert "signal SIGKILL" in said[0]


def test_a_crashing_program_is_started_again_alone(tmp_path: Path) -> None:
    said: list[str] = []
    watched = Supervisor(say=said.append, restart_after_s=0.001)
    steady = watched.start(shell("exec sleep 600", tmp_path))
    watched.start(shell("echo no luck; exit 1", tmp_path))

    def started_often() -> bool:
        watched.check()
        return len(said) >= 10

    try:
        wait_until(started_often)
        assert steady.poll() is None
        assert all("program ended (exit code 1); starting it again in" in sentence for sentence in said)
    finally:
        watched.stop()


def test_an_unstartable_program_is_tried_on_and_on(tmp_path: Path) -> None:
    said: list[str] = []
    watched = Supervisor(say=said.append, restart_after_s=0.001)
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    watched.start(Program(name="program", command=[str(program)], log=tmp_path / "program.log"))

    def said_of(words: str) -> bool:
        watched.check()
        return any(words in sentence for sentence in said)

    wait_until(lambda: said_of("ended (exit code 3)"))
    program.unlink()
    wait_until(lambda: said_of("did not start"))
    program.write_text("#!/bin/sh\nexit 4\n")
    program.chmod(0o755)
    wait_until(lambda: said_of("ended (exit code 4)"))
    watched.stop()


def test_a_program_that_ends_at_the_start_is_reported(watched: Supervisor, tmp_path: Path) -> None:
    watched.start(shell("echo wrong setting; exit 2", tmp_path)).wait()
    with pytest.raises(CannotStart, match=r"program ended \(exit code 2\)(?s:.*)    wrong setting"):
        watched.require_running()


def test_stop_ends_programs_before_the_servers_they_need(watched: Supervisor, tmp_path: Path) -> None:
    order = tmp_path / "order"
    for name, server in (("server", True), ("program", False)):
        ready = tmp_path / f"{name}-ready"
        watched.start(
            shell(
                f"trap 'echo {name} >> {order}; exit' TERM; : > {ready}; while :; do sleep 0.05; done",
                tmp_path,
                server=server,
            )
        )
        wait_until(ready.exists)
    watched.stop()
    assert order.read_text().split() == ["program", "server"]


def test_program_that_ignores_the_request_to_stop_is_killed(
    watched: Supervisor, said: list[str], tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    process = watched.start(shell(f"trap '' TERM; : > {ready}; while :; do sleep 0.05; done", tmp_path, patience_s=0.1))
    wait_until(ready.exists)
    watched.stop()
    assert process.returncode == -signal.SIGKILL
    assert said == ["program did not stop in time and was killed"]


def test_second_request_to_stop_is_not_patient(watched: Supervisor, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    process = watched.start(
        shell(f"trap '' TERM; : > {ready}; while :; do sleep 0.05; done", tmp_path, patience_s=3600)
    )
    wait_until(ready.exists)
    watched.request_stop()
    watched.request_stop()
    watched.stop()
    assert process.returncode == -signal.SIGKILL


def test_request_to_stop_ends_every_pause(watched: Supervisor) -> None:
    watched.request_stop()
    with pytest.raises(StopRequested):
        watched.pause(3600)


def test_step_gives_its_lines_and_keeps_errors_for_the_log(watched: Supervisor, tmp_path: Path) -> None:
    lines: list[str] = []
    watched.run(shell("echo first; echo warning >&2; printf last", tmp_path), on_line=lines.append)
    assert lines == ["first", "last"]
    assert (tmp_path / "log" / "program.log").read_text() == "warning\n"


def test_step_that_fails_is_reported_with_the_end_of_its_log(watched: Supervisor, tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=r"^program failed; its log .*program.log:\n    no such table$"):
        watched.run(shell("echo no such table >&2; exit 1", tmp_path))


def test_step_is_killed_when_a_stop_is_requested(watched: Supervisor, tmp_path: Path) -> None:
    def stop(line: str) -> None:
        pids.append(int(line))
        watched.request_stop()

    pids: list[int] = []
    with pytest.raises(StopRequested):
        watched.run(shell("echo $$; exec sleep 600", tmp_path), on_line=stop)
    assert is_gone(pids[0])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a process that its parent died")
def test_programs_die_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    script = f"""
import sys, time
from pathlib import Path
from kb_project.operations.local_stack.supervisor import Program
from kb_project.operations.local_stack.supervisor import Supervisor
log = Path({str(tmp_path)!r}, "program.log")
process = Supervisor().start(Program(name="program", command=["/bin/sleep", "600"], log=log))
print(process.pid, flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=PROJECT) as killed:
        assert killed.stdout is not None
        pid = int(killed.stdout.readline())
        assert not is_gone(pid)
        killed.kill()
    wait_until(lambda: is_gone(pid))
