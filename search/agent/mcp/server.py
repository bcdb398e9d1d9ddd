"""An MCP server that offers the tool of one topic and nothing else."""

from __future__ import annotations

from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from kb_project.database.connections import release
from search.agent.tool import AgentTool, ToolResult

SERVER_NAME = "legal-kb"


def server_of(tool: AgentTool) -> Server[Any]:
    """A server for any number of connections. It keeps nothing between calls but which topic it is for."""
    described = Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )

    async def list_tools(context: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[described])

    async def call_tool(context: Any, params: CallToolRequestParams) -> CallToolResult:
        if params.name != tool.name:
            result = ToolResult(f"There is no such tool; the only one is {tool.name}.", is_error=True)
        else:
            # A thread for each call, or that of the request which the call came with.
            async with ThreadSensitiveContext():
                result = await sync_to_async(_call)(tool, {} if params.arguments is None else params.arguments)
        return CallToolResult(content=[TextContent(type="text", text=result.text)], is_error=result.is_error)

    return Server(
        SERVER_NAME,
        version=str(settings.SPECTACULAR_SETTINGS["VERSION"]),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _call(tool: AgentTool, arguments: Any) -> ToolResult:
    try:
        return tool.call(arguments)
    finally:
        release()
