"""Reranking over HTTP, in the two forms that servers speak: that of TEI, and that of Jina, Cohere, vLLM and others."""

import json
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from kb_project.clients.http import is_retryable, trusted_certificates
from kb_project.errors import ProviderError
from kb_project.llm.protocol import ModelKey
from kb_project.llm.spans import model_span

PROVIDER = "http"
PATH = "/rerank"
MAX_REPLY_BYTES = 4 * 1024 * 1024  # bytes: some servers send the texts back
MIN_S = 0.1  # of a wait for the network
_MISUNDERSTOOD = (400, 422)


class HttpReranker:
    """A server at `url`, which may end with `/rerank` or before it.

    Which form it speaks is learned from what it refuses. First tried is that of TEI where no model is named, since a
    server of TEI has only one.
    """

    def __init__(self, *, url: str, model: str = "", api_key: str = "") -> None:
        import httpx2  # slow to import, and only who asks a server needs it

        self._url = url.rstrip("/").removesuffix(PATH) + PATH
        self._model = model
        self._forms = (_documents, _texts) if model else (_texts, _documents)
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx2.Client(headers=headers, verify=trusted_certificates())

    @property
    def key(self) -> ModelKey:
        return ModelKey(PROVIDER, self._model, self._url)

    def scores(self, query: str, texts: Sequence[str], *, timeout_s: float) -> list[float]:
        ends = time.monotonic() + timeout_s
        first, second = self._forms
        with model_span("rerank", self.key) as span:
            headers = span.headers()
            status, answer = self._post(first(self._model, query, texts), headers, ends)
            if status in _MISUNDERSTOOD:
                status, answer = self._post(second(self._model, query, texts), headers, ends)
                if status == 200:
                    self._forms = (second, first)
            if status != 200:
                raise ProviderError(f"The reranker failed (HTTP {status}).", retryable=is_retryable(status))
            return _scores(answer, len(texts))

    def _post(self, body: Mapping[str, Any], headers: Mapping[str, str], ends: float) -> tuple[int, bytes]:
        """The status and the body of the answer, which is read until `ends`, a `time.monotonic()`."""
        import httpx2

        whole, silence_s = b"", max(MIN_S, ends - time.monotonic())
        try:
            with self._client.stream("POST", self._url, json=body, headers=headers, timeout=silence_s) as response:
                for part in response.iter_bytes():
                    whole += part
                    if time.monotonic() > ends or len(whole) > MAX_REPLY_BYTES:
                        raise ProviderError("The reranker's answer does not end.", retryable=True)
                return response.status_code, whole
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ProviderError(f"The reranker failed ({type(error).__name__}).", retryable=True) from error


def _texts(model: str, query: str, texts: Sequence[str]) -> dict[str, Any]:
    return {"query": query, "texts": list(texts), "truncate": True}


def _documents(model: str, query: str, texts: Sequence[str]) -> dict[str, Any]:
    named = {"model": model} if model else {}
    return {**named, "query": query, "documents": list(texts), "top_n": len(texts)}


def _scores(answer: bytes, count: int) -> list[float]:
    """The scores in the order of the texts: of each one, and of no other. Raises ProviderError."""
    try:
        said = json.loads(answer)
        rows = said["results"] if isinstance(said, dict) else said
        name = "relevance_score" if isinstance(said, dict) else "score"
        scores = {row["index"]: float(row[name]) for row in rows}
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ProviderError("The reranker answered in an unknown form.", retryable=False) from error
    if len(rows) != count or scores.keys() != set(range(count)) or not all(map(math.isfinite, scores.values())):
        raise ProviderError("The reranker did not score each passage once.", retryable=False)
    return [scores[index] for index in range(count)]
