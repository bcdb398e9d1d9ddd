"""The service's API with every field of a search open."""

from __future__ import annotations

from typing import Any

from bench.client import Api


class SearchApi(Api):
    """One kept-alive connection serves a single client."""

    def search_with(self, body: dict[str, Any]) -> dict[str, Any]:
        """POST /kb/search with exactly these fields."""
        return dict(self._send("POST", "/kb/search", json=body))
