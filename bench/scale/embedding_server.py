"""A local server that speaks OpenAI's embeddings API and answers with made vectors, for measuring only."""

import json
import re
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tests.local_server import LocalCall, ProtocolServer, server_process

DIMENSION = 384
BUCKETS = 1 << 15
SPECTRUM = -0.35  # the standard deviation of dimension k falls as this power of k
GRAMS = (3, 4, 5)
LONG_WORD = 8  # letters: from here a word weighs in full, as short words are mostly function words
SEED = 384
CACHED_WORDS = 100_000
_WORD = re.compile(r"\w+")
MODEL = "bench-hashed-384"
DIGITS = 5


def text_vector(text: str) -> NDArray[np.float32]:
    """The unit vector of a text; one without words gets the same as every other such text."""
    counts = Counter(_WORD.findall(text.lower())) or Counter([""])
    rows = np.stack([_word_vector(word) for word in counts])
    weights = np.sqrt(np.fromiter(counts.values(), dtype=np.float32))
    vector = weights @ rows
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


@lru_cache(maxsize=CACHED_WORDS)
def _word_vector(word: str) -> NDArray[np.float32]:
    """The word's own direction and the mean of those of its letter groups."""
    marked = f"<{word}>"
    grams = [marked[start : start + size] for size in GRAMS for start in range(len(marked) - size + 1)]
    projection = _projection()
    vector = projection[_bucket(marked)]
    if grams:
        vector = vector + projection[[_bucket(gram) for gram in grams]].mean(axis=0) * len(grams) ** 0.5
    return np.asarray(vector * (min(len(word), LONG_WORD) / LONG_WORD), dtype=np.float32) if word else vector


def _bucket(feature: str) -> int:
    return crc32(feature.encode()) % BUCKETS


@lru_cache(maxsize=1)
def _projection() -> NDArray[np.float32]:
    spectrum = np.arange(1, DIMENSION + 1, dtype=np.float32) ** SPECTRUM
    return np.random.default_rng(SEED).standard_normal((BUCKETS, DIMENSION), dtype=np.float32) * spectrum


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
