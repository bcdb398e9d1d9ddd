"""An embedding service on loopback that speaks OpenAI's and Voyage's protocol."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from search.embedders.hashing import HashingEmbedder


class Service:
    """What the service was asked, and how it is to answer: `failures` holds (status, headers), one per request."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.failures: list[tuple[int, dict[str, str]]] = []
        self.dimension = 8
        self.body: bytes | None = None
        self.refused = ""  # a text that it answers with 400

    def answer(self, request: dict[str, Any]) -> bytes:
        if self.body is not None:
            return self.body
        dimension = request.get("dimensions") or request.get("output_dimension") or self.dimension
        vectors = HashingEmbedder(dimension=dimension).embed(request["input"], "document") * 3
        data = [{"index": index, "embedding": vector.tolist()} for index, vector in enumerate(vectors)]
        return json.dumps({"data": data[::-1]}).encode()  # the protocol promises no order


@contextmanager
def embedding_service() -> Iterator[Service]:
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.requests.append(request)
            service.keys.append(self.headers["Authorization"])
            status, headers = service.failures.pop(0) if service.failures else (200, {})
            if service.refused and service.refused in request["input"]:
                status = 400
            body = service.answer(request) if status == 200 else b"{}"
            self.send_response(status if self.path == "/v1/embeddings" else 404)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
