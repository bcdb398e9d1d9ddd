"""Every implementation of the index, and Qdrant in its local mode: the engine of the client itself, in this process."""

from collections.abc import Callable, Iterator

import pytest
from django.test import override_settings
from qdrant_client import QdrantClient

from search.index import SearchIndex, engine, using
from search.index.postgres.engine import PostgresIndex
from search.index.qdrant import client
from search.index.qdrant.engine import QdrantIndex
from tests.search.index.brute_force import BruteForceIndex

ENGINES: dict[str, Callable[[], SearchIndex]] = {
    "postgres": PostgresIndex,
    "brute force": BruteForceIndex,
    "qdrant": QdrantIndex,
}


@pytest.fixture
def qdrant(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty Qdrant for one test."""
    local = QdrantClient(":memory:")
    monkeypatch.setattr(client, "client", lambda: local)
    with override_settings(KB_INDEX="qdrant"):
        yield


@pytest.fixture(params=ENGINES)
def index(request: pytest.FixtureRequest) -> Iterator[SearchIndex]:
    if request.param == "qdrant":
        request.getfixturevalue("qdrant")
    with using(ENGINES[request.param]()):
        engine().maintain()
        yield engine()
