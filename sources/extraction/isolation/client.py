"""Reads a document in a process of its own, with limits: a hostile file can only take its own reader down.

`multiprocessing` is not used: its fork server does not survive the fork of a Celery worker, and its children import
the parent's main script again. Each application process has a reader pool instead (`pool.py`).
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import select
import signal
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sources.extraction.document import ExtractionFailed, Page
from sources.extraction.isolation.page_file import read_page_file
from sources.extraction.isolation.pool_process import PoolProcess

_GRACE_S = 5.0  # for the pool to report a reader that was killed
_READ_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class ReaderCost:
    """Peak memory of a reader's process in KB, and its CPU time in seconds."""

    peak_kb: int
    cpu_s: float


def read_pages(
    path: str | Path,
    page_file: str | Path,
    *,
    filename: str = "",
    max_pages: int = 5000,
    ocr: bool = True,
    memory_mb: int = 1024,
    timeout_s: float = 600,
    on_end: Callable[[ReaderCost], None] | None = None,
) -> Generator[Page, None, None]:
    """Read the file in a fresh process. Yields each page as soon as it is read, while the reader goes on to the next.

    The reader never waits for the caller: it writes the pages to `page_file`, which holds all of them in the end (see
    `read_page_file`). Closing the iterator stops the reader.
    `on_end` is called when the reader has ended, with or without success. It is not called when the reader was stopped,
    nor when the pool was killed and the cost is unknown.
    `memory_mb` is for the reading alone. `timeout_s` limits the time spent waiting for the reader.
    Raises ExtractionFailed as the reader did, or with code extraction_timeout or extraction_crashed. Raises OSError
    when the disk of the file or of `page_file` failed.
    """
    request = {
        "path": str(Path(path).resolve()),
        "page_file": str(Path(page_file).resolve()),
        "filename": filename or Path(path).name,
        "max_pages": max_pages,
        "ocr": ocr,
        "memory_mb": memory_mb,
        "timeout_s": timeout_s,
    }
    count = 0
    with contextlib.closing(read_page_file(page_file)) as pages:
        for message in _read(request, timeout_s=timeout_s, on_end=on_end):
            if message["page"] > count:  # a second reader, after the pool died, repeats the first one's pages
                count += 1
                yield next(pages)


def draw_page(
    path: str | Path, target: str | Path, *, number: int, width: int, memory_mb: int = 512, timeout_s: float = 20
) -> int:
    """Draw a page of a PDF, counted from 1, as a PNG `width` pixels wide into `target`. Returns the number of pages.

    Raises ExtractionFailed: no_such_page, corrupt, or, as for reading, extraction_timeout or extraction_crashed.
    """
    request = {
        "path": str(Path(path).resolve()),
        "target": str(Path(target).resolve()),
        "page": number,
        "width": width,
        "memory_mb": memory_mb,
        "timeout_s": timeout_s,
    }
    pages = [int(message["of"]) for message in _read(request, timeout_s=timeout_s)]
    return pages[0]


def mark_quotes(
    path: str | Path,
    target: str | Path,
    *,
    quotes: Mapping[str, tuple[int, str]],
    memory_mb: int = 512,
    timeout_s: float = 20,
) -> None:
    """Find quoted words on the pages of a PDF (see `pdf/quote_marks.py`). The answer is JSON in the file `target`.

    The quotes are passed in a file beside `target`, so that they may be longer than a request.
    Raises ExtractionFailed: corrupt, or, as for reading, extraction_timeout or extraction_crashed.
    """
    quotes_file = Path(f"{Path(target).resolve()}.quotes")
    request = {
        "path": str(Path(path).resolve()),
        "target": str(Path(target).resolve()),
        "quotes": str(quotes_file),
        "memory_mb": memory_mb,
        "timeout_s": timeout_s,
    }
    try:
        quotes_file.write_text(json.dumps(dict(quotes)), encoding="utf-8")
        for _ in _read(request, timeout_s=timeout_s):
            pass  # no message names a page
    finally:
        quotes_file.unlink(missing_ok=True)


