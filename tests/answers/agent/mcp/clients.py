"""The official SDK's client, on the service's address or on a process of `manage.py mcp`."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

from tests.servers import PROJECT, subprocess_environment
from topics.keys import issue_key
from topics.models import Topic

T = TypeVar("T")
MODES = ("auto", "legacy")
"""The protocol of today, and the handshake of the clients before it."""


@asynccontextmanager
async def over_http(url: str, *, mode: str = "auto", authorization: str = "") -> AsyncGenerator[Client]:
    async with AsyncExitStack() as stack:
        headers = {"Authorization": authorization} if authorization else {}
        http_client = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
        transport = streamable_http_client(url, http_client=http_client)
        yield await stack.enter_async_context(Client(transport, mode=mode, read_timeout_seconds=60))


def over_stdio(slug: str, *, mode: str = "auto", **environment: str) -> Client:
    command = StdioServerParameters(
        command=sys.executable,
        args=[str(PROJECT / "manage.py"), "mcp", "--topic", slug],
        env=subprocess_environment(**environment),
    )
    return Client(command, mode=mode, read_timeout_seconds=60)


async def call(client: Client, **arguments: Any) -> tuple[str, bool]:
    """The text that the tool gives, and whether it is an error."""
    result = await client.call_tool("search_legal_kb", arguments)
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text, bool(result.is_error)


async def all_of(calls: Sequence[Awaitable[T]]) -> list[T]:
    return list(await asyncio.gather(*calls))


def run(body: Callable[[], Awaitable[T]]) -> T:
    async def bounded() -> T:
        async with asyncio.timeout(120):
            return await body()

    return asyncio.run(bounded())


def key_for(topic: Topic | None = None, **options: Any) -> str:
    return issue_key(name="agent", topic=topic, by="tests", **options)[1]
