"""Work that was noted in a table, in the transaction that made it necessary, and is done in the background.

A note says what is to be looked at (a source, a work), several may say the same. One process works at a time, in short
transactions. Each deletes the notes of what it did, so whatever is noted meanwhile is done next.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kb_project.database.rows import fetch

AT_ONCE = 20  # things that are worked on before the table is read again

log = logging.getLogger(__name__)
_looks: dict[str, Callable[[], bool]] = {}


def look_for(task: str, is_noted: Callable[[], bool]) -> None:
    """Have beat start the task, by its name, while there is something for it to do, for the module `tasks` of an app.

    `is_noted` is asked every few seconds, and reads a row at most.
    """
    _looks[task] = is_noted


def tasks_with_work() -> list[str]:
    """Those for which something is noted now. What cannot be asked is logged, and keeps no other waiting."""
    found = []
    for task, is_noted in _looks.items():
        try:
            if is_noted():
                found.append(task)
        except Exception:
            log.exception("Whether %s has something to do cannot be told", task)
    return found


def try_lock(lock: int) -> bool:
    """Take an advisory lock until the end of this transaction. Returns False where another process has it."""
    [(alone,)] = fetch("SELECT pg_try_advisory_xact_lock(%s)", [lock])
    return bool(alone)


@contextmanager
def try_session_lock(lock: int) -> Iterator[bool]:
    """The same until the end of the block, for work that waits for others: no transaction is open meanwhile."""
    [(alone,)] = fetch("SELECT pg_try_advisory_lock(%s::bigint)", [lock])
    try:
        yield bool(alone)
    finally:
        if alone:
            fetch("SELECT pg_advisory_unlock(%s::bigint)", [lock])


@dataclass(frozen=True)
class WorkQueue:
    """The notes of one table. `about` is the column of what they are about, `lock` a key that nobody else has."""

    table: str
    about: str
    lock: int

    def exist(self) -> bool:
        """Whether anything is noted."""
        return bool(fetch(f"SELECT 1 FROM {self.table} LIMIT 1", []))

    def run_for(self, seconds: float, step: Callable[[int], int], *, before: Callable[[], int] = lambda: 0) -> int:
        """Call `step` with the id of each thing that is noted, oldest note first. Returns the sum of what it returns.

        It ends when nothing more was done, or the time is over. `before` is called before each batch, and may do other
        work of the table. What raises, that too, is logged and left for the next call, so that nothing else waits for
        it.
        """
        ends, done, failed = time.monotonic() + seconds, 0, set[int]()
        while time.monotonic() < ends:
            batch = self._before(before)
            for pk in self._oldest(without=failed):
                try:
                    batch += step(pk)
                except Exception:
                    log.exception("The work on %s %s of %s failed", self.about, pk, self.table)
                    failed.add(pk)
                if time.monotonic() > ends:
                    break
            done += batch
            if not batch:
                break
        return done

    def _before(self, before: Callable[[], int]) -> int:
        try:
            return before()
        except Exception:
            log.exception("What comes before the work of %s failed", self.table)
            return 0

    def _oldest(self, *, without: Collection[int]) -> list[int]:
        """What the oldest notes are about, each once, the oldest first, `AT_ONCE` at most."""
        statement = f"""
            SELECT {self.about} FROM {self.table} WHERE {self.about} IS NOT NULL AND {self.about} <> ALL(%s::bigint[])
            GROUP BY 1 ORDER BY min(id) LIMIT {AT_ONCE}
        """
        return [pk for (pk,) in fetch(statement, [list(without)])]

    def forget(self, ids: Iterable[int]) -> None:
        """Delete notes, in the transaction of what they asked for."""
        fetch(f"DELETE FROM {self.table} WHERE id = ANY(%s::bigint[]) RETURNING id", [list(ids)])
