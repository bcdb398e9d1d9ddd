"""Spans of a request, from its first byte to the last of its answer, and of statements, without their text."""

import asyncio
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.db import connections
from django.db.backends.signals import connection_created
from opentelemetry import propagate
from opentelemetry import trace as api
from opentelemetry.context import Context

from kb_project.observability import tracing
from kb_project.observability.tracing import Attributes, Span

QUIET = ("/healthz", "/readyz", "/metrics", "/static/")  # asked again and again, by machines and browsers
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
MAX_HEADER_LENGTH = 512  # characters of what a client says of its trace
Request = Callable[[str, Attributes, Context], AbstractContextManager[Span]]
DATABASE = {"db.system.name": "postgresql"}
READ = 2_000  # characters of a statement: the table that it is about is among the first it names
# A WITH may lead in to any of them.
_OPERATION = re.compile(r"\b(?:INSERT(?= INTO)|UPDATE(?! OF| SKIP| NOWAIT)|DELETE(?= FROM)|SELECT)\b", re.IGNORECASE)
_TABLE = re.compile(r"\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:ONLY\s+)?\"?((?:kb|auth|django)_[a-z_]{1,60})\b", re.IGNORECASE)
Begin = Callable[[str, dict[str, Any]], AbstractContextManager[object]]
_begin: Begin | None = None


def watch(begin: Begin | None) -> None:
    """Have each statement made inside what `begin`, the last one given, makes of its name and attributes.

    With None statements are not watched any more.
    """
    global _begin
    _begin = begin
    if begin is None:
        connection_created.disconnect(_add)
    else:
        connection_created.connect(_add)
    for connection in connections.all(initialized_only=True):
        if begin is not None:
            _add(connection)
        elif _execute in connection.execute_wrappers:
            connection.execute_wrappers.remove(_execute)


def _add(connection: Any, **_: Any) -> None:
    if _execute not in connection.execute_wrappers:  # one object connects again and again
        connection.execute_wrappers.append(_execute)


def _execute(call: Callable[..., Any], statement: Any, parameters: Any, many: bool, context: Any) -> Any:
    span = named(statement)
    if _begin is None or span is None:
        return call(statement, parameters, many, context)
    with _begin(*span):
        return call(statement, parameters, many, context)


def named(statement: Any) -> tuple[str, dict[str, Any]] | None:
    """The name of a statement's span, and its attributes, or None for savepoints and the like."""
    text = str(statement)[:READ]
    found = _OPERATION.search(text)
    if found is None:
        return None
    operation = found[0].upper()
    if table := _TABLE.search(text):
        return f"{operation} {table[1]}", {"db.operation.name": operation, "db.collection.name": table[1]}
    return operation, {"db.operation.name": operation}


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
