"""The backend that `ENGINE` names; everything but the pool's health check and its patience is Django's."""

import select
import time
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection
from psycopg_pool import ConnectionPool, PoolTimeout

BUSY_FOR_S = 10.0  # how long a request waits for a connection while the others have them all
ANSWERS_WITHIN_S = 1.0  # a server that takes longer to let a connection in is taken to be away


class WatchedConnection(Connection[Any]):
    """A connection of the pool; the class knows since when the server has let none in."""

    unanswered_since: float | None = None

    @classmethod
    def connect(cls, *args: Any, **kwargs: Any) -> Any:
        if WatchedConnection.unanswered_since is None:
            WatchedConnection.unanswered_since = time.monotonic()
        connection = super().connect(*args, **kwargs)
        WatchedConnection.unanswered_since = None
        return connection


def is_away() -> bool:
    """Whether the server has let no connection in since the last one was asked for, a while ago."""
    since = WatchedConnection.unanswered_since
    return since is not None and time.monotonic() - since > ANSWERS_WITHIN_S


class DatabaseWrapper(base.DatabaseWrapper):
    """For a pool without CONN_HEALTH_CHECKS: a connection is asked only where there is a sign that it was closed.

    To ask each time takes as long as some of the statements of a search.
    """

    @property
    def pool(self) -> ConnectionPool[Any] | None:
        pool: ConnectionPool[Any] | None = super().pool
        if pool is not None:
            pool.connection_class = WatchedConnection
        return pool

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        connection = self._connection(conn_params)
        while self.pool and not is_open(connection):
            connection.close()
            self.pool.putconn(connection)  # which makes another one in its place
            connection = self._connection(conn_params)
        return connection

    def _connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """One of the pool, where that is busy after some time; `PoolTimeout` soon where the server is away."""
        ends = time.monotonic() + BUSY_FOR_S
        while True:
            try:
                connection: Connection[Any] = super().get_new_connection(conn_params)
            except PoolTimeout:
                if is_away() or time.monotonic() > ends:
                    raise
            else:
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
