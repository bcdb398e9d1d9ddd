"""Voyage AI's embeddings API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from search.embedders.http import HttpEmbedder
from search.embedders.protocol import Kind

DEFAULT_BASE_URL = "https://api.voyageai.com/v1"
DEFAULT_MODEL = "voyage-law-2"


class VoyageEmbedder(HttpEmbedder):
    provider = "voyage"

    def payload(self, texts: Sequence[str], kind: Kind) -> dict[str, Any]:
        payload: dict[str, Any] = {"model": self.model, "input": list(texts), "input_type": kind}
        if self._wanted_dimension:
            payload["output_dimension"] = self._wanted_dimension
        return payload
