"""How far each standby has come, and whether it may be read: looked at once a second by a thread of each process."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.conninfo import make_conninfo

from kb_project.database.postgresql.base import connection_class
from kb_project.database.standbys import configured
from kb_project.database.standbys.positions import PRIMARY, STALE_AFTER_S, Position
from kb_project.observability.metrics import REPLICA_LAG

logger = logging.getLogger(__name__)

EVERY_S = 1.0
PRIMARY_WITHIN_S = 0.5  # then the standbys are looked at without it
ANSWERS_WITHIN_S = 2.0  # one that takes longer is cut off, with what is being read from it
SILENT_AFTER_S = 4.0  # since it was looked at last
SAMPLES = 30  # positions of the primary that are remembered
LOOK = """
SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn() - '0/0'::pg_lsn,
    (SELECT system_identifier FROM pg_control_system()),
    (SELECT count(*) FROM pg_stat_wal_receiver), (SELECT received_tli FROM pg_stat_wal_receiver)
"""
SILENT = "It does not answer."
PROMOTED = "It is no standby any more."
NO_RECEIVER = "It receives nothing from the primary."
HIDDEN = "Its user may not see what it receives: GRANT pg_read_all_stats TO the user of DATABASE_URL."
STRANGER = "It is not a standby of the primary."
OTHER_TIMELINE = "It does not follow the primary that there is now."
STALE = f"It is more than {STALE_AFTER_S:g} seconds behind."


@dataclass(frozen=True, slots=True)
class StandbyReport:
    """What a standby said of itself: `at` is a `time.monotonic()`, `cluster` the identifier of its data."""

    at: float
    position: Position | None
    cluster: int
    trouble: str

    @classmethod
    def of(cls, row: Any) -> StandbyReport:
        in_recovery, lsn, cluster, receivers, timeline = row
        trouble = PROMOTED if not in_recovery else NO_RECEIVER if not receivers else "" if timeline else HIDDEN
        position = Position(timeline, int(lsn)) if timeline and lsn is not None else None
        return cls(time.monotonic(), position, cluster, trouble)


class Standby:
    """One standby as this process knows it."""

    def __init__(self, alias: str) -> None:
        self.alias = alias
        self.last: StandbyReport | None = None
        self.fresh_at = float("-inf")  # it has all that the primary had then
        self.behind_until = 0.0
        """Until then nobody waits for it again."""
        self._watching: psycopg.Connection[Any] | None = None
        self._looking: Future[None] | None = None
        connection_class(alias).on_connect = self._connected

    def _connected(self, connection: psycopg.Connection[Any]) -> None:
        """Note how far the standby of a new connection is."""
        self.seen(connection.execute(LOOK).fetchone())

    def seen(self, row: Any) -> None:
        """Take in a row of `LOOK`. The last one counts: after a crash a standby may have come less far."""
        self.last = StandbyReport.of(row)

    def failed(self) -> None:
        """It is not read until it was looked at again."""
        self.last = None

    def has(self, least: Position) -> bool:
        last = self.last
        return last is not None and last.position is not None and last.position.reaches(least)

    def begin_look(self, threads: ThreadPoolExecutor) -> Future[None]:
        """Look at it in a thread, unless one does already."""
        if self._looking is None or self._looking.done():
            self._looking = threads.submit(self._look)
        return self._looking

    def _look(self) -> None:
        """Note how far the standby is: its timeline and log position, or that it failed."""
        try:
            if self._watching is None or self._watching.closed:
                self._watching = connect(self.alias)
            self.seen(self._watching.execute(LOOK).fetchone())
        except Exception as error:
            self.failed()
            if self._watching is not None:
                self._watching.close()
                self._watching = None
            logger.debug("%s does not answer: %s", self.alias, error)

    def cut(self) -> None:
        """End what waits for it: readers go elsewhere when their connection ends."""
        self.failed()
        opened: list[Any] = [*connection_class(self.alias).opened, self._watching]
        for connection in opened:
            with suppress(Exception), socket.socket(fileno=os.dup(connection.fileno())) as same:  # it may be closed
                same.shutdown(socket.SHUT_RDWR)


class StandbyWatch:
    """The standbys of this process, and where the primary was lately."""

    def __init__(self, aliases: list[str]) -> None:
        self.standbys = [Standby(alias) for alias in aliases]
        self._samples: deque[tuple[float, Position]] = deque(maxlen=SAMPLES)
        self._cluster = 0
        self._primary: psycopg.Connection[Any] | None = None
        self._sampling: Future[None] | None = None
        self._threads = ThreadPoolExecutor(len(aliases) + 1, thread_name_prefix="standbys")
        self._troubles: dict[str, str] = {}

    def trouble(self, standby: Standby) -> str:
        """Why the standby is not to be read, in a sentence, or "" when it may be."""
        look, now = standby.last, time.monotonic()
        if look is None or now - look.at > SILENT_AFTER_S:
            return SILENT
        if look.trouble:
            return look.trouble
        if not self._samples or look.position is None:
            return STALE
        if look.cluster != self._cluster:
            return STRANGER
        if look.position.timeline != self._samples[-1][1].timeline:
            return OTHER_TIMELINE
        return STALE if now - standby.fresh_at > STALE_AFTER_S else ""

    def lag_s(self, standby: Standby) -> float | None:
        """For how long at most the primary had what the standby has not, or None when nobody knows."""
        if standby.last is None or not self._samples:
            return None
        at, position = self._samples[-1]
        if standby.has(position):
            return 0.0
        return at - standby.fresh_at if standby.fresh_at > 0 else None

    def run(self) -> None:
        """Look at all of them for as long as the process lives."""
        while True:
            self.tick()
            time.sleep(EVERY_S)

    def tick(self) -> None:
        """Look at the primary, then at the standbys side by side."""
        if self._sampling is None or self._sampling.done():
            self._sampling = self._threads.submit(self._sample)
        wait([self._sampling], timeout=PRIMARY_WITHIN_S)
        looks = {standby.begin_look(self._threads): standby for standby in self.standbys}
        for late in wait(looks, timeout=ANSWERS_WITHIN_S).not_done:
            looks[late].cut()
        for standby in self.standbys:
            self._judge(standby)

    def _judge(self, standby: Standby) -> None:
        standby.fresh_at = max(
            (at for at, position in [*self._samples] if standby.has(position)), default=float("-inf")
        )
        trouble = self.trouble(standby)
        if trouble != self._troubles.get(standby.alias, SILENT):
            logger.log(
                logging.WARNING if trouble else logging.INFO,
                "%s is %s",
                standby.alias,
                f"not read: {trouble}" if trouble else "read",
            )
        self._troubles[standby.alias] = trouble
        if (lag := self.lag_s(standby)) is not None:
            REPLICA_LAG.labels(standby=standby.alias).set(lag)

    def _sample(self) -> None:
        """Keep when the primary was at which timeline and log position."""
        try:
            if self._primary is None or self._primary.closed:
                self._primary = connect(DEFAULT_DB_ALIAS)
            at = time.monotonic()  # what it had then it says, and maybe more
            row: Any = self._primary.execute(PRIMARY).fetchone()
            timeline, lsn, self._cluster = row
            self._samples.append((at, Position(timeline, int(lsn))))
        except Exception as error:
            logger.debug("The primary does not answer: %s", error)
            if self._primary is not None:
                self._primary.close()
                self._primary = None


def connect(alias: str) -> psycopg.Connection[Any]:
    """A connection beside the pool, so that neither waits for the other."""
    ours = ("cursor_factory", "context", "prepare_threshold")
    parameters = {k: v for k, v in connections[alias].get_connection_params().items() if k not in ours}
    parameters |= {"connect_timeout": 2, "application_name": "kb-standbys"}
    return psycopg.connect(make_conninfo(**parameters), autocommit=True)


_lock = threading.Lock()


@lru_cache(maxsize=1)
def _begun() -> StandbyWatch:
    watch = StandbyWatch(configured())
    threading.Thread(target=watch.run, name="standbys", daemon=True).start()
    return watch


def watch() -> StandbyWatch:
    """This process's. It begins with the first read, as a process that forks has no threads."""
    with _lock:
        return _begun()
