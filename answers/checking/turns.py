"""Turns: a process checks one text at a time, as each takes the processor from everything beside it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.utils.translation import gettext as _

from kb_project.database.connections import release
from kb_project.errors import Unavailable

AT_ONCE = 1
_turns = BoundedSemaphore(AT_ONCE)
LAST_TURN_WITHIN_S = 30.0  # where nothing is kept, so that nobody can do it later
# A thread gives the processor up whenever it waits for another server. Python has it back from a check after so long.
SWITCH_S = 0.0005


class TooMany(Unavailable):
    """The turn did not come in time."""


@contextmanager
def check_turn(*, within_s: float = LAST_TURN_WITHIN_S) -> Iterator[None]:
    """Wait for the turn of this process, without a connection to the database. Raises TooMany."""
    if not _turns.acquire(blocking=False):
        release()
        if not _turns.acquire(timeout=within_s):
            raise TooMany(_("Too many texts are being checked. Try again in a moment."))
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
        _turns.release()
