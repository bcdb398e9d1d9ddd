"""Memory that the C library keeps for later: it is asked to keep little. With another than glibc nothing happens."""

from contextlib import suppress
from ctypes import CDLL

_ARENA_MAX = -8  # of `mallopt`


def keep_in_one_place() -> None:
    """All threads take memory from one place, before there are any: each would keep some 30 MB of its own."""
    with suppress(AttributeError, OSError):
        CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Give what is kept back to the machine."""
    with suppress(AttributeError, OSError):
        CDLL(None).malloc_trim(0)
