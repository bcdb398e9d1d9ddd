"""The connection to Qdrant: one that was closed meanwhile is no outage."""

import socketserver
import threading
from collections.abc import Iterator

import pytest
from django.test import override_settings

from kb_project.errors import Unavailable
from search.index.qdrant.client import client, qdrant_errors

ANSWER = b'{"result": {"collections": []}, "status": "ok", "time": 0.0}'
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"


class Closing(socketserver.StreamRequestHandler):
    """Answers the first request of a connection, and closes it when the second has come."""

    server: "Server"

    def handle(self) -> None:
        self._read()
        if self.server.answers:
            self.wfile.write(HEAD % len(ANSWER) + ANSWER)
            self._read()

    def _read(self) -> None:
        while self.rfile.readline().strip():
            pass
        self.server.requests += 1


class Server(socketserver.ThreadingTCPServer):
    daemon_threads, answers, requests = True, True, 0


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Closing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client.cache_clear()
        with override_settings(KB_QDRANT_URL=f"http://127.0.0.1:{server.server_address[1]}"):
            yield server
        client.cache_clear()
        server.shutdown()


def test_a_connection_that_is_closed_at_the_second_request_is_made_again(server: Server) -> None:
    for _ in range(3):
        with qdrant_errors() as qdrant:
            assert qdrant.get_collections().collections == []
    assert server.requests > 3, "each second request of a connection was made again"


def test_a_server_that_never_answers_is_asked_twice_and_is_unavailable(server: Server) -> None:
    server.answers = False
    with pytest.raises(Unavailable), qdrant_errors() as qdrant:
        qdrant.get_collections()
    assert server.requests == 2
