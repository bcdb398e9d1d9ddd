"""Responses that are written while they are made."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse


async def to_its_end(call: Callable[[], object]) -> None:
    """Call something in the request's thread, also when its client leaves just now, as many do on the last byte.

    A call that waits for its thread would be given up, and what it gives back (a connection, a file) kept for good.
    """
    running = asyncio.ensure_future(sync_to_async(call)())
    is_cancelled = False
    while not running.done():
        try:
            await asyncio.shield(running)
        except asyncio.CancelledError:
            is_cancelled = True
    if is_cancelled:
        raise asyncio.CancelledError
    running.result()


class Stream(StreamingHttpResponse):
    """A response in pieces whose maker is ended at once when the client leaves.

    Django's own class would leave that to the garbage collector when the client goes while it is being written to.
    """

    def __init__(self, pieces: AsyncGenerator[bytes], **options: Any) -> None:
        super().__init__(pieces, **options)
        self._pieces = pieces

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        async with aclosing(self._pieces) as pieces:
            async for piece in pieces:
                yield piece


def stream(request: HttpRequest, pieces: Generator[bytes], **options: Any) -> StreamingHttpResponse:
    """The pieces that a generator makes, each in a thread. `options` are those of the response.

    On the event loop a plain generator would be read into memory whole.
    """
    if isinstance(request, ASGIRequest):
        return Stream(_from_thread(pieces), **options)
    return StreamingHttpResponse(pieces, **options)


async def _from_thread(pieces: Generator[bytes]) -> AsyncGenerator[bytes]:
    try:
        while (piece := await sync_to_async(_next)(pieces)) is not None:
            yield piece
    finally:
        await to_its_end(pieces.close)


def _next(pieces: Generator[bytes]) -> bytes | None:
    return next(pieces, None)
