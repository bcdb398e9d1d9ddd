"""Vectors that follow the documents, and a change of the model."""

import time
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, transaction

from kb_project.clients.redis_client import shared_memory
from kb_project.errors import ProviderError
from search.embedders import vector_notes, wanted
from search.embedders.http import BATCH_TEXTS, OpenAIEmbedder
from search.embedders.spaces import active_space, is_switched, use_configured
from search.embedders.vector_progress import progress
from search.index import IndexContext, engine, filling
from search.models import ChunkEmbedding, Collection, CollectionWork, EmbeddingSpace, VectorWork
from search.retrieval import Match, Scope, retrieve
from search.tasks import fill_vectors
from sources.models import Chunk
from tests.factories import make_source, make_topic
from tests.search.corpus import add_source, passage, publish
from tests.search.embedders.stub import Service
from tests.search.index.filling import asked, fill, forget_failures, openai, service, vectors
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db
__all__ = ["forget_failures", "openai", "service"]  # fixtures

TOPIC = Scope(topic_id=1)


def test_a_document_is_found_by_its_words_before_its_vectors_are_made(openai: Any, service: Service) -> None:
    openai()
    add_source("bank deposits", "bridges and tunnels")
    assert not service.requests
    assert [hit.match for hit in retrieve("deposits", scope=TOPIC).hits] == [Match.LEXICAL]
    by_meaning = retrieve("bank deposits", scope=TOPIC, mode="semantic").hits
    assert [hit.match for hit in by_meaning] == [Match.LEXICAL], "while there is no vector at all"
    fill()
    assert [len(row.embedding) for row in ChunkEmbedding.objects.all()] == [32, 32]
    assert retrieve("deposits", scope=TOPIC).hits[0].match is Match.BOTH
    assert retrieve("bank deposits", scope=TOPIC, mode="semantic").hits[0].text == "bank deposits"
    assert not VectorWork.objects.exists()


def test_the_newest_document_has_its_vectors_first(openai: Any, service: Service) -> None:
    openai()
    for text in ("first", "second", "third"):
        add_source(text)
    fill()
    assert asked(service) == ["third", "second", "first"]


def test_what_people_found_by_its_words_has_its_vector_before(openai: Any, service: Service) -> None:
    openai()
    use_configured()
    add_source("of banks", "of deposits")
    for text in ("of bridges", "of tunnels"):
        add_source(text)
    shared_memory().delete(wanted.KEY)
    assert [hit.text for hit in retrieve("deposits", scope=TOPIC).hits] == ["of deposits"]
    retrieve("tunnels", scope=TOPIC, mode="lexical")  # meaning was not asked for
    wait_until(wanted.newest)
    fill()
    assert [request["input"][0] for request in service.requests] == ["of deposits", "of tunnels"]
    assert (vectors(), wanted.newest()) == (4, [])
    retrieve("deposits", scope=TOPIC)
    assert [*wanted._found, *wanted.newest()] == [], "it lacks nothing now"


def test_what_was_wanted_and_is_gone_or_fails_keeps_nothing_waiting(openai: Any, service: Service) -> None:
    openai()
    use_configured()
    source = add_source("unsound")
    add_source("sound")
    service.refused = "unsound"
    shared_memory().delete(wanted.KEY)
    shared_memory().zadd(wanted.KEY, {"999999": time.time(), str(source.chunks.get().pk): time.time()})
    fill()
    assert (vectors(), wanted.newest()) == (1, [])


def test_without_redis_the_newest_come_first(openai: Any, service: Service, settings: Any) -> None:
    openai()
    settings.REDIS_URL = "redis://127.0.0.1:9"
    add_source("first")
    add_source("second")
    assert retrieve("first", scope=TOPIC).hits
    fill()
    assert asked(service) == ["second", "first"]


