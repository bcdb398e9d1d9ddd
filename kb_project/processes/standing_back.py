"""Leaving the processor to others.

Where Linux shares the processor among sessions (`sched_autogroup_enabled`, as on most machines), niceness counts only
among the processes of one session. Each program of ours has a session of its own, so the session has to stand back.
"""

import contextlib
import errno
import os
import time

OF_SESSION = "/proc/self/autogroup"
TRIES = 20  # the kernel takes one such wish in a tenth of a second, of the whole machine


def stand_back_as_session(by: int) -> None:
    """Make the session that nice, if this process leads one. Where that cannot be had, nothing happens."""
    with contextlib.suppress(OSError):
        if os.getsid(0) == os.getpid():
            _of_session(by)


def _of_session(niceness: int) -> None:
    for _ in range(TRIES):
        try:
            with open(OF_SESSION, "w") as file:
                file.write(str(niceness))
        except OSError as error:
            if error.errno != errno.EAGAIN:
                raise
            time.sleep(0.1)
        else:
            return
