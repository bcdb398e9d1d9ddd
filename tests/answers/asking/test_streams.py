"""Answers over real HTTP: one event after another, signs of life, readers who are slow and readers who leave."""

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from django.db import connection

from answers.asking import sse
from answers.models import AnswerTrace
from answers.writing.answerers import claude as answerer
from sources.models import Source
from tests.answers.asking.asking import without_own
from tests.anthropic_server import AnthropicServer, Block, cited
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "כמה ישלם המאחר בהחזרת ספר?"
FINE = Block("שקל ליום.", [cited(0)])
MORE = Block(" וכך הלאה.")
SPEAKS_ON = {"stall_s": 60.0, "breaks_after": 3}  # longer than any test waits


@contextlib.contextmanager
def streaming(url: str, question: str = QUESTION) -> Iterator[Iterator[str]]:
    """The lines of a stream, as they come."""
    body = {"question": question}
    with httpx2.stream("POST", f"{url}/kb/ask/stream", json=body, timeout=60) as response:
        assert response.status_code == 200
        yield response.iter_lines()


@contextlib.contextmanager
def asked(url: str, path: str) -> Iterator[None]:
    """A client with little room for what it is sent, which does not read before it leaves."""
    host, port = url.removeprefix("http://").split(":")
    body = json.dumps({"question": QUESTION}).encode()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((host, int(port)))
        head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        yield


def read_until(lines: Iterator[str], wanted: str) -> None:
    for line in lines:
        if line.startswith(wanted):
            return
    raise AssertionError(f"The stream ended without {wanted}")


def server_connections() -> int:
    """Connections to the test's database besides this test's own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def traces(status: str) -> int:
    return AnswerTrace.objects.filter(status=status).count()


def test_events_come_while_the_model_speaks_and_nothing_may_buffer_them(
    asgi_server: str, claude: AnthropicServer, law: Source
) -> None:
    claude.will_stream(FINE, MORE, **SPEAKS_ON)
    headers = {"Accept-Encoding": "gzip, br"}
    body = {"question": QUESTION}
    with httpx2.stream("POST", f"{asgi_server}/kb/ask/stream", json=body, headers=headers, timeout=60) as response:
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert response.headers["x-accel-buffering"] == "no"
        assert response.headers["cache-control"] == "no-store"
        assert "content-encoding" not in response.headers
        lines = response.iter_lines()
        read_until(lines, "event: sources")
        read_until(lines, "event: delta")
        assert claude.at_once == 1


def test_the_stream_ends_with_the_bytes_of_ask(asgi_server: str, claude: AnthropicServer, law: Source) -> None:
    claude.will_stream(FINE, Block(" הספרן רשאי\u2028לפטור.", [cited(0, 1)]))
    asked = httpx2.post(f"{asgi_server}/kb/ask", json={"question": QUESTION}, timeout=60)
    streamed = httpx2.post(f"{asgi_server}/kb/ask/stream", json={"question": QUESTION}, timeout=60)
    done = streamed.text.rstrip().split("\n")[-1].removeprefix("data: ")
    assert json.loads(done)["status"] == "answered"
    assert without_own(done) == without_own(asked.text)


def test_a_silence_is_filled_with_signs_of_life(
    asgi_server: str, claude: AnthropicServer, law: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sse.PING_EVERY_S <= 10
    monkeypatch.setattr(sse, "PING_EVERY_S", 0.05)
    claude.will_stream(FINE, stall_s=0.5)
    with streaming(asgi_server) as lines:
        seen = list(lines)
    assert seen.count(": ping") >= 3
    assert "event: done" in seen


def test_model_is_left_when_client_leaves_and_the_trace_says_so(
    asgi_server: str, claude: AnthropicServer, law: Source
) -> None:
    claude.will_stream(FINE, MORE, **SPEAKS_ON)
    with streaming(asgi_server) as lines:
        read_until(lines, "event: delta")
    wait_until(lambda: claude.left_at)
    wait_until(lambda: traces("left") == 1)
    assert claude.at_once == 0


def test_the_model_is_left_when_the_client_of_ask_leaves(
    asgi_server: str, claude: AnthropicServer, law: Source
) -> None:
    claude.will_stream(FINE, MORE, **SPEAKS_ON)
    with asked(asgi_server, "/kb/ask"):
        wait_until(lambda: claude.words)
    wait_until(lambda: claude.left_at)
    wait_until(lambda: traces("left") == 1)
    claude.forget_promises()
    claude.will_stream(FINE)
    assert httpx2.post(f"{asgi_server}/kb/ask", json={"question": QUESTION}, timeout=60).json()["status"] == "answered"


def test_a_slow_reader_holds_the_model_back_and_may_leave(
    asgi_server: str, claude: AnthropicServer, law: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = 400
    monkeypatch.setattr(answerer, "MAX_ANSWER_LENGTH", 10**9)
    claude.will_stream(*[Block("x" * 200_000 + ". ", [cited(0)])] * words)
    with asked(asgi_server, "/kb/ask/stream"):
        wait_until(lambda: claude.words and not grows(claude))
        assert claude.words < words / 2
    wait_until(lambda: claude.left_at)
    wait_until(lambda: traces("left") == 1)


def grows(claude: AnthropicServer) -> bool:
    before = claude.words
    time.sleep(1.0)
    return claude.words != before


def test_a_reader_who_never_reads_does_not_keep_the_model(
    asgi_server: str, claude: AnthropicServer, law: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "READER_PATIENCE_S", 1.0)
    monkeypatch.setattr(answerer, "MAX_ANSWER_LENGTH", 10**9)
    claude.will_stream(*[Block("x" * 200_000 + ". ", [cited(0)])] * 400)
    with streaming(asgi_server) as lines:
        read_until(lines, "event: sources")
        wait_until(lambda: claude.left_at)
    wait_until(lambda: AnswerTrace.objects.exists())


def test_no_connection_to_database_is_held_while_model_speaks(
    asgi_server: str, claude: AnthropicServer, law: Source
) -> None:
    claude.will_stream(FINE, MORE, **SPEAKS_ON)
    before = server_connections()
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(streaming(asgi_server)) for _ in range(5)]
        for lines in readers:
            read_until(lines, "event: delta")
        assert claude.at_once == 5
        wait_until(lambda: server_connections() <= before)


def test_others_are_answered_while_the_model_speaks(asgi_server: str, claude: AnthropicServer, law: Source) -> None:
    claude.will_stream(FINE, MORE, **SPEAKS_ON)
    with streaming(asgi_server) as lines:
        read_until(lines, "event: delta")
        found = httpx2.post(f"{asgi_server}/kb/search", json={"query": QUESTION}, timeout=60).json()
    assert found["results"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"question": QUESTION, "topic_id": 999}, 400, "unknown_topic"),
        ({"question": " "}, 400, "invalid"),
        ({"question": QUESTION, "more": 1}, 400, "unknown_parameter"),
    ],
)
def test_a_refusal_is_a_plain_problem_and_no_stream(asgi_server: str, body: Any, status: int, code: str) -> None:
    response = httpx2.post(f"{asgi_server}/kb/ask/stream", json=body, timeout=60)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"


def test_failure_after_first_words_ends_stream_with_the_problem(
    asgi_server: str, claude: AnthropicServer, law: Source
) -> None:
    claude.will_stream(FINE, cut=True)
    with streaming(asgi_server) as lines:
        seen = list(lines)
    assert [line for line in seen if line.startswith("event: ")][-1] == "event: error"
    assert json.loads(seen[-2].removeprefix("data: "))["code"] == "provider_error"
    assert traces("failed") == 1
