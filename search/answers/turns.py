"""Taking turns at what a question costs this process: checking who asks, finding passages, keeping the trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from kb_project.database.connections import release

# The work is mostly Python, of which a process does one thing at a time: more questions at once would only slow each
# other down, and every search beside them.
AT_ONCE = 2
_turns = BoundedSemaphore(AT_ONCE)


@contextmanager
def turn() -> Iterator[None]:
    """Wait for one of `AT_ONCE` turns, and give the database connection back at its end.

    So however many questions are asked at once, they hold no more connections than that. Nothing slow belongs in a
    turn, and no second turn.
    """
    with _turns:
        try:
            yield
        finally:
            release()
