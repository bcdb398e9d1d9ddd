"""Responses that are written while they are made, files that are made for a request, and CSV for spreadsheets."""

import asyncio
import csv
import io
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from contextlib import aclosing
from itertools import islice
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

BOM = "\ufeff"  # Excel reads Hebrew by it
CONTENT_TYPE = "text/csv; charset=utf-8"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
LINES_AT_ONCE = 500


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


def attachment(content: bytes | str, *, content_type: str, filename: str) -> HttpResponse:
    """The file, to be stored under a name in any script. No browser shows it in place, and no cache keeps it."""
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    headers = {
        "Content-Disposition": disposition or "attachment",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(content, content_type=content_type, headers=headers)


def csv_line(row: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(map(_harmless, row))
    return line.getvalue()


def _harmless(value: Any) -> Any:
    """A text that a spreadsheet does not take for a formula."""
    if value is None or isinstance(value, int):
        return value
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def in_blocks(lines: Iterator[str]) -> Generator[bytes]:
    """The same text in fewer pieces, each of which is a step of the event loop."""
    while block := "".join(islice(lines, LINES_AT_ONCE)):
        yield block.encode()
