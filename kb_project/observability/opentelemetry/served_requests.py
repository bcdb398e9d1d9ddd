"""The span of a request: from its first byte to the last of its answer, below the span that its client names."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from opentelemetry import propagate
from opentelemetry import trace as api
from opentelemetry.context import Context

from kb_project.observability import tracing
from kb_project.observability.tracing import Attributes, Span

QUIET = ("/healthz", "/readyz", "/metrics", "/static/")  # asked again and again, by machines and browsers
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
MAX_HEADER_LENGTH = 512  # characters of what a client says of its trace
Request = Callable[[str, Attributes, Context], AbstractContextManager[Span]]


class ServedRequests:
    """An ASGI application in spans. Of the address it records no path and no query, only the route that is found."""

    def __init__(self, application: Any, request: Request) -> None:
        self._application, self._request = application, request

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] != "http" or scope["path"].startswith(QUIET):
            await self._application(scope, receive, send)
        else:
            await self._traced(scope, receive, send)

    async def _traced(self, scope: Any, receive: Any, send: Any) -> None:
        method = known_method(scope["method"])
        attributes = {"http.request.method": method, "url.scheme": scope.get("scheme", "http")}
        with self._request(method, attributes, client_context(scope["headers"])) as span:

            async def watched(message: Any) -> None:
                if message["type"] == "http.response.start":
                    span.set({"http.response.status_code": message["status"]})
                    if message["status"] >= 500:
                        span.fail(str(message["status"]))
                await send(message)

            await self._application(scope, receive, watched)


def known_method(method: str | None) -> str:
    return method if method in METHODS else "_OTHER"


def client_context(headers: list[tuple[bytes, bytes]]) -> Context:
    """What the headers of OTEL_PROPAGATORS say of the client's span, and nothing else that they may bring along."""
    wanted = propagate.get_global_textmap().fields
    carrier = {
        name.decode("latin-1"): value.decode("latin-1")
        for name, value in headers
        if name.decode("latin-1") in wanted and len(value) <= MAX_HEADER_LENGTH
    }
    span = api.get_current_span(propagate.extract(carrier, Context())).get_span_context()
    return api.set_span_in_context(api.NonRecordingSpan(span), Context()) if span.is_valid else Context()


async def _live(receive: Any, send: Any) -> None:
    """The server's start and end. It ends by a signal that no `atexit` survives, so spans are sent here."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.shutdown":
            await asyncio.to_thread(tracing.stop)
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
