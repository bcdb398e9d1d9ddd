"""A receiving process, and webhooks that lead to it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ingest.webhooks import editing
from ingest.webhooks.models import Event, Webhook
from tests.local_server import server_process
from topics.models import Topic


@dataclass(frozen=True)
class Received:
    """What the receiver got."""

    path: str
    headers: dict[str, str]
    body: str

    @property
    def message(self) -> str:
        return self.headers["webhook-id"]

    @property
    def told(self) -> dict[str, Any]:
        return dict(json.loads(self.body))


@dataclass(frozen=True)
class ReceivingProcess:
    url: str
    log: Path

    def received(self) -> list[Received]:
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [Received(**json.loads(line)) for line in lines]


@pytest.fixture(scope="module")
def receiving_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReceivingProcess]:
    log = tmp_path_factory.mktemp("receiver") / "received"
    with server_process("tests.ingest.webhooks.receiver", str(log)) as process:
        yield ReceivingProcess(process.url, log)


@pytest.fixture
def receiver(receiving_process: ReceivingProcess, settings: Any) -> ReceivingProcess:
    """The receiver, of what this test sends; webhooks may lead to this machine."""
    receiving_process.log.unlink(missing_ok=True)
    settings.KB_WEBHOOK_NETWORKS = settings.KB_WATCH_WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    settings.KB_WEBHOOK_TIMEOUT_S = 10.0
    return receiving_process


@pytest.fixture
def make_webhook(receiver: ReceivingProcess) -> Callable[..., Webhook]:
    """`make_webhook("/ok/1", topic=…)`: told of everything, unless `events` says of what."""

    def make(path: str = "/ok/1", *, topic: Topic | None = None, **values: Any) -> Webhook:
        values = {"url": receiver.url + path, "events": Event.values, **values}
        return editing.create(topic=topic, values=values, by="test")

    return make
