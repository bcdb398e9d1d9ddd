"""The embedding service of the tests here."""

from collections.abc import Iterator

import pytest

from tests.search.embedders.stub import Service, embedding_service


@pytest.fixture
def service() -> Iterator[Service]:
    with embedding_service() as service:
        yield service
