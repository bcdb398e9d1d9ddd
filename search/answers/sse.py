"""Server-sent events: their form, and a sign of life through every silence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any, TypeVar

PING = b": ping\n\n"
PING_EVERY_S = 10.0

T = TypeVar("T")


def event(name: str, data: Any) -> bytes:
    """One event; the data is JSON on one line, in UTF-8."""
    text = json.dumps(data, ensure_ascii=False, default=str)
    return f"event: {name}\ndata: {text}\n\n".encode("utf-8", "replace")


async def with_silences(items: AsyncGenerator[T], *, every_s: float = PING_EVERY_S) -> AsyncGenerator[T | None]:
    """The items as they come, and None whenever `every_s` seconds have passed without one.

    The items are made in one task of their own, never more than one ahead of the reader. Closing this generator, or
    cancelling the task that reads it, cancels that task and so closes `items`.
    """
    queue: asyncio.Queue[T] = asyncio.Queue(maxsize=1)

    async def make() -> None:
        async with aclosing(items):
            async for item in items:
                await queue.put(item)

    making = asyncio.create_task(make())
    try:
        while True:
            getting = asyncio.ensure_future(queue.get())
            try:
                await asyncio.wait({getting, making}, timeout=every_s, return_when=asyncio.FIRST_COMPLETED)
                if getting.done():
                    yield getting.result()
                elif making.done() and queue.empty():
                    making.result()  # raises what ended it
                    return
                elif not making.done():
                    yield None
            finally:
                getting.cancel()
    finally:
        making.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await making
