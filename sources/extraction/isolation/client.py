"""Reads a document in a process of its own, with limits: a hostile file can only take its own reader down.

`multiprocessing` is not used: its fork server does not survive the fork of a Celery worker, and its children import
the parent's main script again. One nursery process per application process forks the readers instead.
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
from sources.extraction.isolation.page_file import read_spill
from sources.extraction.isolation.pool_process import Nursery

__all__ = ["draw_page", "mark_quotes", "read_pages", "read_spill", "warm_up"]

_GRACE_S = 5.0  # for the nursery to report a reader that was killed
_READ_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Spent:
    """What a reader cost: the most memory its process held, in KB, and its CPU time in seconds."""

    peak_kb: int
    cpu_s: float


def read_pages(
    path: str | Path,
    spill: str | Path,
    *,
    filename: str = "",
    max_pages: int = 5000,
    ocr: bool = True,
    memory_mb: int = 1024,
    timeout_s: float = 600,
    on_end: Callable[[Spent], None] | None = None,
) -> Generator[Page, None, None]:
    """Read the file in a fresh process; yields each page as soon as it is read, while the reader goes on to the next.

    The reader is not held up by whoever takes the pages: they wait in the file `spill`, which holds all of them in the
    end (see `read_spill`). Closing the iterator stops the reader.
    `on_end` is told what the reader cost once it is gone, whether it read the file or failed. It is not called when
    nobody knows the cost, as the nursery was killed, nor when the reader was stopped.
    `memory_mb` is for the reading alone, `timeout_s` for the time in which nothing is done but wait for the reader.
    Raises ExtractionFailed: as the reader did, or with code extraction_timeout or extraction_crashed; and OSError when
    the disk of the file or the spill failed.
    """
    request = {
        "path": str(Path(path).resolve()),
        "spill": str(Path(spill).resolve()),
        "filename": filename or Path(path).name,
        "max_pages": max_pages,
        "ocr": ocr,
        "memory_mb": memory_mb,
        "timeout_s": timeout_s,
    }
    taken = 0
    with contextlib.closing(read_spill(spill)) as pages:
        for told in _read(request, timeout_s=timeout_s, on_end=on_end):
            if told["page"] > taken:  # else a second reader, after the first one's nursery died, repeats its pages
                taken += 1
                yield next(pages)


def draw_page(
    path: str | Path, target: str | Path, *, number: int, width: int, memory_mb: int = 512, timeout_s: float = 20
) -> int:
    """Draw a page of a PDF, counted from 1, as a PNG `width` pixels wide into `target`; gives how many pages there are.

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
    pages = [int(told["of"]) for told in _read(request, timeout_s=timeout_s)]
    return pages[0]


def mark_quotes(
    path: str | Path,
    target: str | Path,
    *,
    quotes: Mapping[str, tuple[int, str]],
    memory_mb: int = 512,
    timeout_s: float = 20,
) -> None:
    """Find quoted words on the pages of a PDF (see `pdf.marks`), the answer as JSON in the file `target`.

    The quotes lie in a file beside `target` meanwhile, so that they may be longer than a request.
    Raises ExtractionFailed: corrupt, or, as for reading, extraction_timeout or extraction_crashed.
    """
    asked = Path(f"{Path(target).resolve()}.quotes")
    request = {
        "path": str(Path(path).resolve()),
        "target": str(Path(target).resolve()),
        "quotes": str(asked),
        "memory_mb": memory_mb,
        "timeout_s": timeout_s,
    }
    try:
        asked.write_text(json.dumps(dict(quotes)), encoding="utf-8")
        for _ in _read(request, timeout_s=timeout_s):
            pass  # it tells of no page
    finally:
        asked.unlink(missing_ok=True)


def warm_up() -> None:
    """Start the nursery ahead of its first order, which then need not wait for the readers to be loaded."""
    _nursery.start()


def _read(
    request: dict[str, Any], *, timeout_s: float, on_end: Callable[[Spent], None] | None = None
) -> Iterator[dict[str, Any]]:
    """What the reader tells of pages; raises as it ended."""
    outcome = _Outcome(patience_s=timeout_s)
    yield from _read_once(request, outcome)
    if outcome.nursery_died:  # which is not the document's fault: the machine was short of memory, or someone killed it
        outcome = _Outcome(patience_s=outcome.patience_s)
        yield from _read_once(request, outcome)
    if on_end and outcome.spent:
        on_end(outcome.spent)
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
    """How a reading ended, and how long it may still be waited for."""

    patience_s: float
    status: int | None = None
    failure: ExtractionFailed | None = None
    errno: int = 0
    timed_out: bool = False
    spent: Spent | None = None

    @property
    def nursery_died(self) -> bool:
        """It tells the status of every reader, if it lives to see its end."""
        return self.status is None and not self.timed_out


def _read_once(request: dict[str, Any], outcome: _Outcome) -> Iterator[dict[str, Any]]:
    """What one reader tells of pages; it is gone afterwards, and `outcome` says how."""
    request_id = next(_ids)
    answer_fd, theirs = os.pipe()
    try:
        try:
            _nursery.order({"id": request_id, **request}, theirs)
        finally:
            os.close(theirs)
        answer = _Answer(answer_fd, patience_s=outcome.patience_s)
        try:
            yield from _follow(answer, outcome)
        finally:
            if not answer.ended:
                _nursery.stop(request_id)
                answer.drain()
        outcome.spent = answer.spent
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
        self.patience_s = patience_s  # it may still be waited for; while something is there to take, it is not
        self.ended = False
        self.spent: Spent | None = None

    def messages(self) -> Iterator[dict[str, Any]]:
        """Messages up to the last one (the status), the end of the pipe, or the end of patience."""
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        while not self.ended:
            asked_at = time.monotonic()
            if not poll.poll(max(0.0, self.patience_s) * 1000):
                return
            self.patience_s -= time.monotonic() - asked_at
            block = os.read(self._fd, _READ_BYTES)
            self.ended = not block
            *lines, self._rest = (self._rest + block).split(b"\n")
            for line in lines:
                message = json.loads(line)
                if "status" in message:
                    self.ended = True
                    self.spent = Spent(message["peak_kb"], message["cpu_s"])
                yield message

    def drain(self) -> None:
        """Wait until the reader is gone."""
        self.patience_s = _GRACE_S
        for _ in self.messages():
            pass


_nursery = Nursery()
_ids = itertools.count(1)
os.register_at_fork(after_in_child=_nursery.forget)
atexit.register(_nursery.close)
