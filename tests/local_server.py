"""What servers on this machine share that speak a provider's protocol: starting, ending, and reading a call."""

import http.server
import json
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, ClassVar, Self

PROJECT = Path(__file__).resolve().parent.parent
STARTS_WITHIN_S, STOPS_WITHIN_S = 300, 120  # one may read and write a large index
LOOK_EVERY_MS = 500  # a pause that nobody waits for ends within this time when the server does


class ServerFailed(Exception):
    """A server in a process of its own did not start."""


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: Any

    @property
    def is_stream(self) -> bool:
        return bool(self.body.get("stream"))


@dataclass(frozen=True)
class ServerProcess:
    url: str
    pid: int


@contextmanager
def server_process(module: str, *arguments: str, log: IO[bytes] | None = None) -> Iterator[ServerProcess]:
    """Run a module that serves in a process of its own and prints its URL as the first line; it ends with the block.

    Raises ServerFailed.
    """
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        try:
            assert process.stdout is not None
            if not select.select([process.stdout], [], [], STARTS_WITHIN_S)[0]:
                raise ServerFailed(f"{module} does not serve after {STARTS_WITHIN_S} s.")
            if not (url := process.stdout.readline().strip()):
                raise ServerFailed(f"{module} ended before it served.")
            yield ServerProcess(url, process.pid)
        finally:
            process.terminate()
            try:
                process.wait(STOPS_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()


class LocalServer(http.server.ThreadingHTTPServer):
    """An HTTP server on a port of this machine, 0 for a free one, whose calls end with the process."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, handler: type[http.server.BaseHTTPRequestHandler], *, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def start(self) -> None:
        """Serve from a thread until `stop`."""
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""


class LocalCall(http.server.BaseHTTPRequestHandler):
    """A call that knows when nobody waits for its answer any more."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    server_of: Any

    @property
    def is_ending(self) -> bool:
        """Whether the server is."""
        return bool(self.server_of.is_ending)

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def is_left(self, wait_ms: float = 0) -> bool:
        """Whether the client has hung up, or does within some milliseconds."""
        try:
            watch = select.poll()
            watch.register(self.connection, select.POLLIN)
            return bool(watch.poll(wait_ms)) and not self.connection.recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):  # closed on this side too
            return True

    def _pause(self, seconds: float) -> bool:
        """Wait; `True` when the test is over before, or nobody waits for the answer any more."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            if self.is_left(min(left * 1000, LOOK_EVERY_MS)) or self.is_ending:
                return True
        return False

    def request_sent(self) -> Request:
        """What the client asks, a body of JSON."""
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Request(self.path, headers, json.loads(raw))

    def write_json_head(self, status: int, length: int, headers: Mapping[str, str]) -> None:
        """Write all that stands before a body of JSON of so many bytes."""
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(length), **headers}.items():
            self.send_header(name, value)
        self.end_headers()


class ProtocolServer:
    """Speaks a protocol from a thread between `with` and its end. A call finds it as `server_of`."""

    path: ClassVar[str] = ""
    """Where the API begins."""

    def __init__(self, handler: type[http.server.BaseHTTPRequestHandler], *, port: int = 0) -> None:
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._server = LocalServer(type("BoundHandler", (handler,), {"server_of": self}), port=port)

    @property
    def url(self) -> str:
        return self._server.url + self.path

    @property
    def is_ending(self) -> bool:
        return self._ending.is_set()

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._server.stop()