def test_a_document_that_is_published_again_is_new(openai: Any, service: Service) -> None:
    openai()
    source = add_source("first")
    add_source("second")
    publish(source, "first again")
    fill()
    assert asked(service) == ["first again", "second"]
    assert (vectors(), Chunk.objects.count()) == (2, 2)


def test_what_is_withdrawn_gets_no_vector(openai: Any, service: Service) -> None:
    openai()
    source = add_source("gone")
    engine().withdraw(source.pk)
    fill()
    assert not service.requests
    assert not VectorWork.objects.exists()


def test_a_document_that_is_withdrawn_while_it_is_embedded_leaves_nothing(
    openai: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    openai()
    source = add_source("gone soon")
    embed = OpenAIEmbedder.embed

    def withdraw_first(self: OpenAIEmbedder, *given: Any) -> Any:
        engine().withdraw(source.pk)
        return embed(self, *given)

    monkeypatch.setattr(OpenAIEmbedder, "embed", withdraw_first)
    fill()
    assert not ChunkEmbedding.objects.exists()
    assert not VectorWork.objects.exists()


def test_what_is_noted_meanwhile_is_looked_at_again(openai: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    openai()
    source = add_source("old text")
    embed = OpenAIEmbedder.embed

    def replace_first(self: OpenAIEmbedder, *given: Any) -> Any:
        monkeypatch.setattr(OpenAIEmbedder, "embed", embed)
        publish(source, "new text", "and more")
        return embed(self, *given)

    monkeypatch.setattr(OpenAIEmbedder, "embed", replace_first)
    fill()
    assert (vectors(), VectorWork.objects.count()) == (2, 0)


def test_a_provider_that_is_away_delays_only_the_vectors(openai: Any, service: Service) -> None:
    openai()
    service.failures = [(400, {})] * 2  # the batch, and the question whether it answers at all
    add_source("bank deposits")
    fill_vectors()
    assert (vectors(), progress().passages, progress().vectors) == (0, 1, 0)
    assert retrieve("deposits", scope=TOPIC).hits
    fill_vectors()
    assert vectors() == 1
    assert progress().is_complete


def test_an_interrupted_run_goes_on_where_it_stopped(openai: Any, service: Service) -> None:
    openai()
    add_source(*[f"bank number {number}" for number in range(BATCH_TEXTS + 5)])
    service.failures = [(200, {}), (400, {}), (400, {})]
    with pytest.raises(ProviderError):
        filling.fill_for(60)
    assert vectors() == BATCH_TEXTS
    service.requests.clear()
    fill()
    assert len(asked(service)) == 5


def test_a_passage_that_the_embedder_cannot_take_keeps_nothing_else_waiting(openai: Any, service: Service) -> None:
    openai()
    add_source("older")
    source = add_source("sound", "unsound", "sound as well")
    service.refused = "unsound"
    fill()
    lacking = Chunk.objects.exclude(pk__in=ChunkEmbedding.objects.values("chunk_id"))
    assert [chunk.text for chunk in lacking] == ["unsound"]
    assert {work.source_id for work in VectorWork.objects.all()} == {source.pk}
    assert progress().topics[0].vectors == 3


def test_one_process_fills_at_a_time(openai: Any) -> None:
    openai()
    add_source("bank")
    other = psycopg.connect(**connection.get_connection_params() | {"cursor_factory": psycopg.Cursor}, autocommit=True)
    with other:
        other.execute("SELECT pg_advisory_lock(%s::bigint)", [filling._LOCK])
        assert not filling.fill_for(60)
        assert vectors() == 0
        other.execute("SELECT pg_advisory_unlock(%s::bigint)", [filling._LOCK])
    fill()
    assert vectors() == 1


def test_a_switch_of_the_model_notes_everything(openai: Any) -> None:
    add_source("bank deposits", "bridges")
    assert (active_space().provider, is_switched(), VectorWork.objects.count()) == ("hashing", False, 0)
    openai()
    assert is_switched()
    call_command("reembed")
    space = EmbeddingSpace.objects.get()
    assert (space.provider, space.model, space.dimension, space.active) == ("openai", "a-model", 32, True)
    assert vectors() == 2
    assert not is_switched()
    assert retrieve("bank deposits", scope=TOPIC, mode="semantic").hits[0].text == "bank deposits"


def test_until_the_first_vector_of_another_model_words_find(openai: Any) -> None:
    add_source("bank deposits")
    openai()
    use_configured()
    assert [hit.match for hit in retrieve("deposits", scope=TOPIC, mode="semantic").hits] == [Match.LEXICAL]
    fill()
    assert [hit.match for hit in retrieve("deposits", scope=TOPIC, mode="semantic").hits] == [Match.SEMANTIC]


def test_a_process_with_the_settings_of_another_model_goes_by_words(openai: Any, settings: Any) -> None:
    openai()
    add_source("bank deposits")
    fill()
    settings.KB_EMBEDDING_MODEL = "another-model"
    for mode in ("hybrid", "semantic"):
        assert [hit.match for hit in retrieve("deposits", scope=TOPIC, mode=mode).hits] == [Match.LEXICAL]
    settings.KB_EMBEDDING_MODEL, settings.KB_EMBEDDING_DIMENSION = "a-model", 16
    assert [hit.match for hit in retrieve("deposits", scope=TOPIC).hits] == [Match.LEXICAL]
    with pytest.raises(ProviderError):
        retrieve("deposits", scope=TOPIC, mode="semantic")


def test_switching_there_and_back_makes_no_vector_twice(openai: Any, settings: Any, service: Service) -> None:
    openai()
    add_source("bank deposits")
    fill()
    before, settings.KB_EMBEDDING_MODEL = len(service.requests), "another-model"
    use_configured()
    openai()
    fill()
    assert len(service.requests) == before
    assert (vectors(), EmbeddingSpace.objects.count()) == (1, 1)


def test_chunks_staged_before_a_switch_get_vectors_of_the_new_model(openai: Any) -> None:
    source = make_source(title="")
    with engine().stage([passage("bank deposits")], context=IndexContext(topic_id=1, kind="law", title="")) as staged:
        openai()
        call_command("reembed")
        with transaction.atomic():
            engine().publish(staged, source=source)
    fill()
    space = EmbeddingSpace.objects.get(active=True)
    assert space.provider == "openai"
    assert ChunkEmbedding.objects.filter(space=space, chunk=Chunk.objects.get()).exists()


def test_reembedding_with_the_same_model_changes_nothing() -> None:
    add_source("bank")
    before = list(ChunkEmbedding.objects.values_list("space_id", "chunk_id"))
    call_command("reembed")
    assert list(ChunkEmbedding.objects.values_list("space_id", "chunk_id")) == before


def test_collections_of_points_are_brought_the_vectors(openai: Any) -> None:
    openai()
    collection = Collection.objects.create(space=active_space(), state=Collection.State.ACTIVE)
    source = add_source("bank")
    CollectionWork.objects.all().delete()
    fill()
    assert list(CollectionWork.objects.values_list("collection_id", "source_id")) == [(collection.pk, source.pk)]


def test_progress_is_told_by_topic(openai: Any) -> None:
    openai()
    other = make_topic()
    add_source("bank", "deposits", topic=other)
    use_configured()
    vector_notes.note_all()
    [topic] = progress().topics
    assert (topic.topic_id, topic.passages, topic.vectors) == (other.pk, 2, 0)
    assert progress({1}).is_complete
    fill()
    assert progress().is_complete
    assert (progress().passages, progress().vectors) == (2, 2)


def test_an_embedder_that_settings_do_not_make_is_told_and_breaks_no_worker(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.KB_EMBEDDER = "crystal-ball"
    fill_vectors()
    assert "The embedder fails; vectors wait for it" in caplog.text
