"""One MCP message over streamable HTTP: a request body in, a response out, and nothing kept in between."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from search.agent.mcp.server import server_of
from search.agent.tool import AgentTool

# All that the protocol reads. What says who is asking has been dealt with, and goes no further.
_PASSED_ON = ("accept", "content-type")
_PASSED_PREFIX = "mcp-"
_NOT_OURS = ("content-length", "connection")  # the server's to say


def exchange(request: HttpRequest, *, tool: AgentTool) -> HttpResponse:
    """Answer one POST with the tool of one topic.

    Server and session are made for this message alone: no topic of another can be in them. The tool runs in the
    caller's thread, so on its database connection.
    """
    return async_to_sync(_exchange)(request, tool)


async def _exchange(request: HttpRequest, tool: AgentTool) -> HttpResponse:
    manager = StreamableHTTPSessionManager(server_of(tool), json_response=True, stateless=True)
    sent: list[dict[str, Any]] = []
    body: list[dict[str, Any]] = [{"type": "http.request", "body": request.body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        while not body:
            await asyncio.Event().wait()  # for ever: who sent it stays on the line
        return body.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    async with manager.run():
        await manager.handle_request(_scope(request), receive, send)
    response = HttpResponse(b"".join(message.get("body", b"") for message in sent), status=sent[0]["status"])
    del response["Content-Type"]
    for name, value in _texts(sent[0].get("headers", ())):
        if name.lower() not in _NOT_OURS:
            response[name] = value
    return response


def _scope(request: HttpRequest) -> dict[str, Any]:
    headers = [
        (name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
        for name, value in request.headers.items()
        if name.lower() in _PASSED_ON or name.lower().startswith(_PASSED_PREFIX)
    ]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": b"",
        "headers": headers,
        "client": None,
        "server": None,
    }


def _texts(headers: Iterable[tuple[bytes, bytes]]) -> Iterable[tuple[str, str]]:
    return ((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers)
