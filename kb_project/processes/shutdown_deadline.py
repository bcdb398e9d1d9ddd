"""The moment by which the tasks of a worker must have ended, known to all its processes: none before it is to stop."""

import mmap
import struct
import time

_FORM = struct.Struct("d")
_shared = mmap.mmap(-1, _FORM.size)  # processes that are forked later have the same bytes; 0 is no moment


def set_shutdown_deadline(seconds: float) -> None:
    """Have the tasks end within so many seconds from now, in this process and in those that it forked."""
    _shared[:] = _FORM.pack(time.monotonic() + seconds)  # the clock is the same for all processes of a machine


def shutdown_deadline_passed() -> bool:
    """Whether the worker is stopping, and its tasks have had their time."""
    (moment,) = _FORM.unpack(_shared[:])
    return bool(moment) and time.monotonic() >= moment
