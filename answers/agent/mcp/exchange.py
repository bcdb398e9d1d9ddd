"""An MCP server that offers the tools of one topic, and one message to it over streamable HTTP."""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from asgiref.sync import ThreadSensitiveContext, async_to_sync, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import (
    UNSUPPORTED_PROTOCOL_VERSION,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from answers.agent import AgentTool, ToolResult
from kb_project.database.connections import release

SERVER_NAME = "legal-kb"
T = TypeVar("T")


def server_of(tools: Callable[[], Sequence[AgentTool]]) -> Server[Any]:
    """A server for any number of connections. It keeps nothing between messages: each asks for the tools anew.

    So a renamed topic has its new name at once.
    """

    async def list_tools(context: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=await _in_thread(lambda: [_described(tool) for tool in tools()]))

    async def call_tool(context: Any, params: CallToolRequestParams) -> CallToolResult:
        arguments = {} if params.arguments is None else params.arguments
        result = await _in_thread(lambda: _call(tools(), params.name, arguments))
        return CallToolResult(content=[TextContent(type="text", text=result.text)], is_error=result.is_error)

    return Server(
        SERVER_NAME,
        version=str(settings.SPECTACULAR_SETTINGS["VERSION"]),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _described(tool: AgentTool) -> Tool:
    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )


def _call(tools: Sequence[AgentTool], name: str, arguments: Any) -> ToolResult:
    by_name = {tool.name: tool for tool in tools}
    if name not in by_name:
        return ToolResult(f"There is no such tool. There are: {', '.join(by_name)}.", is_error=True)
    return by_name[name].call(arguments)


async def _in_thread(work: Callable[[], T]) -> T:
    """Do it in a thread of its own, or in that of the request which the message came with."""

    def released() -> T:
        try:
            return work()
        finally:
            release()

    async with ThreadSensitiveContext():
        return await sync_to_async(released)()


# All that the protocol reads. What says who is asking has been dealt with, and goes no further.
_PASSED_ON = ("content-type",)
_PASSED_PREFIX = "mcp-"
# Every answer is JSON, which each client reads, whatever it says that it does.
_ACCEPTED = (b"accept", b"application/json, text/event-stream")
_VERSION = "Mcp-Protocol-Version"
_VERSIONS = (*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS)
_NOT_OURS = ("content-length", "connection")  # the server's to say


def exchange(request: HttpRequest, *, tools: Sequence[AgentTool]) -> HttpResponse:
    """Answer one POST with the tools of one topic.

    Server and session are made for this message alone: no topic of another can be in them. A tool runs in the
    caller's thread, so on its database connection.
    """
    message = _read(request.body)
    version = request.headers.get(_VERSION)
    agrees = message.get("method") == "initialize"  # on a version, by what is in the message
    if version is not None and version not in _VERSIONS and not agrees:
        return _unsupported(version, message.get("id"))
    return async_to_sync(_exchange)(request, tools, without=(_VERSION.lower(),) if agrees else ())


def _read(body: bytes) -> dict[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _unsupported(version: str, number: Any) -> JsonResponse:
    """The refusal of a version of the protocol, with those that there are."""
    error = {
        "code": UNSUPPORTED_PROTOCOL_VERSION,
        "message": f"The version of the protocol is not supported. Those that are: {', '.join(_VERSIONS)}.",
        "data": {"supported": list(_VERSIONS), "requested": version[:100]},
    }
    number = number if isinstance(number, int | str) and not isinstance(number, bool) else None
    return JsonResponse({"jsonrpc": "2.0", "id": number, "error": error}, status=400)


async def _exchange(request: HttpRequest, tools: Sequence[AgentTool], without: Sequence[str]) -> HttpResponse:
    manager = StreamableHTTPSessionManager(server_of(lambda: tools), json_response=True, stateless=True)
    sent: list[dict[str, Any]] = []
    body: list[dict[str, Any]] = [{"type": "http.request", "body": request.body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        while not body:
            await asyncio.Event().wait()  # for ever: who sent it stays on the line
        return body.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    async with manager.run():
        await manager.handle_request(_scope(request, without), receive, send)
    response = HttpResponse(b"".join(message.get("body", b"") for message in sent), status=sent[0]["status"])
    del response["Content-Type"]
    for name, value in _texts(sent[0].get("headers", ())):
        if name.lower() not in _NOT_OURS:
            response[name] = value
    return response


def _scope(request: HttpRequest, without: Sequence[str]) -> dict[str, Any]:
    headers = [
        _ACCEPTED,
        *(
            (name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in request.headers.items()
            if (name.lower() in _PASSED_ON or name.lower().startswith(_PASSED_PREFIX)) and name.lower() not in without
        ),
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
