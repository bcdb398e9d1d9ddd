"""Server-sent events: their form, and a sign of life through every silence."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from kb_project.errors import Unavailable
from kb_project.web.draining import on_shutdown

PING = b": ping\n\n"
PING_EVERY_S = 8.0  # the contract promises one in ten seconds
READER_PATIENCE_S = 120.0

T = TypeVar("T")


def event(name: str, data: Any) -> bytes:
    """One event. The data is JSON on one line, byte for byte what the API would answer with."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")  # as DRF does; they end lines in JavaScript
    return f"event: {name}\ndata: {text}\n\n".encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class _End:
    """What ended the items, or None when there were no more."""

    error: Exception | None


async def with_keepalives(items: AsyncGenerator[T], *, every_s: float) -> AsyncGenerator[T | None]:
    """The items as they come, and None whenever `every_s` seconds have passed without one.

    The items are made in one task of their own, never more than one ahead of the reader. Closing this generator, or
    cancelling the task that reads it, cancels that task and so closes `items`. So does a reader that takes nothing
    for `READER_PATIENCE_S`. It finds Unavailable when it comes back. When the process stops and the time for its
    streams is over, Unavailable is raised.
    """
    made: asyncio.Queue[T | _End] = asyncio.Queue()
    room = asyncio.Semaphore(1)

    async def make() -> None:
        end = _End(None)
        try:
            async with aclosing(items):
                async for item in items:
                    await _acquired(room)
                    made.put_nowait(item)
        except Exception as error:
            end = _End(error)
        made.put_nowait(end)

    making = asyncio.create_task(make())
    try:
        with on_shutdown(lambda: made.put_nowait(_End(Unavailable("The service is being restarted; ask again.")))):
            while True:
                try:
                    async with asyncio.timeout(every_s):
                        item = await made.get()
                except TimeoutError:
                    yield None
                    continue
                if not isinstance(item, _End):
                    room.release()
                    yield item
                elif item.error is None:
                    return
                else:
                    raise item.error
    finally:
        making.cancel()
        with suppress(asyncio.CancelledError):
            await making


async def _acquired(room: asyncio.Semaphore) -> None:
    try:
        async with asyncio.timeout(READER_PATIENCE_S):
            await room.acquire()
    except TimeoutError as error:
        raise Unavailable("The stream was not read.") from error
