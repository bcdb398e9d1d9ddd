"""How many cores of this machine nothing else wants, and having the C library keep little memory.

The kernel counts what each core did. What others did, and what we had to wait for a core, is wanted by others.
"""

import os
import time
from contextlib import suppress
from ctypes import CDLL
from pathlib import Path

_ARENA_MAX = -8  # of `mallopt`
_COUNTS = Path("/proc/stat")
_BUSY = (0, 1, 2, 5, 6)  # user, nice, system and two kinds of interrupt, of the columns of a core, in ticks
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_LOOK_S = 0.5  # between two looks: long enough to be exact, with ticks of a hundredth
_STALE_S = 5.0  # what was counted longer than this ago tells nothing of now


class IdleCores:
    """Asked by one thread at a time."""

    def __init__(self, cores: set[int]) -> None:
        """Of these cores, by their numbers."""
        self._cores = cores
        self._count = 1
        self._waited_s = 0.0
        self._looked_at = self._others_s = 0.0

    def waited(self, seconds: float) -> None:
        """A thread of this process would have run for so long, but had no core."""
        self._waited_s += seconds

    def count(self) -> int:
        """As of half a second ago at most. All, where nobody counts: the threads that use them are nice."""
        now = time.monotonic()
        if (elapsed := now - self._looked_at) < _LOOK_S:
            return self._count
        if (busy_s := self._busy_s()) is None:
            return len(self._cores)
        others_s = busy_s - time.process_time()
        if elapsed < _STALE_S:
            wanted = (others_s - self._others_s + self._waited_s) / elapsed
            self._count = max(0, min(len(self._cores), round(len(self._cores) - wanted)))
        else:
            self._count = 1
        self._looked_at, self._others_s, self._waited_s = now, others_s, 0.0
        return self._count

    def _busy_s(self) -> float | None:
        """What the cores have worked since the machine began, in seconds. None where it is not counted."""
        try:
            rows = [line.split() for line in _COUNTS.read_text().splitlines() if line.startswith("cpu")]
        except OSError:
            return None
        of_cores = [row[1:] for row in rows if row[0][3:].isdecimal() and int(row[0][3:]) in self._cores]
        return _TICK_S * sum(int(row[column]) for row in of_cores for column in _BUSY)


def keep_in_one_place() -> None:
    """All threads take memory from one place, before there are any: each would keep some 30 MB of its own."""
    with suppress(AttributeError, OSError):
        CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Give what is kept back to the machine."""
    with suppress(AttributeError, OSError):
        CDLL(None).malloc_trim(0)
