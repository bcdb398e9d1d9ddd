"""Hints to a broker that hangs: one try, and whoever sends goes on."""

import gc
import queue
import socket
import threading
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
import redis
from django.test import Client

from kb_project import hints
from kb_project import settings as own_settings
from kb_project.celery import SENDING, Application
from kb_project.clients.redis_client import quick_client


class Hanging:
    """A broker that takes connections, hears the first words, and never answers. `heard` gets a port for each try."""

    def __init__(self) -> None:
        self.heard: queue.Queue[int] = queue.Queue()
        self._taken: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self._listening.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        try:
            while True:
                taken, (_host, port) = self._listening.accept()
                self._taken.append(taken)
                if taken.recv(1):
                    self.heard.put(port)
        except OSError:
            pass  # closed

    def tries_so_far(self) -> int:
        """Those before one of our own, as connections are taken in their order."""
        with socket.create_connection(("127.0.0.1", self.port)) as own:
            own.sendall(b"x")
            port = own.getsockname()[1]
            return next(before for before in count() if self.heard.get(timeout=60) == port)

    def close(self) -> None:
        for one in [self._listening, *self._taken]:
            one.close()


def patience_of(port: int) -> float | None:
    """Seconds that the client's end of a connection from this port waits for an answer. None: for ever."""
    [client] = [
        one
        for one in gc.get_objects()
        if issubclass(type(one), socket.socket) and is_from(one, port)  # isinstance asks proxies of what is gone
    ]
    return client.gettimeout()


def is_from(one: socket.socket, port: int) -> bool:
    return one.fileno() >= 0 and one.family == socket.AF_INET and one.getsockname()[1] == port


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Hanging]:
    broker = Hanging()
    settings.CELERY_BROKER_URL = broker.url
    app = Application("hanging", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    monkeypatch.setattr("kb_project.celery.app", app)
    monkeypatch.setattr(hints, "_away_until", 0.0)
    yield broker
    app.close()
    broker.close()


def test_a_broker_that_hangs_is_tried_once(hanging: Hanging) -> None:
    """It waits no longer than `SENDING` says, and is no other."""
    outcomes: list[bool] = []
    sender = threading.Thread(target=lambda: outcomes.append(hints.send_hint("ingest.tasks.sweep")), daemon=True)
    sender.start()
    patience = patience_of(hanging.heard.get(timeout=60))
    assert patience is not None
    assert patience <= SENDING["socket_timeout"] <= 2
    sender.join(60)  # with the patience of a worker: over 100 seconds
    assert outcomes == [False]
    assert hints.send_hint("ingest.tasks.sweep") is False  # not asked again at once
    assert hanging.tries_so_far() == 0  # but for the one that was heard


def test_a_memory_that_hangs_is_tried_once(hanging: Hanging) -> None:
    client = quick_client(hanging.url, timeout_s=0.2)
    with pytest.raises(redis.TimeoutError):
        client.get("any")
    assert hanging.tries_so_far() == 1
    together = client.pipeline()
    together.get("any")
    for ask in (lambda: client.get("any"), together.execute):
        with pytest.raises(redis.ConnectionError):
            ask()
    assert hanging.tries_so_far() == 0, "it is not asked again at once"


def test_a_memory_that_refuses_is_asked_again() -> None:
    """That costs no time, and it may be there in a moment."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"redis://127.0.0.1:{closed.getsockname()[1]}/0"
    for _ in range(2):
        with pytest.raises(redis.ConnectionError, match="refused"):
            quick_client(url, timeout_s=0.2).get("any")


@pytest.mark.django_db
def test_a_search_waits_once_for_a_memory_that_hangs(client: Client, settings: Any, hanging: Hanging) -> None:
    """For all that it asks of it, and hardly: its page comes as without."""
    settings.REDIS_URL, settings.REDIS_PATIENCE_S = hanging.url, own_settings.REDIS_PATIENCE_S
    assert own_settings.REDIS_PATIENCE_S < 0.3
    for path in ("/?q=lease", "/kb/sources", "/?q=deposit"):
        assert client.get(path).status_code == 200, path
    assert hanging.tries_so_far() == 1


def test_a_worker_waits_longer_than_who_sends(settings: Any, hanging: Hanging) -> None:
    app = Application("patient", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    reading, writing = app.connection_for_read().transport_options, app.connection_for_write().transport_options
    assert {name: writing[name] for name in SENDING} == SENDING
    assert reading["socket_timeout"] > writing["socket_timeout"]
    assert writing["sep"] == reading["sep"]
