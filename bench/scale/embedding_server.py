"""A local server that speaks OpenAI's embeddings API and answers with `text_vectors`, for measuring only."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.scale.text_vectors import DIMENSION, text_vector
from tests.local_server import LocalCall, ProtocolServer, server_process

MODEL = "bench-hashed-384"
DIGITS = 5


class EmbeddingServer(ProtocolServer):
    path = "/v1"

    def __init__(self) -> None:
        super().__init__(_Call)


class _Call(LocalCall):
    """POST /v1/embeddings, and GET of anything to see that it is there."""

    def do_POST(self) -> None:
        self._answer(embeddings(self.rfile.read(int(self.headers.get("content-length") or 0))))

    def do_GET(self) -> None:
        self._answer({"model": MODEL})

    def _answer(self, answer: dict[str, Any]) -> None:
        content = json.dumps(answer).encode()
        self.write_json_head(200, len(content), {})
        self.wfile.write(content)


def embeddings(body: bytes) -> dict[str, Any]:
    """The answer to a request as OpenAI's API has it."""
    given = json.loads(body)["input"]
    texts = [given] if isinstance(given, str) else given
    return {
        "object": "list",
        "model": MODEL,
        "data": [
            {"object": "embedding", "index": place, "embedding": text_vector(text).round(DIGITS).tolist()}
            for place, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": 0, "total_tokens": 0},
    }


def environment(base_url: str) -> dict[str, str]:
    """The settings that lead the service to this server."""
    return {
        "KB_EMBEDDER": "openai",
        "KB_EMBEDDING_BASE_URL": base_url,
        "KB_EMBEDDING_MODEL": MODEL,
        "KB_EMBEDDING_DIMENSION": str(DIMENSION),
        "KB_EMBEDDING_API_KEY": "none",
    }


@contextmanager
def running() -> Iterator[str]:
    """Start the server in a process of its own, and stop it at the end; yields its base URL. Raises ServerFailed."""
    with server_process("bench.scale.embedding_server") as process:
        yield process.url


if __name__ == "__main__":
    text_vector("")  # makes the projection before the first request does
    with EmbeddingServer() as server:
        print(server.url, flush=True)
        signal.pause()
