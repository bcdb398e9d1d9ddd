"""Servers of one's own are asked for an answer before anything is started."""

import os
import socket
from urllib.parse import urlsplit, urlunsplit

import pytest

from kb_project.operations.local_stack import CannotStart, external
from kb_project.operations.local_stack.machine import free_port

pytestmark = pytest.mark.django_db


def test_servers_that_answer_are_taken() -> None:
    external.require_database(os.environ["DATABASE_URL"])
    external.require_broker(os.environ["REDIS_URL"])


def test_nobody_listens() -> None:
    with pytest.raises(CannotStart, match=r"DATABASE_URL names does not answer: .*refused"):
        external.require_database(f"postgres://kb@127.0.0.1:{free_port()}/kb")
    with pytest.raises(CannotStart, match=r"REDIS_URL names does not answer: .*refused"):
        external.require_broker(f"redis://127.0.0.1:{free_port()}/0")


def test_server_that_says_nothing_is_waited_for_a_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "ANSWER_WITHIN_S", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(CannotStart, match="REDIS_URL"):
            external.require_broker(f"redis://127.0.0.1:{port}/0")
        with pytest.raises(CannotStart, match="DATABASE_URL"):
            external.require_database(f"postgres://kb@127.0.0.1:{port}/kb")


def test_password_is_not_said() -> None:
    broker = urlsplit(os.environ["REDIS_URL"])
    wrong = urlunsplit(broker._replace(netloc=f":guessed@127.0.0.1:{broker.port}"))
    with pytest.raises(CannotStart) as refused:
        external.require_broker(wrong)
    assert "guessed" not in str(refused.value)
    database = urlsplit(os.environ["DATABASE_URL"])
    wrong = urlunsplit(database._replace(netloc=f"postgres:guessed@127.0.0.1:{database.port}"))
    with pytest.raises(CannotStart, match="password authentication failed") as refused:
        external.require_database(wrong)
    assert "guessed" not in str(refused.value)
