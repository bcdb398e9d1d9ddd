"""The Messages API on this machine: the benchmarks' server, where tests look for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bench.anthropic_server import Answer, AnthropicServer, Block, Request, StreamedReply, cited

__all__ = ["Answer", "AnthropicServer", "Block", "Request", "StreamedReply", "cited", "in_place_of_claude"]


@contextmanager
def in_place_of_claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    """A server that the settings lead to; queries are expanded by it too, as if none had ever failed."""
    with AnthropicServer() as server:
        settings.ANTHROPIC_API_KEY = "test-key"
        settings.ANTHROPIC_BASE_URL = server.url
        yield server
