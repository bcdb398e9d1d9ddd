"""Whether programs that are starting get on. Beside other work that takes minutes, and is no failure."""

import contextlib
import time
from collections.abc import Callable, Iterable

import psutil

STILL_FOR_S = 90.0  # without movement: they wait for something that does not come
WORKED_S = 0.7  # of a processor: more than programs take in that time that only wait
READ_BYTES = 1024 * 1024
MAX_SECONDS = 1800.0  # whatever moves


class Movement:
    """What programs, and those that they started, have worked and read, looked at now and then.

    A processor of which they get a hundredth is enough to be seen to move.
    """

    def __init__(self, pids: Callable[[], Iterable[int]]) -> None:
        self._pids = pids
        self._began_at = self._moved_at = time.monotonic()
        self._seen = self._measure()

    @property
    def seconds(self) -> float:
        """Since the first look."""
        return time.monotonic() - self._began_at

    def has_stopped(self) -> bool:
        """Whether nothing has moved for long, or it has taken too long altogether."""
        now, found = time.monotonic(), self._measure()
        worked, read = (abs(new - old) for new, old in zip(found, self._seen, strict=True))
        if worked >= WORKED_S or read >= READ_BYTES:
            self._moved_at, self._seen = now, found
        return now - self._moved_at > STILL_FOR_S or now - self._began_at > MAX_SECONDS

    def _measure(self) -> tuple[float, float]:
        """Seconds of a processor, and bytes from the disk."""
        worked = read = 0.0
        for pid in self._pids():
            with contextlib.suppress(psutil.Error):
                for process in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True)):
                    with contextlib.suppress(psutil.Error):
                        times = process.cpu_times()
                        worked += times.user + times.system
                        read += process.io_counters().read_bytes
        return worked, read
