"""uvicorn that leaves in order: SIGTERM to a web process, or to the parent of several (docs/operations.md).

1. `/healthz` answers 503, every answer closes its connection, and new connections are still taken for `leave_s`: so
   long a proxy may need to notice.
2. The port is closed. Requests and streams that run have `grace_s`.
3. Streams that still run end with their `error` event, and everything else is cut off. The exit code is 0.
"""

import asyncio
import logging
import os
import signal
import socket
import threading
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess, multiprocess

from kb_project.web import draining

LAST_WORDS_S = 2.0  # for the `error` events of streams
EXIT_WITHIN_S = 2.0  # after which threads that still wait for a provider are not waited for
CLOSE = (b"connection", b"close")

logger = logging.getLogger("uvicorn.error")


class StoppingConfig(uvicorn.Config):
    """uvicorn's settings and our two, in seconds."""

    def __init__(self, app: Any, *, leave_s: float, grace_s: float, **options: Any) -> None:
        self.leave_s, self.grace_s = leave_s, grace_s
        super().__init__(app, timeout_graceful_shutdown=round(grace_s + LAST_WORDS_S), **options)


class StoppingServer(uvicorn.Server):
    """One process that answers. A second signal ends the time in which connections are still taken."""

    config: StoppingConfig

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if draining.draining_seconds() is None:
            draining.start_draining()
            self._close_connections()
        elif self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        else:
            self.should_exit = True

    async def on_tick(self, counter: int) -> bool:
        should_exit = await super().on_tick(counter)
        since = draining.draining_seconds()
        if since is None:
            return should_exit
        self._close_connections()
        return should_exit or since >= self.config.leave_s

    def _close_connections(self) -> None:
        """Each with its next answer. Uvicorn makes the list anew every second."""
        if CLOSE not in self.server_state.default_headers:
            self.server_state.default_headers.append(CLOSE)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        draining.start_draining()  # also where a limit of requests ended the loop
        cutting = asyncio.get_running_loop().call_later(self.config.grace_s, draining.notify_shutdown)
        await super().shutdown(sockets)
        cutting.cancel()
        exiting = threading.Timer(EXIT_WITHIN_S, _exit)
        exiting.daemon = True
        exiting.start()


class StoppingProcess(multiprocess.Process):
    @property
    def server(self) -> uvicorn.Server:
        if self._server is None:
            self._server = StoppingServer(self.config)
        return self._server


class StoppingProcesses(Multiprocess):
    """Several processes on one port. The parent lets go of the port first: it would hold it open until all have ended,
    with connections that nobody takes."""

    def terminate_all(self) -> None:
        for listening in self.sockets:
            listening.close()
        super().terminate_all()


def serve(config: StoppingConfig) -> None:
    """Answer until SIGTERM or SIGINT. Exits with uvicorn's code where the application cannot start."""
    if config.workers > 1:
        multiprocess.Process = StoppingProcess  # type: ignore[misc]  # there is no parameter for it
        StoppingProcesses(config, sockets=[config.bind_socket()]).run()
        return
    config.load_app()
    server = StoppingServer(config)
    server.run()
    if not server.started:
        raise SystemExit(uvicorn.config.STARTUP_FAILURE)


def _exit() -> None:
    logger.warning("Requests that did not end in time are cut off")
    logging.shutdown()
    os._exit(0)