def warm_up() -> None:
    """Start the pool, so that the first request need not wait for the readers to be loaded."""
    _pool.start()


def _read(
    request: dict[str, Any], *, timeout_s: float, on_end: Callable[[ReaderCost], None] | None = None
) -> Iterator[dict[str, Any]]:
    """The reader's messages about pages. Raises when it ended without success."""
    outcome = _Outcome(patience_s=timeout_s)
    yield from _read_once(request, outcome)
    if outcome.pool_died:  # not the document's fault: the machine was short of memory, or someone killed it
        outcome = _Outcome(patience_s=outcome.patience_s)
        yield from _read_once(request, outcome)
    if on_end and outcome.cost:
        on_end(outcome.cost)
    if outcome.failure:
        raise outcome.failure
    if outcome.timed_out or outcome.status == -signal.SIGXCPU:
        raise ExtractionFailed("extraction_timeout", f"Reading the file took longer than {timeout_s:g} seconds.")
    if outcome.errno:
        raise OSError(outcome.errno, f"The reader's disk failed: {os.strerror(outcome.errno)}", request["path"])
    if outcome.status != 0:
        raise ExtractionFailed(
            "extraction_crashed", "The file stopped the program that reads it: it is damaged or needs too much memory."
        )


@dataclass(slots=True, kw_only=True)
class _Outcome:
    """How a reading ended, and for how long the caller may still wait."""

    patience_s: float
    status: int | None = None
    failure: ExtractionFailed | None = None
    errno: int = 0
    timed_out: bool = False
    cost: ReaderCost | None = None

    @property
    def pool_died(self) -> bool:
        """A live pool sends the status of every reader."""
        return self.status is None and not self.timed_out


def _read_once(request: dict[str, Any], outcome: _Outcome) -> Iterator[dict[str, Any]]:
    """The messages of one reader about pages. Afterwards it has ended, and `outcome` says how."""
    request_id = next(_ids)
    answer_fd, theirs = os.pipe()
    try:
        try:
            _pool.submit({"id": request_id, **request}, theirs)
        finally:
            os.close(theirs)
        answer = _Answer(answer_fd, patience_s=outcome.patience_s)
        try:
            yield from _follow(answer, outcome)
        finally:
            if not answer.ended:
                _pool.stop(request_id)
                answer.drain()
        outcome.cost = answer.cost
    finally:
        os.close(answer_fd)


def _follow(answer: _Answer, outcome: _Outcome) -> Iterator[dict[str, Any]]:
    for message in answer.messages():
        if "status" in message:
            outcome.status = message["status"]
        elif "failed" in message:
            outcome.failure = ExtractionFailed(message["failed"], message["message"])
        elif "errno" in message:
            outcome.errno = message["errno"]
        else:
            yield message
    outcome.timed_out = not answer.ended
    outcome.patience_s = answer.patience_s


class _Answer:
    """The reading end of a reader's pipe."""

    def __init__(self, fd: int, *, patience_s: float) -> None:
        self._fd = fd
        self._rest = b""
        self.patience_s = patience_s  # time left to wait for messages
        self.ended = False
        self.cost: ReaderCost | None = None

    def messages(self) -> Iterator[dict[str, Any]]:
        """Messages up to the status, the end of the pipe, or the end of patience."""
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        while not self.ended:
            waiting_since = time.monotonic()
            if not poll.poll(max(0.0, self.patience_s) * 1000):
                return
            self.patience_s -= time.monotonic() - waiting_since
            block = os.read(self._fd, _READ_BYTES)
            self.ended = not block
            *lines, self._rest = (self._rest + block).split(b"\n")
            for line in lines:
                message = json.loads(line)
                if "status" in message:
                    self.ended = True
                    self.cost = ReaderCost(message["peak_kb"], message["cpu_s"])
                yield message

    def drain(self) -> None:
        """Wait until the reader has ended."""
        self.patience_s = _GRACE_S
        for _ in self.messages():
            pass


_pool = PoolProcess()
_ids = itertools.count(1)
os.register_at_fork(after_in_child=_pool.forget)
atexit.register(_pool.close)
