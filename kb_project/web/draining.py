"""Whether this web process was asked to stop, and what is to be told when what still runs is cut off."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_since: float | None = None
_is_cut = False
_to_tell: set[Callable[[], None]] = set()  # all of it happens in the event loop's thread


def start_draining() -> None:
    """Somebody asked the process to stop. Calling it again changes nothing."""
    global _since
    if _since is None:
        _since = time.monotonic()


def draining_seconds() -> float | None:
    """For how many seconds the process has been leaving, or None when it stays."""
    return None if _since is None else time.monotonic() - _since


def notify_shutdown() -> None:
    """The time for what still runs is over: tell everyone who asked for it."""
    global _is_cut
    _is_cut = True
    for tell in tuple(_to_tell):
        tell()


@contextmanager
def on_shutdown(tell: Callable[[], None]) -> Iterator[None]:
    """During the block, call `tell` in the event loop when `notify_shutdown` is called. At once if it was."""
    _to_tell.add(tell)
    if _is_cut:
        tell()
    try:
        yield
    finally:
        _to_tell.discard(tell)
