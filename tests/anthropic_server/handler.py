"""One call: read, kept, and answered as the server was told, for as long as somebody waits for it."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any, Protocol

from tests.anthropic_server import script
from tests.anthropic_server.rules import broken_rule
from tests.anthropic_server.script import Answer, StreamedReply
from tests.local_server import LocalCall, Request

ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


class Owner(Protocol):
    """What a call needs of its server."""

    @property
    def refuses(self) -> tuple[str, ...]: ...

    def next_answer(self, body: dict[str, Any]) -> Answer: ...

    def next_stream(self) -> StreamedReply: ...

    def begin(self, call: Handler, request: Request) -> None: ...

    def said(self) -> None: ...

    def end(self, call: Handler) -> None: ...

    def was_left(self) -> None: ...


class Handler(LocalCall):
    server_of: Owner

    def do_POST(self) -> None:
        request = self.request_sent()
        self.server_of.begin(self, request)
        try:
            self._answer(request)
        finally:
            self.server_of.end(self)

    def _answer(self, request: Request) -> None:
        if request.path != "/v1/messages":
            return self._error(404, "no such path")
        if problem := broken_rule(request.headers, request.body, refuses=self.server_of.refuses):
            return self._error(400, problem)
        answer = self.server_of.next_stream() if request.is_stream else self.server_of.next_answer(request.body)
        if answer.delay_s and self._pause(answer.delay_s):
            return self.server_of.was_left()
        if answer.status != 200:
            return self._error(answer.status, "as promised", answer.headers)
        if isinstance(answer, StreamedReply):
            return self._stream(answer, request.body)
        content = [{"type": "text", "text": answer.text}]
        return self._deliver(json.dumps(script.message(answer, content, model=request.body["model"])).encode(), answer)

    def _deliver(self, data: bytes, answer: Answer) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        if answer.drip_s:
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            for _ in range(int(answer.drip_s / 0.05)):
                self.wfile.write(b" ")  # leading white space is good JSON, and keeps every read timeout from firing
                if self._pause(0.05):
                    return
            self._write_last(data)
            return
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if answer.cut:
            self._write_last(data[: len(data) // 2])
            self._cut()
            return
        self._write_last(data)

    def _stream(self, answer: StreamedReply, body: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            if self._say(answer, body):
                self._write_last(b"0\r\n\r\n")
        except OSError:
            self.server_of.was_left()
            self.close_connection = True

    def _say(self, answer: StreamedReply, body: dict[str, Any]) -> bool:
        """Send the events; whether the stream then ends in good order."""
        self._events(script.opening(answer, model=body["model"]))
        words = 0
        for event in script.blocks(answer, body):
            self._events(iter([event]))
            if event[1].get("delta", {}).get("type") != "text_delta":
                continue
            words += 1
            self.server_of.said()
            if words == answer.breaks_after:
                if answer.cut:
                    self._cut()
                    return False
                if answer.error:
                    error = {"type": answer.error, "message": "as promised"}
                    self._events(iter([("error", {"error": error})]))
                    return True
                if answer.no_stop:
                    return True
                if answer.stall_s and self._pause(answer.stall_s):
                    raise ConnectionAbortedError
            if answer.token_s and self._pause(answer.token_s):
                raise ConnectionAbortedError
        self._events(script.closing(answer))
        return True

    def _events(self, events: Iterator[tuple[str, dict[str, Any]]]) -> None:
        for name, data in events:
            text = f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _write_last(self, data: bytes) -> None:
        """Write what ends the answer: from here on the client may be making its next call."""
        self.server_of.end(self)
        self.wfile.write(data)

    def _error(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        error = {"type": ERROR_TYPES.get(status, "api_error"), "message": message}
        data = json.dumps({"type": "error", "error": error, "request_id": "req_test"}).encode()
        self.write_json_head(status, len(data), headers or {})
        self._write_last(data)
