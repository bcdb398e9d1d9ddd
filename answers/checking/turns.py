"""Turns: a web process checks one text at a time, and searches beside it go first."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.utils.translation import gettext as _

from kb_project.database.connections import release
from kb_project.errors import Invalid, Unavailable

# Mostly Python, of which a process does one thing at a time: more at once would slow every search beside them.
AT_ONCE = 1
_turns = BoundedSemaphore(AT_ONCE)
LAST_TURN_WITHIN_S = 30.0  # where no worker can do it instead
# A search gives the processor up whenever it waits for the database. Python has it back from a check after so long.
SWITCH_S = 0.0005


class TooMany(Unavailable):
    """The turn did not come in time."""


class TookTooLong(Invalid):
    """What was begun at once takes longer than somebody may wait."""


@contextmanager
def check_turn(*, within_s: float = LAST_TURN_WITHIN_S) -> Iterator[None]:
    """Wait for the turn of this process, without a connection to the database, and give one back at its end.

    Raises TooMany.
    """
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
        release()
