"""A server on this machine that speaks the Messages API as of 2026-10-21, for tests with the real SDK.

    with AnthropicServer() as server:
        server.will_answer({"kind": "law"})                  # the text of the answer, as JSON
        server.will_answer(status=529)                       # an error
        ...                                                  # settings.ANTHROPIC_BASE_URL = server.url
        server.requests[-1].body                             # what the SDK sent

Answers are given in the order in which they were promised; the last one is repeated. Bodies that break a rule of the
API are answered with 400.
"""

from __future__ import annotations

import http.server
import json
import select
import socket
import threading
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

API_VERSION = "2026-10-21"
ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Answer:
    """One reply: its text and reason for stopping, or an error status, and how badly it is delivered."""

    text: str = ""
    stop_reason: str = "end_turn"
    thinking: bool = False  # an empty thinking block comes first, as models of the fifth generation send it
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0  # silence before the first byte
    drip_s: float = 0.0  # one byte of white space after the other for so long, then the answer
    cut: bool = False  # the connection is dropped in the middle of the body


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: Any


class AnthropicServer:
    """Serves from a thread between `with` and its end.

    `most_at_once` is the highest number of calls that were under way at a time: neither answered, nor given up by
    a client that hung up.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.most_at_once = 0
        self._under_way: set[_Handler] = set()
        self._answers: list[Answer] = []
        self._lock = threading.Lock()
        self._ending = threading.Event()
        handler = type("BoundHandler", (_Handler,), {"owner": self})
        self._server = _Server(("127.0.0.1", 0), handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def will_answer(self, content: Any = None, **options: Any) -> None:
        """Promise one more answer; `content` is a string as it is, anything else as JSON."""
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        with self._lock:
            self._answers.append(Answer(text=text, **options))

    def forget_promises(self) -> None:
        """What is promised from here on is answered at once, not after what was promised before."""
        with self._lock:
            self._answers.clear()

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()

    def next_answer(self) -> Answer:
        with self._lock:
            return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    def begin(self, call: _Handler, request: Request) -> None:
        with self._lock:
            self.requests.append(request)
            self._under_way.add(call)
            self.most_at_once = max(self.most_at_once, self._count())

    def end(self, call: _Handler) -> None:
        with self._lock:
            self._under_way.discard(call)

    @property
    def at_once(self) -> int:
        """How many calls are under way now."""
        with self._lock:
            return self._count()

    def _count(self) -> int:
        # A call's own thread may be late to see that its client is gone, and the next client is quick.
        return sum(not call.is_left() for call in self._under_way)

    def pause(self, seconds: float) -> bool:
        """Wait; `True` when the test is over before."""
        return self._ending.wait(seconds)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: AnthropicServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.owner.begin(self, Request(self.path, headers, json.loads(raw)))
        try:
            self._answer(headers, json.loads(raw))
        finally:
            self.owner.end(self)

    def is_left(self) -> bool:
        """Whether the client has hung up."""
        try:
            readable, _, _ = select.select([self.connection], [], [], 0)
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):  # closed on this side too
            return True

    def _pause(self, seconds: float) -> bool:
        """Wait; `True` when the test is over before, or nobody waits for the answer any more."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            if self.owner.pause(min(left, 0.05)) or self.is_left():
                return True
        return False

    def _answer(self, headers: dict[str, str], body: dict[str, Any]) -> None:
        if self.path != "/v1/messages":
            return self._error(404, "no such path")
        if problem := broken_rule(headers, body):
            return self._error(400, problem)
        answer = self.owner.next_answer()
        if answer.delay_s and self._pause(answer.delay_s):
            return None
        if answer.status != 200:
            return self._error(answer.status, "as promised", answer.headers)
        return self._deliver(json.dumps(_message(answer, body["model"])).encode(), answer)

    def _deliver(self, data: bytes, answer: Answer) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        if answer.drip_s:
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            for _ in range(int(answer.drip_s / 0.05)):
                self.wfile.write(b" ")  # leading white space is good JSON, and keeps every read timeout from firing
                if self.owner.pause(0.05):
                    return
            self._write_last(data)
            return
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if answer.cut:
            self._write_last(data[: len(data) // 2])
            self.close_connection = True
            self.connection.shutdown(2)
            return
        self._write_last(data)

    def _write_last(self, data: bytes) -> None:
        """Write what ends the answer: from here on the client may be making its next call."""
        self.owner.end(self)
        self.wfile.write(data)

    def _error(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        error = {"type": ERROR_TYPES.get(status, "api_error"), "message": message}
        data = json.dumps({"type": "error", "error": error, "request_id": "req_test"}).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data))}.items():
            self.send_header(name, value)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self._write_last(data)


def broken_rule(headers: dict[str, str], body: dict[str, Any]) -> str | None:
    """What the API would say to a request that it does not take; None for a good one."""
    if not headers.get("authorization", "").startswith("Bearer "):
        return "authentication is required"
    if headers.get("anthropic-version") != API_VERSION:
        return f"anthropic-version: expected {API_VERSION}"
    for name in ("temperature", "top_p", "top_k"):
        if name in body:
            return f"{name}: Extra inputs are not permitted"
    schema = ((body.get("output_config") or {}).get("format") or {}).get("schema")
    return _open_object(schema) if schema is not None else None


def _open_object(schema: Any, path: str = "schema") -> str | None:
    """Structured output takes only objects that say which members they have and that there are no others."""
    if isinstance(schema, list):
        return next((found for item in schema if (found := _open_object(item, path))), None)
    if not isinstance(schema, dict):
        return None
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return f"{path}: additionalProperties must be false"
    return next((found for name, item in schema.items() if (found := _open_object(item, f"{path}.{name}"))), None)


def _message(answer: Answer, model: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": answer.text}]
    if answer.thinking:
        content.insert(0, {"type": "thinking", "thinking": "", "signature": "test"})
    return {
        "id": "msg_test",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": answer.stop_reason,
        "stop_sequence": None,
        "stop_details": None,
        "container": None,
        "usage": {
            "input_tokens": 100,
            "output_tokens": 25,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }
