"""Every implementation of the index, and Qdrant in its local mode: the engine of the client itself, in this process."""

from collections.abc import Callable, Iterator

import pytest
from django.test import override_settings

from search.index import SearchIndex, engine, using
from search.index.postgres.engine import PostgresIndex
from search.index.qdrant import queries
from search.index.qdrant.client import IN_PROCESS, client
from search.index.qdrant.engine import QdrantIndex
from tests.search.index.brute_force import BruteForceIndex

ENGINES: dict[str, Callable[[], SearchIndex]] = {
    "postgres": PostgresIndex,
    "brute force": BruteForceIndex,
    "qdrant": QdrantIndex,
}


@pytest.fixture
def qdrant(db: None) -> Iterator[None]:
    """An empty Qdrant for one test."""
    client.cache_clear()
    queries.forget()
    with override_settings(KB_INDEX="qdrant", KB_QDRANT_URL=IN_PROCESS):
        yield
    client.cache_clear()


@pytest.fixture(params=ENGINES)
def index(request: pytest.FixtureRequest) -> Iterator[SearchIndex]:
    if request.param == "qdrant":
        request.getfixturevalue("qdrant")
    with using(ENGINES[request.param]()):
        engine().maintain()
        yield engine()
