"""How processes end: with the one that started them (on Linux), and the tasks of a worker by a moment that all know.

Readers of documents use it, so it must load neither Django nor Celery.
"""

import ctypes
import mmap
import os
import signal
import struct
import sys
import time
from collections.abc import Callable

_FORM = struct.Struct("d")
_shared = mmap.mmap(-1, _FORM.size)  # processes that are forked later have the same bytes; 0 is no moment
PR_SET_PDEATHSIG = 1


def exit_with_parent(parent: int, number: signal.Signals) -> Callable[[], None]:
    """What the child calls first: the kernel then sends it the signal when the parent dies.

    Linux takes the end of the thread that started the child for the death of the parent.
    """
    if not sys.platform.startswith("linux"):
        return lambda: None
    prctl = ctypes.CDLL(None).prctl  # looked up here: between fork and exec as little as possible may happen

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)

    return ask


def set_shutdown_deadline(seconds: float) -> None:
    """Have the tasks end within so many seconds from now, in this process and in those that it forked."""
    _shared[:] = _FORM.pack(time.monotonic() + seconds)  # the clock is the same for all processes of a machine


def shutdown_deadline_passed() -> bool:
    """Whether the worker is stopping, and its tasks have had their time."""
    (moment,) = _FORM.unpack(_shared[:])
    return bool(moment) and time.monotonic() >= moment
