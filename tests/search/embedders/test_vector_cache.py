"""Vectors kept for the next attempt."""

import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from django.db import transaction

from kb_project.errors import ProviderError
from search.embedders.http import BATCH_TEXTS, OpenAIEmbedder
from search.embedders.vector_cache import VectorCache
from search.index import IndexContext, engine
from search.models import ChunkEmbedding
from tests.factories import make_source
from tests.search.corpus import passage
from tests.search.embedders.stub import Service

TEXTS = [f"text {number}" for number in range(5)]


@pytest.fixture
def kept() -> Iterator[VectorCache]:
    vectors = VectorCache(uuid.uuid4().hex)
    yield vectors
    vectors.forget()


def embedder_of(service: Service) -> OpenAIEmbedder:
    return OpenAIEmbedder(model="a-model", base_url=service.url, api_key="", dimension=8, concurrency=2)


def asked(service: Service) -> list[str]:
    return [text for request in service.requests for text in request["input"]]


def test_what_was_made_once_is_not_asked_for_again(service: Service, kept: VectorCache) -> None:
    embedder = embedder_of(service)
    first = kept.embed(TEXTS[:3], embedder)
    again = kept.embed(TEXTS, embedder)
    assert asked(service) == TEXTS
    assert np.allclose(again[:3], first, atol=1e-3)
    assert np.allclose(again, embedder.embed(TEXTS, "document"), atol=1e-3)


def test_what_is_forgotten_is_made_anew(service: Service, kept: VectorCache) -> None:
    kept.embed(TEXTS, embedder_of(service))
    kept.forget()
    kept.embed(TEXTS, embedder_of(service))
    assert asked(service) == TEXTS * 2


def test_without_redis_the_vectors_are_made_all_the_same(service: Service, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    vectors = VectorCache("a document").embed(TEXTS, embedder_of(service))
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)


@pytest.mark.django_db(transaction=True)
def test_one_of_two_documents_with_one_title_leaves_the_vectors_of_the_other(service: Service, settings: Any) -> None:
    settings.KB_EMBEDDER, settings.KB_EMBEDDING_MODEL = "openai", "a-model"
    settings.KB_EMBEDDING_BASE_URL, settings.KB_EMBEDDING_DIMENSION = service.url, 8
    source = make_source()
    context = IndexContext(topic_id=source.topic_id, kind="law", title=uuid.uuid4().hex)
    drafts = [passage("the same text in both")]
    with (
        engine().stage(drafts, context=context, document="one"),
        engine().stage(drafts, context=context, document="two") as two,
    ):
        with transaction.atomic():
            engine().publish(two, source=source)
        before = len(service.requests)
        with engine().stage(drafts, context=context, document="one"):
            assert len(service.requests) == before
        with engine().stage(drafts, context=context, document="two"):
            assert len(service.requests) == before + 1


@pytest.mark.django_db(transaction=True)
def test_a_document_goes_on_from_its_last_batch_after_a_failure(service: Service, settings: Any) -> None:
    settings.KB_EMBEDDER, settings.KB_EMBEDDING_MODEL = "openai", "a-model"
    settings.KB_EMBEDDING_BASE_URL, settings.KB_EMBEDDING_DIMENSION = service.url, 8
    settings.KB_EMBEDDING_CONCURRENCY = 1
    source = make_source()
    context = IndexContext(topic_id=source.topic_id, kind="law", title=uuid.uuid4().hex)
    drafts = [passage(f"text {number}") for number in range(3 * BATCH_TEXTS)]
    service.failures = [(200, {}), (200, {}), (400, {})]
    with pytest.raises(ProviderError):
        engine().stage(drafts, context=context)
    with engine().stage(drafts, context=context) as staged, transaction.atomic():
        engine().publish(staged, source=source)
    lengths = [len(request["input"]) for request in service.requests]
    assert lengths == [BATCH_TEXTS] * 4  # two that came, one that failed, and that one again
    assert ChunkEmbedding.objects.count() == len(drafts)
    with engine().stage(drafts[:1], context=context):
        assert len(service.requests) == 5  # once it is indexed nothing is kept
