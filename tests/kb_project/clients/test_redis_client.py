"""Scripts are called on connections of their own, which may end, and on a server that may have forgotten them."""

import pytest
import redis

from kb_project.clients.redis_client import QuickScript
from tests.redis_keys import client, forget

KEY = "kb:test:quick-script:ב"
ADD = "return redis.call('INCRBYFLOAT', KEYS[1], ARGV[1] + ARGV[2])"


@pytest.fixture
def add() -> QuickScript:
    forget("kb:test:quick-script:*")
    return QuickScript(client(), ADD)


def test_a_script_gets_its_keys_and_values(add: QuickScript) -> None:
    assert add(keys=[KEY], values=[1, 0.5]) == b"1.5"
    assert add(keys=[KEY], values=[1, 0.5]) == b"3"


def test_a_server_that_forgot_a_script_is_told_it_again(add: QuickScript) -> None:
    add(keys=[KEY], values=[1, 0])
    client().script_flush()
    assert add(keys=[KEY], values=[1, 0]) == b"2"


def test_a_connection_that_ended_is_made_anew(add: QuickScript) -> None:
    add(keys=[KEY], values=[1, 0])
    [connection] = add._idle
    host, port = connection._sock.getsockname()
    client().client_kill(f"{host}:{port}")
    assert add(keys=[KEY], values=[1, 0]) == b"2"


def test_a_mistake_in_a_script_is_raised_and_ends_nothing(add: QuickScript) -> None:
    with pytest.raises(redis.ResponseError):
        add(keys=[KEY], values=["one", 0])  # type: ignore[list-item]
    assert add(keys=[KEY], values=[1, 0]) == b"1"
