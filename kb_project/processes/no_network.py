"""A process without a network. Linux only, and where the system allows it: elsewhere nothing happens.

Readers of documents use it, so it must load neither Django nor Celery.
"""

import ctypes
import sys
from collections.abc import Callable

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


def without_network() -> Callable[[], None]:
    """What the child calls before it runs another program: that gets a namespace of its own, which leads nowhere."""
    if not sys.platform.startswith("linux"):
        return lambda: None
    unshare = ctypes.CDLL(None).unshare  # looked up here: between fork and exec as little as possible may happen

    def leave() -> None:
        if unshare(CLONE_NEWNET):  # only root may do that by itself
            unshare(CLONE_NEWUSER | CLONE_NEWNET)

    return leave
