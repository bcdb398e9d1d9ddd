"""The embedder of this machine: a model in a process of its own (`search.local_model.server`)."""

from collections.abc import Sequence
from typing import Any

from search.embedders.http import OpenAIEmbedder
from search.embedders.protocol import Kind

MODEL = "multilingual-e5-small-q4"
DIMENSION = 384
HEALTH_TIMEOUT_S = 1.0


class LocalEmbedder(OpenAIEmbedder):
    """It embeds some twenty passages a second on a core, so few are asked for at a time: a batch is kept when made."""

    provider = "local"
    default_model = MODEL
    batch_texts = 32
    attempts = 1  # the next turn of filling tries again, and knows which passages it fails at
    document_timeout_s = 900.0  # it stands back for everything else on the machine

    def __init__(self, *, base_url: str) -> None:
        super().__init__(model=MODEL, base_url=base_url, api_key="", dimension=DIMENSION, concurrency=1)

    def payload(self, texts: Sequence[str], kind: Kind) -> dict[str, Any]:
        return {"model": self.model, "input": list(texts), "input_type": "query" if kind == "query" else "passage"}

    def trouble(self) -> str | None:
        """What the process says is wrong with its file: "missing" or "other". None if nothing, or it is away."""
        import httpx2

        try:
            answer = self._client.get("/health", timeout=HEALTH_TIMEOUT_S)
            return str(answer.json()["error"]["code"]) if answer.status_code == 503 else None
        except (httpx2.HTTPError, ValueError, KeyError, TypeError):
            return None
