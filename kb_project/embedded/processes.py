"""Child processes: each in a session of its own, its output in a log file, its death tied to ours."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb_project.embedded import CannotStart, machine
from kb_project.processes.parent_death import end_with

LOG_LIMIT_BYTES = 20 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Program:
    """What to run: `stop_signal` asks it to end, `patience_s` later it is killed with all it started."""

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str] | None = None
    cwd: Path | None = None
    user: str | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    patience_s: float = 10.0
    server: bool = False  # others need it: it is stopped after them
    # What the kernel sends when the supervisor itself is killed and can no longer stop anything in order.
    orphan_signal: signal.Signals = signal.SIGTERM


def spawn(program: Program, *, stdout: int | None = None) -> subprocess.Popen[bytes]:
    """Start the program; what it says goes to its log, or its standard output to the given file descriptor.

    Its session is its own, so Ctrl-C in the terminal does not reach it. Call it from a thread that lives as
    long as the program should: Linux takes the end of that thread for the death of the parent.
    """
    program.log.parent.mkdir(parents=True, exist_ok=True)
    if program.log.exists() and program.log.stat().st_size > LOG_LIMIT_BYTES:
        program.log.replace(program.log.with_suffix(".log.1"))
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
                preexec_fn=end_with(os.getpid(), program.orphan_signal),
                **machine.identity(program.user),
            )
    except OSError as error:
        raise CannotStart(f"{program.name} cannot be started: {error}.") from error


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
