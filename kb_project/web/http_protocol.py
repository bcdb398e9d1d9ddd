"""HTTP as uvicorn speaks it, with a time in which a request's headers must have arrived."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class TimedHttp(HttpToolsProtocol):
    """Ends a connection that sends no request, or half of one's headers. Bodies have a time of their own."""

    headers_within_s = 20.0
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_headers()

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
