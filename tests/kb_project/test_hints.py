"""Hints to a broker that hangs: one try, and whoever sends goes on."""

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from kb_project import hints
from kb_project.celery import SENDING, Application


class Hanging:
    """A broker that takes connections and never answers."""

    def __init__(self) -> None:
        self.taken: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"redis://127.0.0.1:{self._listening.getsockname()[1]}/0"
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        try:
            while True:
                self.taken.append(self._listening.accept()[0])
        except OSError:
            pass  # closed

    def close(self) -> None:
        for one in [self._listening, *self.taken]:
            one.close()


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
    outcomes: list[bool] = []
    sender = threading.Thread(target=lambda: outcomes.append(hints.send_hint("ingest.tasks.sweep")), daemon=True)
    sender.start()
    sender.join(60)  # with the patience of a worker: over 100 seconds
    assert outcomes == [False]
    assert len(hanging.taken) <= 2
    assert hints.send_hint("ingest.tasks.sweep") is False  # not asked again at once
    assert len(hanging.taken) <= 2


def test_a_worker_waits_longer_than_who_sends(settings: Any, hanging: Hanging) -> None:
    app = Application("patient", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    reading, writing = app.connection_for_read().transport_options, app.connection_for_write().transport_options
    assert {name: writing[name] for name in SENDING} == SENDING
    assert reading["socket_timeout"] > writing["socket_timeout"]
    assert writing["sep"] == reading["sep"]
