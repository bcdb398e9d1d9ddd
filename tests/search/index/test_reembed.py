"""Changing the embedding model."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import transaction

from kb_project.errors import ProviderError
from search.embedders.http import BATCH_TEXTS
from search.index import IndexContext, engine, reembed
from search.models import ChunkEmbedding, EmbeddingSpace
from search.retrieval import Match, Scope, retrieve
from sources.models import Chunk
from tests.factories import make_source
from tests.search.corpus import add_source, passage
from tests.search.embedders.stub import Service, embedding_service

pytestmark = pytest.mark.django_db

TOPIC = Scope(topic_id=1)


@pytest.fixture
def service() -> Iterator[Service]:
    with embedding_service() as service:
        yield service


@pytest.fixture
def openai(settings: Any, service: Service) -> Any:
    """Call it to make the settings name the service's model."""

    def use() -> None:
        settings.KB_EMBEDDER = "openai"
        settings.KB_EMBEDDING_MODEL = "a-model"
        settings.KB_EMBEDDING_DIMENSION = 32
        settings.KB_EMBEDDING_BASE_URL = service.url

    return use


def active() -> str:
    return EmbeddingSpace.objects.get(active=True).provider


def test_reembedding_switches_every_chunk_to_the_new_model(openai: Any) -> None:
    add_source("bank deposits", "bridges")
    openai()
    call_command("reembed")
    space = EmbeddingSpace.objects.get()
    assert (space.provider, space.model, space.dimension, space.active) == ("openai", "a-model", 32, True)
    assert [len(row.embedding) for row in ChunkEmbedding.objects.all()] == [32, 32]
    assert retrieve("bank deposits", scope=TOPIC, mode="semantic").hits[0].text == "bank deposits"


def test_until_the_switch_searches_use_the_old_model(openai: Any, service: Service) -> None:
    add_source("bank deposits")
    openai()
    reembed.embed_missing(reembed.target_space())
    asked = len(service.requests)
    assert retrieve("bank deposits", scope=TOPIC, mode="semantic").hits
    assert (active(), len(service.requests)) == ("hashing", asked)


def test_an_interrupted_run_goes_on_where_it_stopped(openai: Any, service: Service, settings: Any) -> None:
    add_source(*[f"bank number {number}" for number in range(BATCH_TEXTS + 5)])
    openai()
    settings.KB_EMBEDDING_CONCURRENCY = 1
    space = reembed.target_space()
    service.failures = [(200, {}), (400, {})]
    with pytest.raises(ProviderError):
        reembed.embed_missing(space)
    assert reembed.missing(space) == 5
    assert reembed.embed_missing(space) == 5


def test_as_many_chunks_are_embedded_at_a_time_as_keep_the_provider_busy(openai: Any, settings: Any) -> None:
    add_source(*[f"bank number {number}" for number in range(2 * BATCH_TEXTS + 5)])
    openai()
    settings.KB_EMBEDDING_CONCURRENCY = 2
    steps: list[int] = []
    reembed.embed_missing(reembed.target_space(), on_progress=steps.append)
    assert steps == [2 * BATCH_TEXTS, 5]


def test_a_space_that_lacks_chunks_is_not_switched_to(openai: Any) -> None:
    add_source("bank")
    openai()
    assert not reembed.activate_space(reembed.target_space())
    assert active() == "hashing"


def test_chunks_staged_before_switch_get_vectors_of_new_model(openai: Any) -> None:
    source = make_source(title="")
    with engine().stage([passage("bank deposits")], context=IndexContext(topic_id=1, kind="law", title="")) as staged:
        openai()
        call_command("reembed")
        with transaction.atomic():
            engine().publish(staged, source=source)
    space = EmbeddingSpace.objects.get(active=True)
    assert space.provider == "openai"
    assert ChunkEmbedding.objects.filter(space=space, chunk=Chunk.objects.get()).exists()


def test_reembedding_with_the_same_model_changes_nothing() -> None:
    add_source("bank")
    before = list(ChunkEmbedding.objects.values_list("space_id", "chunk_id"))
    call_command("reembed")
    assert list(ChunkEmbedding.objects.values_list("space_id", "chunk_id")) == before


def test_hybrid_search_joins_words_and_meaning(openai: Any) -> None:
    openai()
    add_source("bank deposits", "bridges and tunnels")
    hits = retrieve("bank deposits", scope=TOPIC).hits
    assert hits[0].match is Match.BOTH
    assert {hit.match for hit in hits} <= {Match.BOTH, Match.SEMANTIC}


def test_hybrid_search_goes_by_words_when_the_embedder_fails(openai: Any, service: Service) -> None:
    openai()
    add_source("bank deposits")
    service.failures = [(500, {})]
    assert [hit.match for hit in retrieve("deposits", scope=TOPIC).hits] == [Match.LEXICAL]


def test_semantic_search_says_that_the_embedder_failed(openai: Any, service: Service) -> None:
    openai()
    add_source("bank deposits")
    service.failures = [(500, {})]
    with pytest.raises(ProviderError):
        retrieve("deposits", scope=TOPIC, mode="semantic")


def test_vectors_of_two_models_are_never_compared(openai: Any, settings: Any) -> None:
    openai()
    add_source("bank deposits")
    settings.KB_EMBEDDING_MODEL = "another-model"
    with pytest.raises(ImproperlyConfigured, match="reembed"):
        retrieve("deposits", scope=TOPIC, mode="semantic")
    assert retrieve("deposits", scope=TOPIC).hits, "hybrid search goes by the words"
