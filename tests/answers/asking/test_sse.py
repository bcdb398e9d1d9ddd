"""Server-sent events: the form of one, silences, back-pressure, and what happens when the reader goes."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from answers.asking import sse


def test_event_is_two_lines_and_an_empty_one_whatever_the_text() -> None:
    written = sse.event("delta", {"text": 'שורה\n"שנייה"\r\n'})
    assert written == 'event: delta\ndata: {"text":"שורה\\n\\"שנייה\\"\\r\\n"}\n\n'.encode()


def test_half_a_character_does_not_break_the_stream() -> None:
    assert sse.event("delta", {"text": "\ud800"}).endswith(b"\n\n")


async def _items(log: list[str], *, pause_s: float = 0.0) -> AsyncGenerator[int]:
    try:
        for number in range(5):
            await asyncio.sleep(pause_s)
            log.append(f"made {number}")
            yield number
    finally:
        log.append("closed")


def test_a_silence_is_filled_and_nothing_is_lost() -> None:
    async def read() -> list[int | None]:
        return [item async for item in sse.with_keepalives(_items([], pause_s=0.05), every_s=0.02)]

    seen = asyncio.run(read())
    assert [item for item in seen if item is not None] == [0, 1, 2, 3, 4]
    assert seen.count(None) >= 5


def test_no_more_is_made_than_a_slow_reader_takes() -> None:
    log: list[str] = []

    async def read() -> None:
        async with aclosing(sse.with_keepalives(_items(log), every_s=9)) as items:
            assert await anext(items) == 0
            await asyncio.sleep(0.05)
            assert len(log) <= 3

    asyncio.run(read())
    assert log[-1] == "closed"


def test_what_ended_the_items_ends_the_reader() -> None:
    async def failing() -> AsyncGenerator[int]:
        yield 1
        raise ValueError("gone")

    async def read() -> None:
        async for _ in sse.with_keepalives(failing(), every_s=9):
            pass

    with pytest.raises(ValueError, match="gone"):
        asyncio.run(read())


def test_a_reader_that_is_cancelled_closes_the_items() -> None:
    log: list[str] = []

    async def read() -> None:
        async for _ in sse.with_keepalives(_items(log, pause_s=5), every_s=9):
            pass

    async def main() -> None:
        task = asyncio.create_task(read())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert log == ["closed"]
