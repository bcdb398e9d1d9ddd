"""Any endpoint that speaks OpenAI's embeddings API: OpenAI, vLLM, TEI, Ollama, LiteLLM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from search.embedders.http import HttpEmbedder
from search.embedders.protocol import Kind

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "text-embedding-3-small"


class OpenAIEmbedder(HttpEmbedder):
    provider = "openai"

    def payload(self, texts: Sequence[str], kind: Kind) -> dict[str, Any]:
        payload: dict[str, Any] = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        if self._wanted_dimension:
            payload["dimensions"] = self._wanted_dimension
        return payload
