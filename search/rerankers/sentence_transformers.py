"""A CrossEncoder of sentence-transformers in this process. The library is an optional extra."""

from collections.abc import Sequence
from threading import Lock
from typing import Any

from kb_project.errors import ProviderError
from kb_project.llm.protocol import ModelKey

PROVIDER = "sentence-transformers"
MAX_TOKENS = 512  # tokens of query and passage together


class CrossEncoderReranker:
    """A model in a folder on this machine. Nothing is downloaded. The first call loads it, which takes seconds."""

    def __init__(self, *, path: str) -> None:
        self._path = path
        self._model: Any = None
        # One at a time: the model itself uses all cores.
        self._lock = Lock()

    @property
    def key(self) -> ModelKey:
        return ModelKey(PROVIDER, self._path, "")

    def scores(self, query: str, texts: Sequence[str], *, timeout_s: float) -> list[float]:
        if not self._lock.acquire(timeout=timeout_s):
            raise ProviderError("The reranker is busy.", retryable=True)
        try:
            self._model = self._model or _load(self._path)
            pairs = [(query, text) for text in texts]
            return [float(score) for score in self._model.predict(pairs, show_progress_bar=False)]
        finally:
            self._lock.release()


def _load(path: str) -> Any:
    try:
        # Heavy and optional: loads PyTorch.
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise ProviderError(
            "KB_RERANKER=sentence-transformers needs `pip install sentence-transformers`.", retryable=False
        ) from error
    return CrossEncoder(path, max_length=MAX_TOKENS, local_files_only=True)
