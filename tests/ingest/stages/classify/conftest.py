"""What tests of classification share: a server that answers for Claude, and settings that lead to it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.anthropic_server import AnthropicServer


@pytest.fixture
def claude(settings: Any) -> Iterator[AnthropicServer]:
    """The settings name a key and this server; short deadlines are set by the tests that wait for them."""
    with AnthropicServer() as server:
        settings.ANTHROPIC_API_KEY = "test-key"
        settings.ANTHROPIC_BASE_URL = server.url
        yield server
