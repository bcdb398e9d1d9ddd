"""Qdrant as a server beside the tests."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from search.index import engine, using
from search.index.qdrant.client import client
from search.index.qdrant.engine import QdrantIndex
from tests.qdrant_server import QdrantServer


@pytest.fixture
def server() -> Iterator[QdrantServer]:
    """Qdrant's REST API, served beside this test."""
    client.cache_clear()
    with QdrantServer(api_key="secret") as server:
        named = override_settings(KB_INDEX="qdrant", KB_QDRANT_URL=server.url, KB_QDRANT_API_KEY="secret")
        with named, using(QdrantIndex()):
            engine().maintain()
            yield server
    client.cache_clear()
