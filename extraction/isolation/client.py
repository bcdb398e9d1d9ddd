"""Reads a document in a process of its own, with limits: a hostile file can only take its own reader down.

`multiprocessing` is not used: its fork server does not survive the fork of a Celery worker, and its children import
the parent's main script again. Each application process has a reader pool instead (`pool.py`).
"""

import atexit
import contextlib
import itertools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from extraction.containers.members import Member, read_members
from extraction.document import ExtractionFailed, Page, read_page_file

PROJECT = Path(__file__).resolve().parents[2]
_GRACE_S = 5.0  # for the pool to report a reader that was killed
_READ_BYTES = 65_536
IDLE_S = 60.0  # after which a pool ends: it takes 50 MB, and the next one starts in a second


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
    nor when the pool was killed and the cost is unknown. `memory_mb` is for the reading alone. `timeout_s` limits the
    time spent waiting for the reader. Raises ExtractionFailed as the reader did, or with code extraction_timeout or
    extraction_crashed. Raises OSError when the disk of the file or of `page_file` failed.
    """
    messages = _read(
        path,
        page_file=str(Path(page_file).resolve()),
        filename=filename or Path(path).name,
        max_pages=max_pages,
        ocr=ocr,
        memory_mb=memory_mb,
        timeout_s=timeout_s,
        on_end=on_end,
    )
    count = 0
    with contextlib.closing(messages), contextlib.closing(read_page_file(page_file)) as pages:
        for message in messages:
            if message["page"] > count:  # a second reader, after the pool died, repeats the first one's pages
                count += 1
                yield next(pages)


def draw_page(
    path: str | Path, target: str | Path, *, number: int, width: int, memory_mb: int = 512, timeout_s: float = 20
) -> int:
    """Draw a page of a PDF, counted from 1, as a PNG `width` pixels wide into `target`. Returns the number of pages.

    Raises ExtractionFailed: no_such_page, corrupt, encrypted, or, as for reading, extraction_timeout or
    extraction_crashed.
    """
    target = str(Path(target).resolve())
    [message] = _read(path, target=target, page=number, width=width, memory_mb=memory_mb, timeout_s=timeout_s)
    return int(message["of"])


def mark_quotes(
    path: str | Path,
    target: str | Path,
    *,
    quotes: Mapping[str, tuple[int, str]],
    memory_mb: int = 512,
    timeout_s: float = 20,
) -> None:
    """Find quoted words on the pages of a PDF (see `pdf/page_view.py`). The answer is JSON in the file `target`.

    The quotes are passed in a file beside `target`, so that they may be longer than a request.
    Raises ExtractionFailed: corrupt, encrypted, or, as for reading, extraction_timeout or extraction_crashed.
    """
    target = str(Path(target).resolve())
    quotes_file = Path(f"{target}.quotes")
    try:
        quotes_file.write_text(json.dumps(dict(quotes)), encoding="utf-8")
        list(_read(path, target=target, quotes=str(quotes_file), memory_mb=memory_mb, timeout_s=timeout_s))
    finally:
        quotes_file.unlink(missing_ok=True)


def unpack(
    path: str | Path,
    directory: Path,
    *,
    filename: str,
    most_bytes: int,
    memory_mb: int = 1024,
    timeout_s: float = 30,
) -> list[Member]:
    """Write what an archive or a message holds to an empty directory, `most_bytes` of it together.

    Raises ExtractionFailed as `containers.unpack` and as for reading, and OSError when the disk failed.
    """
    target = str(directory.resolve())
    request = {"unpack": target, "filename": filename, "most_bytes": most_bytes, "memory_mb": memory_mb}
    list(_read(path, timeout_s=timeout_s, on_end=None, **request))
    return read_members(directory)


def survey_pages(path: str | Path, target: str | Path, *, memory_mb: int = 512, timeout_s: float = 20) -> None:
    """Look at every page of a PDF for half of the time (see `pdf/ocr.py`). The answer is JSON in the file `target`.

    Raises ExtractionFailed: corrupt, encrypted, or, as for reading, extraction_timeout or extraction_crashed.
    """
    target = str(Path(target).resolve())
    list(_read(path, target=target, survey=timeout_s / 2, memory_mb=memory_mb, timeout_s=timeout_s))


def warm_up() -> None:
    """Start the pool, so that the first request need not wait for the readers to be loaded."""
    _pool.start()


def _read(
    path: str | Path, *, timeout_s: float, on_end: Callable[[ReaderCost], None] | None = None, **request: Any
) -> Generator[dict[str, Any], None, None]:
    """The reader's messages about pages. Raises when it ended without success."""
    request |= {"path": str(Path(path).resolve()), "timeout_s": timeout_s}
    answer = _Answer(patience_s=timeout_s)
    yield from answer.to(request)
    if answer.pool_died:  # not the document's fault: the machine was short of memory, or someone killed it
        answer = _Answer(patience_s=answer.patience_s)
        yield from answer.to(request)
    end = answer.end
    if on_end and "peak_kb" in end:
        on_end(ReaderCost(end["peak_kb"], end["cpu_s"]))
    if "failed" in end:
        raise ExtractionFailed(end["failed"], end["message"])
    if answer.timed_out or end.get("status") == -signal.SIGXCPU:
        raise ExtractionFailed("extraction_timeout", f"Reading the file took longer than {timeout_s:g} seconds.")
    if "errno" in end:
        raise OSError(end["errno"], f"The reader's disk failed: {os.strerror(end['errno'])}", request["path"])
    if end.get("status") != 0:
        raise ExtractionFailed(
            "extraction_crashed", "The file stopped the program that reads it: it is damaged or needs too much memory."
        )


