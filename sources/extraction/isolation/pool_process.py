"""The application's side of the reader pool: starts the process, sends it requests, ends it."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[3]


class PoolProcess:
    """This process's reader pool. It is started at the first request, and again after a fork or when it has died."""

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
                [sys.executable, "-m", "sources.extraction.isolation.pool", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd=PROJECT,
                start_new_session=True,  # Ctrl-C stops the application, which then closes the socket
            )
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
