"""A database server that is gone without a word is not waited for as long as the system would."""

import socket

import pytest
from django.db import connection


@pytest.mark.django_db
@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux says so")
def test_connection_ends_when_server_is_silent_for_some_seconds() -> None:
    connection.ensure_connection()
    with socket.socket(fileno=socket.dup(connection.connection.fileno())) as of_connection:
        assert of_connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert of_connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 8000
        assert of_connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 5
