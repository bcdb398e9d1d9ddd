"""What a process that reads does first of all."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
_LEAST_NICE = 19
_libc = ctypes.CDLL(None, use_errno=True)


def die_with(parent: int) -> None:
    """Have this process killed when its parent ends; to be called right after the fork, with the parent's number."""
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def take_idle_time_only() -> None:
    """Run when no other process wants the processor, or nearly so."""
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(_LEAST_NICE)
