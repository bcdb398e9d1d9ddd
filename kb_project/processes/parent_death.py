"""A process that ends with the one that started it, however that one ends. Linux only: elsewhere nothing happens.

Readers of documents use it, so it must load neither Django nor Celery.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

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
