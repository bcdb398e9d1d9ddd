"""The supervisor: starts programs, each in a session of its own, restarts those that crash, stops all in order."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb_project.operations.local_stack import CannotStart
from kb_project.processes.ending import exit_with_parent

LOG_LIMIT_BYTES = 20 * 1024 * 1024
STEADY_AFTER_S = 60.0  # a program that ran this long has recovered: its next crash counts as the first
MAX_PAUSE_S = 30.0  # between two starts of a program that crashes again and again
LITTLE_SPACE = 64 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Program:
    """What to run: `stop_signal` asks it to end, `patience_s` later it is killed with all it started."""

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str] | None = None
    cwd: Path | None = None
    identity: Mapping[str, Any] = field(default_factory=dict)  # arguments of `subprocess`: whom it runs as
    stop_signal: signal.Signals = signal.SIGTERM
    patience_s: float = 10.0
    server: bool = False  # others need it: it is stopped after them
    # What the kernel sends when the supervisor itself is killed and can no longer stop anything in order.
    orphan_signal: signal.Signals = signal.SIGTERM


def spawn(program: Program, *, stdout: int | None = None) -> subprocess.Popen[bytes]:
    """Start the program. What it says goes to its log, or its standard output to the given file descriptor.

    Its session is its own, so Ctrl-C in the terminal does not reach it. Call it from a thread that lives as
    long as the program should: Linux takes the end of that thread for the death of the parent.
    """
    program.log.parent.mkdir(parents=True, exist_ok=True)
    bound(program.log)
    try:
        with program.log.open("ab") as log:
            return subprocess.Popen(
                list(program.command),
                stdin=subprocess.DEVNULL,
                stdout=log if stdout is None else stdout,
                stderr=log,
                env=None if program.env is None else dict(program.env),
                cwd=program.cwd,
                start_new_session=True,
                preexec_fn=exit_with_parent(os.getpid(), program.orphan_signal),
                **program.identity,
            )
    except OSError as error:
        raise CannotStart(f"{program.name} cannot be started: {error}.") from error


def bound(log: Path) -> None:
    """Put a log that grew too long aside. Whoever writes it has it open for appending, and goes on at its new end."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > LOG_LIMIT_BYTES:
            with contextlib.suppress(OSError):  # the disk is full, say
                shutil.copyfile(log, log.with_suffix(".log.1"))
            os.truncate(log, 0)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill whatever is left of the process and of those it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def log_tail(log: Path, lines: int = 15) -> str:
    """The last lines of a log, indented, to show under a sentence that says what failed."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 16_384))
            text = file.read().decode("utf-8", errors="replace")
    except OSError:
        return ""
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines()[-lines:])


class StopRequested(Exception):
    """Somebody asked the supervisor to stop while it was starting or watching."""


@dataclass
class Child:
    """A program while it runs, or between a crash and its restart."""

    program: Program
    process: subprocess.Popen[bytes]
    started_at: float = field(default_factory=time.monotonic)
    crashes: int = 0
    restart_at: float | None = None


class Supervisor:
    """Every wait of the stack goes through `pause`, which is where a request to stop is noticed."""

    def __init__(self, *, say: Callable[[str], None] = lambda sentence: None, restart_after_s: float = 0.5) -> None:
        self._say = say
        self._restart_after_s = restart_after_s
        self._children: list[Child] = []
        self._requests = 0

    def request_stop(self) -> None:
        """Ask for an orderly end. Asked a second time, nothing is waited for. Safe in a signal handler."""
        self._requests += 1

    def pause(self, seconds: float) -> None:
        """Sleep. Raises StopRequested."""
        if not self._requests:
            time.sleep(seconds)
        if self._requests:
            raise StopRequested

    def start(self, program: Program) -> subprocess.Popen[bytes]:
        """Start a program and watch over it from now on."""
        child = Child(program, spawn(program))
        self._children.append(child)
        return child.process

    def forget(self, process: subprocess.Popen[bytes]) -> None:
        """Kill a program that did not come up, and watch over it no longer."""
        kill_group(process)
        self._children = [child for child in self._children if child.process is not process]

    def run(self, program: Program, *, on_line: Callable[[str], None] = lambda line: None) -> None:
        """Run a program to its end, giving each line that it writes to its standard output.

        Raises CannotStart with the end of its log when it fails, and StopRequested.
        """
        process = spawn(program, stdout=subprocess.PIPE)
        try:
            for line in self._lines(process):
                on_line(line)
            code = process.wait()
        finally:
            kill_group(process)
        if code:
            raise CannotStart(f"{program.name} failed; its log {program.log}:\n{log_tail(program.log)}")

    def _lines(self, process: subprocess.Popen[bytes]) -> Iterator[str]:
        """The lines of the process's standard output as they come, without the ends."""
        assert process.stdout is not None
        with process.stdout as output:
            os.set_blocking(output.fileno(), False)
            unfinished = b""
            while True:
                try:
                    piece = os.read(output.fileno(), 65_536)
                except BlockingIOError:
                    self.pause(0.03)
                    continue
                *whole, unfinished = (unfinished + piece).split(b"\n")
                if not piece and unfinished:
                    whole, unfinished = [*whole, unfinished], b""
                yield from (line.decode("utf-8", errors="replace").rstrip() for line in whole)
                if not piece:
                    return

    def running(self) -> list[int]:
        """The process numbers of the programs that run, without the servers."""
        return [each.process.pid for each in self._children if not each.program.server and each.process.poll() is None]

    def require_running(self) -> None:
        """Raises CannotStart when a program has ended: while the stack is starting, none may."""
        for child in self._children:
            if child.process.poll() is not None:
                name, log = child.program.name, child.program.log
                raise CannotStart(
                    f"{name} ended ({_reason(child.process.returncode)}); its log {log}:\n{log_tail(log)}"
                )

    def check(self) -> None:
        """Bound the logs, and restart what has crashed, after a pause that doubles with every crash in a row.

        No program is given up, and none takes another with it: what made it crash, a full disk say, may pass.
        """
        now = time.monotonic()
        for child in self._children:
            bound(child.program.log)
            if child.restart_at is not None:
                if now >= child.restart_at:
                    self._restart(child, now=now)
            elif (code := child.process.poll()) is not None:
                self._crashed(child, why=f"ended ({_reason(code)})", now=now)

    def _restart(self, child: Child, *, now: float) -> None:
        try:
            child.process = spawn(child.program)
        except CannotStart as refusal:
            self._crashed(child, why=f"did not start ({refusal})", now=now)
        else:
            child.started_at, child.restart_at = now, None

    def _crashed(self, child: Child, *, why: str, now: float) -> None:
        kill_group(child.process)  # its own children must not go on without it
        name, log = child.program.name, child.program.log
        child.crashes = 1 if now - child.started_at > STEADY_AFTER_S else child.crashes + 1
        pause = min(self._restart_after_s * 2 ** min(child.crashes - 1, 20), MAX_PAUSE_S)
        child.restart_at = now + pause
        self._say(f"{name} {why}; starting it again in {pause:g} s{_space(log.parent)} (log: {log})")

    def stop(self) -> None:
        """Ask the programs to end and then the servers. Kill what does not end within its patience."""
        for servers in (False, True):
            wave = [child for child in reversed(self._children) if child.program.server is servers]
            for child in wave:
                if child.process.poll() is None:
                    child.process.send_signal(child.program.stop_signal)
            asked_at = time.monotonic()
            for child in wave:
                if not self._ended(child, asked_at):
                    self._say(f"{child.program.name} did not stop in time and was killed")
                kill_group(child.process)
                self._children.remove(child)

    def _ended(self, child: Child, asked_at: float) -> bool:
        while child.process.poll() is None:
            hurry = self._requests > 1
            if time.monotonic() - asked_at > (0 if hurry else child.program.patience_s):
                return False
            time.sleep(0.02)
        return True


def _reason(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"signal {-code}"


def _space(folder: Path) -> str:
    """A word about the disk, when it is what programs usually crash of."""
    with contextlib.suppress(OSError):
        if (free := shutil.disk_usage(folder).free) < LITTLE_SPACE:
            return f"; its disk is full ({free // (1024 * 1024)} MB are free)"
    return ""
