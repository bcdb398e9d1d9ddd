"""Links between parts: what passes, how late, and what waits."""

import socket
import time
from collections.abc import Iterator

import pytest

from bench.links import Links


@pytest.fixture
def linked() -> Iterator[tuple[Links, socket.socket, socket.socket]]:
    """Links, and the two ends of a connection over one of them."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        links = Links({("web", "redis"): int(server.getsockname()[1])})
        with socket.create_connection(("127.0.0.1", links.port("web", "redis")), timeout=30) as here:
            there, _ = server.accept()
            with there:
                yield links, here, there
        links.stop()


def test_what_is_slowed_comes_later(linked: tuple[Links, socket.socket, socket.socket]) -> None:
    links, here, there = linked
    links.slow("redis", 0.3)
    began = time.monotonic()
    here.sendall(b"ping")
    assert there.recv(4) == b"ping"
    assert time.monotonic() - began >= 0.3


def test_what_is_cut_off_waits(linked: tuple[Links, socket.socket, socket.socket]) -> None:
    links, here, there = linked
    links.cut_off("web")
    here.sendall(b"ping")
    there.settimeout(0.5)
    with pytest.raises(TimeoutError):
        there.recv(4)
    links.slow("web", 0)
    there.settimeout(30)
    assert there.recv(4) == b"ping"