@dataclass(slots=True)
class _Answer:
    """The answer of one reader: how long the caller may still wait for it, and what it and the pool said of its end."""

    patience_s: float
    end: dict[str, Any] = field(default_factory=dict)
    timed_out: bool = False
    _ended: bool = False
    _rest: bytes = b""

    @property
    def pool_died(self) -> bool:
        """A live pool sends the status of every reader."""
        return "status" not in self.end and not self.timed_out

    def to(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The messages about pages. Afterwards the reader has ended."""
        request_id = next(_ids)
        pipe, theirs = os.pipe()
        try:
            try:
                _pool.submit({"id": request_id, **request}, theirs)
            finally:
                os.close(theirs)
            try:
                yield from self._messages(pipe)
                self.timed_out = not self._ended
            finally:
                if not self._ended:
                    _pool.stop(request_id)
                    self.patience_s = _GRACE_S
                    for _ in self._messages(pipe):
                        pass
        finally:
            os.close(pipe)

    def _messages(self, pipe: int) -> Iterator[dict[str, Any]]:
        """Those about pages up to the status, the end of the pipe, or the end of patience."""
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        while not self._ended:
            waiting_since = time.monotonic()
            if not poll.poll(max(0.0, self.patience_s) * 1000):
                return
            self.patience_s -= time.monotonic() - waiting_since
            block = os.read(pipe, _READ_BYTES)
            self._ended = not block
            *lines, self._rest = (self._rest + block).split(b"\n")
            for line in lines:
                message = json.loads(line)
                if "page" in message:
                    yield message
                else:
                    self.end |= message
                    self._ended = self._ended or "status" in message


class PoolProcess:
    """This process's reader pool. It is started at the first request, and again after a fork or when it has ended.

    A request that reaches one as it ends is as one whose pool was killed: the next pool gets it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        with self._lock, contextlib.suppress(OSError):
            self._running()

    def submit(self, request: dict[str, Any], answer: int) -> None:
        """Have a reader forked that answers into the pipe. Raises `OSError`."""
        message = json.dumps(request).encode()
        with self._lock:
            for attempt in (1, 2):
                try:
                    socket.send_fds(self._running(), [message], [answer])
                    return
                except OSError:  # it was killed since the last document
                    self.close()
                    if attempt == 2:
                        raise

    def stop(self, request_id: int) -> None:
        """Have the reader of that request killed. Readers of a pool that died are dead already."""
        with self._lock, contextlib.suppress(OSError):
            if self._control is not None:
                self._control.send(json.dumps({"stop": request_id}).encode())

    def _running(self) -> socket.socket:
        if self._process is not None and self._process.poll() is None and self._control is not None:
            return self._control
        self.close()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "extraction.isolation.pool", str(theirs.fileno()), str(IDLE_S)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd=PROJECT,
                start_new_session=True,  # Ctrl-C stops the application, which then closes the socket
            )
        # One that ends by itself is gone at once, not when the next document comes.
        threading.Thread(target=self._process.wait, name="reader-pool", daemon=True).start()
        return self._control

    def close(self) -> None:
        """End the pool and its readers."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.wait()
        self._control = self._process = None

    def forget(self) -> None:
        """Called in a forked child. The pool is the parent's, and must see its socket close when the parent ends."""
        if self._control is not None:
            self._control.close()
        self._lock = threading.Lock()  # another thread of the parent may have held the old one
        self._process = self._control = None


_pool = PoolProcess()
_ids = itertools.count(1)
os.register_at_fork(after_in_child=_pool.forget)
atexit.register(_pool.close)
