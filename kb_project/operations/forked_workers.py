"""Programs forked from one process, so that they share the memory of what is imported. For one machine."""

import contextlib
import ctypes
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from kb_project.processes.ending import exit_with_parent

PAUSE_S = 2.0  # before what ended is started again
PR_SET_NAME = 15
log = logging.getLogger(__name__)


class ForkedPrograms:
    """Each in a session of its own. Whichever ends is started again and takes no other with it.

    This process has no threads and no connections, and does nothing but wait.
    """

    def __init__(self, programs: Mapping[str, Callable[[], NoReturn]]) -> None:
        """`programs` by their names, of 15 characters at most, which `ps` shows."""
        self._programs = programs
        self._running: dict[int, str] = {}
        self._is_stopping = False

    def run(self) -> None:
        """Until SIGTERM, which is passed on, and until all have ended."""
        signal.signal(signal.SIGTERM, self._stop)
        for name in self._programs:
            self._start(name)
        while self._running:
            pid, status = os.wait()
            name = self._running.pop(pid)
            _kill_session(pid)
            if not self._is_stopping:
                log.error("%s ended with %d; it is started again", name, os.waitstatus_to_exitcode(status))
                time.sleep(PAUSE_S)
                self._start(name)

    def _start(self, name: str) -> None:
        if self._is_stopping:
            return
        parent = os.getpid()
        if pid := os.fork():
            self._running[pid] = name
            if self._is_stopping:  # since it was looked at above
                self._stop()
            return
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setsid()
        exit_with_parent(parent, signal.SIGKILL)()
        _show_as(name)
        self._programs[name]()

    def _stop(self, *_: Any) -> None:
        self._is_stopping = True
        for pid in self._running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def _kill_session(pid: int) -> None:
    """What it started must not go on without it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _show_as(name: str) -> None:
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode())
