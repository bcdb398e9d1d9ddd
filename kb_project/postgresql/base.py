"""The backend that `ENGINE` names; everything but the pool's health check is Django's."""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """For a pool without CONN_HEALTH_CHECKS: a connection is asked only where there is a sign that it was closed.

    To ask each time takes as long as some of the statements of a search.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        connection: Connection[Any] = super().get_new_connection(conn_params)
        while self.pool and not is_open(connection):
            connection.close()
            self.pool.putconn(connection)  # which makes another one in its place
            connection = super().get_new_connection(conn_params)
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
