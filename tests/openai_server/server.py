"""The server: what was promised, what was asked, and how it is said, well and badly."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.anthropic_server.script import least
from tests.local_server import LocalCall, ProtocolServer, Request
from tests.openai_server.rules import OPENAI, Dialect, broken_rule

PATH = "/v1/chat/completions"
ERROR_TYPES = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}
USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 25,
    "total_tokens": 125,
    "prompt_tokens_details": {"cached_tokens": 40},
}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """An answer, and how badly it is delivered. What goes wrong in a stream does so after `breaks_after` words."""

    text: str = ""
    finish_reason: str = "stop"
    refusal: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0  # silence before the first byte
    drip_s: float = 0.0  # one byte of white space after the other for so long, then the answer
    cut: bool = False  # the connection is dropped in the middle
    token_s: float = 0.0  # silence after each word of a stream
    breaks_after: int = 3
    stall_s: float = 0.0  # silence in the middle of a stream
    error: str = ""  # type of an error in the middle of a stream, which ends it
    raw: bytes = b""  # sent in place of the JSON, or of the events


class OpenAIServer(ProtocolServer):
    """Serves from a thread between `with` and its end."""

    path = "/v1"

    def __init__(self, dialect: Dialect = OPENAI, *, port: int = 0) -> None:
        self.dialect = dialect
        self.requests: list[Request] = []
        self.left = 0  # clients that hung up before the end of a stream
        self._replies: list[Reply] = []
        super().__init__(_Chat, port=port)

    def will_say(self, content: Any = "", **options: Any) -> None:
        """Promise one more answer; `content` is a string as it is, anything else as JSON."""
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        with self._lock:
            self._replies.append(Reply(text=text, **options))

    def forget_promises(self) -> None:
        with self._lock:
            self._replies.clear()

    def next_reply(self, body: dict[str, Any]) -> Reply:
        with self._lock:
            if self._replies:
                return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
        return Reply(text=json.dumps(least(schema)))


class _Chat(LocalCall):
    server_of: OpenAIServer

    def do_POST(self) -> None:
        request = self.request_sent()
        self.server_of.requests.append(request)
        if request.path != PATH:
            return self._refuse(404, "no such path")
        if problem := broken_rule(request.headers, request.body, self.server_of.dialect):
            return self._refuse(*problem)
        reply = self.server_of.next_reply(request.body)
        if reply.delay_s and self._pause(reply.delay_s):
            return None
        if reply.status != 200:
            return self._refuse(reply.status, "as promised", reply.headers)
        if request.is_stream:
            return self._say_stream(reply, request.body)
        return self._say_whole(reply, request.body)

    def _say_whole(self, reply: Reply, body: dict[str, Any]) -> None:
        message = {"role": "assistant", "content": self._dressed(reply.text), "refusal": reply.refusal}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish_reason}
        whole = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": body["model"]}
        data = reply.raw or json.dumps({**whole, "choices": [choice], "usage": USAGE}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        if not reply.drip_s:
            self.send_header("content-length", str(len(data)))
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for _ in range(int(reply.drip_s / 0.05)):
            self.wfile.write(b" ")
            if self._pause(0.05):
                return
        self.wfile.write(data[: len(data) // 2] if reply.cut else data)

    def _say_stream(self, reply: Reply, body: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            self.wfile.write(reply.raw)
            for event in () if reply.raw else self._events(reply, body):
                self.wfile.write(event)
        except OSError:
            self.server_of.left += 1

    def _events(self, reply: Reply, body: dict[str, Any]) -> Iterator[bytes]:
        """The chunks of the answer, a few characters each, with what was promised to go wrong."""
        dialect = self.server_of.dialect
        base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}

        def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
            return _event({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

        yield b": a comment\n\n"
        yield chunk({"role": "assistant", "content": ""})
        if reply.refusal:
            yield chunk({"refusal": reply.refusal})
        for count, word in enumerate(re.findall(r"\s*\S{1,8}\s*", self._dressed(reply.text)), start=1):
            yield chunk({"content": word})
            breaks = count == reply.breaks_after
            if breaks and reply.error:
                yield _event({"error": {"type": reply.error, "message": "as promised"}})
            if breaks and (reply.cut or reply.error):
                return
            self._wait(reply.token_s + (reply.stall_s if breaks else 0))
        yield chunk({}, reply.finish_reason)
        if (body.get("stream_options") or {}).get("include_usage") and dialect.counts_streams:
            yield _event({**base, "choices": [], "usage": USAGE})
        if dialect.says_done:
            yield b"data: [DONE]\n\n"

    def _wait(self, seconds: float) -> None:
        if seconds and self._pause(seconds):
            raise ConnectionAbortedError

    def _dressed(self, text: str) -> str:
        if self.server_of.dialect.fences:
            text = f"```json\n{text}\n```"
        return f"<think>\nSo {{that}} is asked.\n</think>\n\n{text}" if self.server_of.dialect.thinks_aloud else text

    def _refuse(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        error = {"message": message, "type": ERROR_TYPES.get(status, "server_error")}
        flat = self.server_of.dialect.has_flat_errors
        data = json.dumps({"object": "error", **error, "code": status} if flat else {"error": error}).encode()
        self.write_json_head(status, len(data), headers or {})
        self.wfile.write(data)


def parts_of(body: dict[str, Any]) -> list[Any]:
    """The objects that the user's turn of a request has, one after another."""
    *_, user = body["messages"]
    return [json.loads(part) for part in user["content"].split("\n\n")]


def passages_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The passages that a request for an answer has."""
    *_, user = body["messages"]
    found: list[dict[str, Any]] = json.loads(user["content"].split("\n", 2)[1])
    return found


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()
