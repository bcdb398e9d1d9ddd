"""The backend that `ENGINE` names. Everything but the pool's health check, its patience and its plans is Django's."""

import logging
import os
import select
import signal
import time
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar
from weakref import WeakSet

from django.db.backends.postgresql import base
from psycopg import Connection
from psycopg_pool import ConnectionPool, PoolTimeout

from kb_project.database.postgresql.prepared import PreparedStatements

BUSY_FOR_S = 10.0  # how long a request waits for a connection while the others have them all
ANSWERS_WITHIN_S = 1.0  # a server that takes longer to let a connection in is taken to be away
REPLACED_AFTER_S = 60.0  # in which no request of a process got a connection, though the server is there

log = logging.getLogger(__name__)


class WatchedConnection(Connection[Any]):
    """A connection of a pool. The class, one for each server, knows since when the server has let none in."""

    unanswered_since: ClassVar[float | None] = None
    none_free_since: ClassVar[float | None] = None  # all are in use, and no request has got one
    opened: ClassVar[WeakSet[Any]] = WeakSet()
    on_connect: ClassVar[Callable[[Connection[Any]], None] | None] = None
    """Called with each connection before it is used; what it raises keeps it from being used."""
    prepared: PreparedStatements | None = None

    @classmethod
    def connect(cls, *args: Any, **kwargs: Any) -> Any:
        if cls.unanswered_since is None:
            cls.unanswered_since = time.monotonic()
        connection = super().connect(*args, **kwargs)
        cls.unanswered_since = None
        cls.opened.add(connection)
        if cls.on_connect is not None:
            cls.on_connect(connection)
        return connection

    @classmethod
    def note_busy(cls) -> None:
        """No connection was to be had. After a while of that none comes back: have the process stop, to be replaced."""
        if cls.none_free_since is None:
            cls.none_free_since = time.monotonic()
        elif time.monotonic() - cls.none_free_since > REPLACED_AFTER_S:
            log.critical("No database connection was free for %d seconds. This process stops.", REPLACED_AFTER_S)
            cls.none_free_since = None
            os.kill(os.getpid(), signal.SIGTERM)

    @classmethod
    def is_away(cls) -> bool:
        """Whether the server has let no connection in since the last one was asked for, a while ago."""
        since = cls.unanswered_since
        return since is not None and time.monotonic() - since > ANSWERS_WITHIN_S


@cache
def connection_class(alias: str) -> type[WatchedConnection]:
    """The class of the connections to the server of this alias."""
    return type("WatchedConnection", (WatchedConnection,), {"opened": WeakSet()})


class DatabaseWrapper(base.DatabaseWrapper):
    """For a pool without CONN_HEALTH_CHECKS: a connection is asked only where there is a sign that it was closed.

    To ask each time takes as long as some of the statements of a search.
    """

    @property
    def pool(self) -> ConnectionPool[Any] | None:
        pool: ConnectionPool[Any] | None = super().pool
        if pool is not None:
            pool.connection_class = connection_class(self.alias)
        return pool

    def _configure_connection(self, connection: Connection[Any]) -> bool:
        """Have what is prepared planned once (`kb_project.database.rows`).

        The server would else plan most statements of a search anew each time, as for its parameters it expects a little
        less work: that takes longer than the work.
        """
        is_set: bool = super()._configure_connection(connection)  # type: ignore[misc]  # the stubs do not know it
        after = self.settings_dict["OPTIONS"].get("prepare_threshold")
        if after is None:
            return is_set
        connection.execute("SET plan_cache_mode = force_generic_plan")
        if isinstance(connection, WatchedConnection) and connection.prepared is None:
            connection.prepared = PreparedStatements(connection, after=after)
        return True

    def close_if_health_check_failed(self) -> None:
        """Asked before each statement. Django's looks for the pool first."""
        if self.health_check_enabled:  # type: ignore[attr-defined]  # the stubs do not know it
            super().close_if_health_check_failed()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        connection = self._connection(conn_params)
        while self.pool and not is_open(connection):
            connection.close()
            self.pool.putconn(connection)  # which makes another one in its place
            connection = self._connection(conn_params)
        return connection

    def _connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """One of the pool, where that is busy after some time. `PoolTimeout` soon where the server is away."""
        ends = time.monotonic() + BUSY_FOR_S
        connections = connection_class(self.alias)
        while True:
            try:
                connection: Connection[Any] = super().get_new_connection(conn_params)
            except PoolTimeout:
                if connections.is_away():
                    raise
                connections.note_busy()
                if time.monotonic() > ends:
                    raise
            else:
                connections.none_free_since = None
                return connection


def is_open(connection: Connection[Any]) -> bool:
    """Whether an idle connection can still be used.

    The server says hardly anything on it but that it closes it: without something to read it is not asked. One that was
    lost without a word is met by the statement that uses it.
    """
    try:
        poll = select.poll()
        poll.register(connection.fileno(), select.POLLIN)
        if poll.poll(0):
            ConnectionPool.check_connection(connection)
    except Exception:  # whatever is wrong with it, another one is taken
        return False
    return True
