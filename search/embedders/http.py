"""Embeddings over HTTP: batches, time limits, and patience with a provider that says it is busy."""

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb_project.clients.http import is_retryable, wait_s
from kb_project.errors import ProviderError
from kb_project.llm.protocol import ModelKey
from kb_project.llm.spans import model_span
from search.embedders.protocol import Kind, normalised

BATCH_TEXTS = 96
BATCH_CHARACTERS = 120_000
MAX_TEXT_LENGTH = 16_000  # characters; no chunk is longer, and a longer text would fail its whole batch
DOCUMENT_TIMEOUT_S = 60.0
QUERY_TIMEOUT_S = 3.0  # a person is waiting, and the words alone find most of it
DOCUMENT_ATTEMPTS = 6
CONCURRENCY = 4


class HttpEmbedder:
    """What the HTTP providers share. Each says where to post what."""

    provider = ""
    default_base_url = ""
    default_model = ""
    batch_texts = BATCH_TEXTS
    attempts = DOCUMENT_ATTEMPTS
    document_timeout_s = DOCUMENT_TIMEOUT_S

    def __init__(
        self, *, model: str, base_url: str, api_key: str, dimension: int = 0, concurrency: int = CONCURRENCY
    ) -> None:
        """An empty `model` or `base_url` means the provider's own.

        `concurrency`: how many requests may be under way at a time for one call of `embed`.
        """
        import httpx2  # slow to import, and only who asks a provider needs it

        self.model = model or self.default_model
        self._concurrency = concurrency
        self._wanted_dimension = dimension
        self._found_dimension = 0
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx2.Client(base_url=(base_url or self.default_base_url).rstrip("/"), headers=headers)

    @property
    def dimension(self) -> int:
        """As configured, else found out by embedding one word."""
        if not (self._wanted_dimension or self._found_dimension):
            self._found_dimension = self.embed(["dimension"], "document").shape[1]
        return self._wanted_dimension or self._found_dimension

    def embed(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        batches = self._embed_batches(list(_batches(texts, self.batch_texts)), kind)
        if not batches:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = np.concatenate(batches)
        if self._wanted_dimension and vectors.shape[1] != self._wanted_dimension:
            raise ProviderError(
                f"{self.model} gives {vectors.shape[1]} dimensions, not the configured {self._wanted_dimension}.",
                retryable=False,
            )
        return normalised(vectors)

    @property
    def at_once(self) -> int:
        """How many texts keep all its requests busy."""
        return self.batch_texts * self._concurrency

    def _embed_batches(self, batches: Sequence[list[str]], kind: Kind) -> list[NDArray[np.float32]]:
        if len(batches) < 2:
            return [self._embed_batch(batch, kind) for batch in batches]
        contexts = [copy_context() for _ in batches]
        with ThreadPoolExecutor(self._concurrency, thread_name_prefix="embedding") as pool:
            try:
                return list(pool.map(lambda own, batch: own.run(self._embed_batch, batch, kind), contexts, batches))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)  # those under way are still waited for
                raise

    def payload(self, texts: Sequence[str], kind: Kind) -> dict[str, Any]:
        raise NotImplementedError

    def _embed_batch(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        body = self._post(self.payload(texts, kind), kind)
        try:
            rows = sorted(body["data"], key=lambda row: row["index"])
            vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise ProviderError("The embedding service answered in an unknown form.", retryable=False) from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise ProviderError("The embedding service answered with unusable vectors.", retryable=False)
        return vectors

    def _post(self, payload: Mapping[str, Any], kind: Kind) -> Mapping[str, Any]:
        with model_span("embeddings", ModelKey(self.provider, self.model, str(self._client.base_url))) as span:
            return self._posted(payload, kind, headers=span.headers())

    def _posted(self, payload: Mapping[str, Any], kind: Kind, *, headers: Mapping[str, str]) -> Mapping[str, Any]:
        import httpx2

        attempts = self.attempts if kind == "document" else 1
        timeout = self.document_timeout_s if kind == "document" else QUERY_TIMEOUT_S
        for attempt in range(1, attempts + 1):
            try:
                response = self._client.post("/embeddings", json=payload, headers=headers, timeout=timeout)
                if response.status_code == 200:
                    return dict(response.json())
                retryable = is_retryable(response.status_code)
                reason, retry_after = f"HTTP {response.status_code}", response.headers.get("retry-after", "")
            except httpx2.HTTPError as error:
                retryable, reason, retry_after = True, type(error).__name__, ""
            except ValueError:
                retryable, reason, retry_after = False, "not JSON", ""
            if not retryable or attempt == attempts:
                raise ProviderError(f"The embedding service failed ({reason}).", retryable=retryable)
            time.sleep(wait_s(attempt, retry_after))
        raise AssertionError("unreachable: the last attempt returns or raises")


def _batches(texts: Sequence[str], most: int) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        text = text[:MAX_TEXT_LENGTH] or " "  # providers refuse the empty text
        if batch and (len(batch) == most or characters + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


class OpenAIEmbedder(HttpEmbedder):
    """Any endpoint that speaks OpenAI's embeddings API: OpenAI, vLLM, TEI, Ollama, LiteLLM."""

    provider = "openai"
    default_base_url = "https://api.openai.com/v1"
    default_model = "text-embedding-3-small"

    def payload(self, texts: Sequence[str], kind: Kind) -> dict[str, Any]:
        wanted = {"dimensions": self._wanted_dimension} if self._wanted_dimension else {}
        return {"model": self.model, "input": list(texts), "encoding_format": "float", **wanted}


class VoyageEmbedder(HttpEmbedder):
    """Voyage AI's embeddings API."""

    provider = "voyage"
    default_base_url = "https://api.voyageai.com/v1"
    default_model = "voyage-law-2"

    def payload(self, texts: Sequence[str], kind: Kind) -> dict[str, Any]:
        wanted = {"output_dimension": self._wanted_dimension} if self._wanted_dimension else {}
        return {"model": self.model, "input": list(texts), "input_type": kind, **wanted}
