"""The reader pool: a process that forks a reader for each document.

Run as `python -m extraction.isolation.pool <socket> <seconds>`. It has loaded what readers need, so a new reader costs
a fork. It has no Django, no threads and no open connections. Where nothing was asked for so many seconds it ends.

Requests come over a Unix socket: `{"id", "path", ...}` with the pipe for the answer, and `{"stop": id}`. A request with
`page` asks for a picture of that page. One with `quotes`, a JSON file, asks for the places of those words, one with
`unpack`, a directory, for the files that this one holds. One with `survey`, a number of seconds, asks which pages have
text that will not be read. Any other asks for the text of all pages.

Answers are JSON lines. `{"page"}` is sent for each page that is in the page file, counted from 1, and `{"page", "of"}`
for a picture. `{"failed", "message"}` and `{"errno"}` say why reading ended early. The pool itself sends
`{"status", "peak_kb", "cpu_s"}` when the reader has ended. The pool and its readers end when the socket closes.
"""

import contextlib
import errno
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from extraction import READERS, extract, reader_of
from extraction.containers.unpacking import unpack
from extraction.document import ExtractionFailed, write_page
from extraction.pdf.ocr import survey
from extraction.pdf.page_view import draw_page, mark_quotes
from kb_project.processes.ending import exit_with_parent

SAMPLE = Path(__file__).with_name("sample.pdf")
REQUEST_BYTES = 65_536
MAX_FILE_BYTES = 1 << 30
# Errors of the disk, not of the document: the same file may be read later.
STORAGE_ERRORS = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.ENOENT, errno.EMFILE, errno.ENFILE)
)


class ReaderPool:
    """The live readers by process number, each with its request's id and the pipe of its answer."""

    def __init__(self, control: socket.socket, *, idle_s: float) -> None:
        self._control = control
        self._idle_s = idle_s
        self._readers: dict[int, tuple[int, int]] = {}

    def serve(self) -> None:
        """Fork a reader for every request until the other end closes, or has asked nothing for long."""
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_read, False)
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # wakes the select below
        while True:
            patience_s = None if self._readers else self._idle_s
            ready, _, _ = select.select([self._control.fileno(), wake_read], [], [], patience_s)
            if not ready:
                break
            if wake_read in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(wake_read, 4096)
                self._reap()
            if self._control.fileno() in ready and not self._take_request():
                break
        for pid in self._readers:
            _kill_group(pid)

    def _take_request(self) -> bool:
        try:
            message, fds, _, _ = socket.recv_fds(self._control, REQUEST_BYTES, 1)
        except ConnectionError:
            return False
        if not message:
            return False
        request = json.loads(message)
        if "stop" in request:
            for pid, (request_id, _) in self._readers.items():
                if request_id == request["stop"]:
                    _kill_group(pid)
        else:
            self._fork(request, fds[0])
        return True

    def _fork(self, request: dict[str, Any], answer: int) -> None:
        os.set_inheritable(answer, False)
        end_with_pool = exit_with_parent(os.getpid(), signal.SIGKILL)
        pid = os.fork()
        if pid:
            with contextlib.suppress(OSError):
                os.setpgid(pid, pid)  # here and in the reader, as either may be first
            self._readers[pid] = request["id"], answer
            return
        try:
            end_with_pool()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._control.close()
            for _, other in self._readers.values():
                os.close(other)
            status = _run_reader(request, answer)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            status = 1
        sys.stderr.flush()
        os._exit(status)

    def _reap(self) -> None:
        """Send the status of each reader that has ended, and close its answer."""
        for pid in list(self._readers):
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if ended:
                _, answer = self._readers.pop(pid)
                _kill_group(pid)  # the programs it started, such as OCR
                with contextlib.suppress(OSError):
                    _send(
                        answer,
                        status=os.waitstatus_to_exitcode(status),
                        peak_kb=usage.ru_maxrss,
                        cpu_s=usage.ru_utime + usage.ru_stime,
                    )
                os.close(answer)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _run_reader(request: dict[str, Any], answer: int) -> int:
    """Answer a request in the reader's process. Returns its exit status."""
    os.setpgid(0, 0)
    _set_limits(memory_mb=request["memory_mb"], cpu_s=request["timeout_s"])
    try:
        if "page" in request:
            number, width = request["page"], request["width"]
            _send(answer, page=number, of=draw_page(request["path"], request["target"], number=number, width=width))
        elif "quotes" in request:
            with open(request["quotes"], encoding="utf-8") as file:
                quotes = json.load(file)
            mark_quotes(request["path"], request["target"], quotes=quotes)
        elif "unpack" in request:
            target, most = Path(request["unpack"]), request["most_bytes"]
            unpack(Path(request["path"]), target, filename=request["filename"], most_bytes=most)
        elif "survey" in request:
            survey(request["path"], request["target"], seconds=request["survey"])
        else:
            _read_pages(request, answer)
    except ExtractionFailed as failure:
        _send(answer, failed=failure.code, message=failure.message)
    except MemoryError:
        _send(answer, failed="extraction_crashed", message="Reading the file takes more memory than is allowed.")
    except OSError as error:
        if error.errno not in STORAGE_ERRORS:
            raise
        _send(answer, errno=error.errno)
    return 0


def _read_pages(request: dict[str, Any], answer: int) -> None:
    with open(request["page_file"], "w", encoding="utf-8", newline="\n") as file:
        pages = extract(
            request["path"], filename=request["filename"], max_pages=request["max_pages"], ocr=request["ocr"]
        )
        for count, page in enumerate(pages, 1):
            write_page(file, page)
            file.flush()  # the application reads the page as soon as it gets the message
            _send(answer, page=count)


def _send(answer: int, **message: object) -> None:
    line = json.dumps(message).encode() + b"\n"
    while line:
        line = line[os.write(answer, line) :]


def _set_limits(*, memory_mb: int, cpu_s: float) -> None:
    """Memory is limited beyond what the process has mapped already. Limits of CPU time and file size are a last resort:
    the application stops the reader first.
    """
    with open("/proc/self/statm") as statm:
        mapped = int(statm.read().split()[0]) * resource.getpagesize()
    limit = mapped + (memory_mb << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    seconds = int(cpu_s) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    for format in READERS:
        reader_of(format)
    # So that no reader pays for what the first page of a process costs: patterns and tables that are made on first use,
    # and PDFium's search for the machine's fonts. The page has both directions, a font that PDFium looks for and rules.
    with contextlib.suppress(OSError, ExtractionFailed):
        list(extract(SAMPLE))
    # Readers share the loaded objects. A collection in a reader would touch them, and so copy their memory.
    gc.freeze()
    ReaderPool(socket.socket(fileno=int(sys.argv[1])), idle_s=float(sys.argv[2])).serve()
