"""HTTP as uvicorn speaks it, with a time in which a request's headers must have arrived, and a bound of their size."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES = 64 * 1024  # of the request line and the headers together


class TimedHttp(HttpToolsProtocol):
    """Ends a connection that sends no request, half of one's headers, or headers without end.

    Bodies have a time and a bound of their own.
    """

    headers_within_s = 20.0
    _waiting: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        """Parse what came, in pieces no larger than a head may be: a larger one would be parsed whole at once."""
        for start in range(0, len(data), MAX_HEAD_BYTES):
            if self.transport.is_closing():
                return
            piece = data[start : start + MAX_HEAD_BYTES]
            super().data_received(piece)
            self._head_bytes = self._head_bytes + len(piece) if self._waiting is not None else 0
            if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The headers of the request are too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._waiting is None:  # not the first request of the connection
            self._await_headers()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_headers(self) -> None:
        self._waiting = asyncio.get_running_loop().call_later(self.headers_within_s, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self, *_: Any) -> None:
        if not self.transport.is_closing():
            self.transport.close()
