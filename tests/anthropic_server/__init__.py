"""A server on this machine that speaks the Messages API as of 2026-10-21, for tests and benchmarks with the real SDK.

    with AnthropicServer() as server:
        server.will_answer({"kind": "law"})                  # the text of the answer, as JSON
        server.will_answer(status=529)                       # an error
        server.will_stream(Block("So.", [cited(0)]))         # for the requests that ask for a stream
        ...                                                  # settings.ANTHROPIC_BASE_URL = server.url
        server.requests[-1].body                             # what the SDK sent

Whole answers and streams are promised apart: each is given in the order in which it was promised, and the last one is
repeated. Where nothing was promised, a stream cites every search result, and a whole answer is as empty as its schema
allows. Bodies that break a rule of the API are answered with 400.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.anthropic_server.script import Answer, Block, StreamedReply, cited
from tests.anthropic_server.server import AnthropicServer
from tests.local_server import Request

__all__ = ["Answer", "AnthropicServer", "Block", "Request", "StreamedReply", "cited", "in_place_of_claude"]


@contextmanager
def in_place_of_claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    """A server that the settings lead to; queries are expanded by it too, as if none had ever failed."""
    with AnthropicServer() as server:
        settings.ANTHROPIC_API_KEY = "test-key"
        settings.ANTHROPIC_BASE_URL = server.url
        yield server
