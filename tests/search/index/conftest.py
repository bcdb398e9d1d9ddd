"""Qdrant in its local mode: the engine of the client itself, in this process."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from search.index.qdrant import counts
from search.index.qdrant.client import IN_PROCESS, client


@pytest.fixture
def qdrant(db: None) -> Iterator[None]:
    """An empty Qdrant for one test."""
    client.cache_clear()
    counts.forget()
    with override_settings(KB_INDEX="qdrant", KB_QDRANT_URL=IN_PROCESS):
        yield
    client.cache_clear()
