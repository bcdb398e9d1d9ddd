"""An embedder over HTTP whose vectors follow in the background, for tests."""

from collections.abc import Iterator
from typing import Any

import pytest

from search.index import filling
from search.models import ChunkEmbedding
from tests.search.embedders.stub import Service, embedding_service


@pytest.fixture
def service() -> Iterator[Service]:
    with embedding_service() as service:
        yield service


@pytest.fixture(autouse=True)
def forget_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "_failures", {})
    monkeypatch.setattr(filling, "BACK_WITHIN_S", 0.0)


@pytest.fixture
def openai(settings: Any, service: Service) -> Any:
    """Call it to make the settings name the service's model."""

    def use() -> None:
        settings.KB_EMBEDDER = "openai"
        settings.KB_EMBEDDING_MODEL = "a-model"
        settings.KB_EMBEDDING_DIMENSION = 32
        settings.KB_EMBEDDING_BASE_URL = service.url
        settings.KB_EMBEDDING_CONCURRENCY = 1

    return use


def fill() -> None:
    while filling.fill_for(60):
        pass


def asked(service: Service) -> list[str]:
    return [text for request in service.requests for text in request["input"]]


def vectors() -> int:
    return ChunkEmbedding.objects.filter(space__active=True).count()
