"""A query is embedded, and what may be near it chosen, while its words are looked for."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, connections, transaction

from kb_project.errors import ProviderError
from search.embedders import http
from search.embedders.spaces import active_space, begin_embedding, use_configured
from search.index import IndexContext, engine
from search.index.filling import fill_for
from search.index.postgres import engine as by_meaning
from search.models import EmbeddingSpace
from search.ranking import fusion
from search.retrieval import Match, Scope, retrieve
from tests.search.corpus import add_source, passage
from tests.search.embedders.stub import Service, embedding_service

TOPIC = Scope(topic_id=1)
PATIENCE_S = 60.0


@pytest.fixture
def service(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with embedding_service() as service:
        settings.KB_EMBEDDER = "openai"
        settings.KB_EMBEDDING_MODEL = "a-model"
        settings.KB_EMBEDDING_BASE_URL = service.url
        settings.KB_EMBEDDING_DIMENSION = 16
        monkeypatch.setattr(http, "QUERY_TIMEOUT_S", 2 * PATIENCE_S)
        yield service


def answering_when(service: Service, condition: Callable[[], bool], monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Have the service answer when the condition holds, or at the end of its patience; lists which it was."""
    answer, met = service.answer, list[bool]()

    def waiting(request: dict[str, Any]) -> bytes:
        end = time.monotonic() + PATIENCE_S
        while not condition() and time.monotonic() < end:
            time.sleep(0.005)
        met.append(condition())
        return answer(request)

    monkeypatch.setattr(service, "answer", waiting)
    return met


@pytest.mark.django_db
def test_the_words_are_looked_for_while_the_embedder_answers(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    add_source("bank deposits")
    fill_for(60)
    scored = threading.Event()

    def watch(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if "::sparsevec" in sql:
            scored.set()
        return result

    met = answering_when(service, scored.is_set, monkeypatch)
    with connection.execute_wrapper(watch):
        [hit] = retrieve("bank deposits", scope=TOPIC).hits
    assert met == [True]
    assert hit.match == Match.BOTH


@pytest.mark.django_db
def test_candidates_are_chosen_while_the_words_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fusion.DENSE_WEIGHT, "hashing", 0.5)
    add_source("bank deposits")
    chosen = threading.Event()
    choose, waited = by_meaning.choose, list[bool]()

    def announced(*args: Any, **options: Any) -> Any:
        found = choose(*args, **options)
        chosen.set()
        return found

    def watch(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if "::sparsevec" in sql and not waited:
            waited.append(chosen.wait(PATIENCE_S))
        return execute(sql, *rest)

    monkeypatch.setattr(by_meaning, "choose", announced)
    with connection.execute_wrapper(watch):
        [hit] = retrieve("bank deposits", scope=TOPIC).hits
    assert waited == [True]
    assert hit.match == Match.BOTH


@pytest.mark.django_db
def test_what_is_published_during_a_search_replaces_the_old() -> None:
    source = add_source("water tax", "court appeal")
    space = active_space()
    end = engine().nearest(begin_embedding("bank", space=space), space=space, scope=TOPIC, limit=5)
    new = [passage("bank deposits"), passage("bank interest")]
    with engine().stage(new, context=IndexContext.of(source)) as staged, transaction.atomic():
        engine().publish(staged, source=source)
    assert {chunk_id for chunk_id, _ in end(()).ranking} == set(source.chunks.values_list("pk", flat=True))


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_while_the_embedder_is_waited_for(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine: Any = connections["default"]
    add_source("bank deposits")
    fill_for(60)
    met = answering_when(service, lambda: mine.connection is None, monkeypatch)
    assert retrieve("bank", scope=TOPIC).hits
    assert met == [True]


@pytest.mark.django_db(transaction=True)
def test_no_turn_is_held_while_the_embedder_is_waited_for(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    held, turns = threading.Event(), list[str]()

    @contextmanager
    def turn() -> Iterator[None]:
        held.set()
        turns.append("taken")
        yield
        held.clear()
        turns.append("given back")

    add_source("bank deposits")
    fill_for(60)
    met = answering_when(service, lambda: not held.is_set(), monkeypatch)
    assert retrieve("bank", scope=TOPIC, query_slot=turn).hits
    assert met == [True]
    assert turns == ["taken", "given back"] * 2


@pytest.mark.django_db
def test_an_embedder_that_fails_leaves_the_words(service: Service) -> None:
    add_source("bank deposits")
    fill_for(60)
    service.failures = [(500, {}), (500, {})]
    [hit] = retrieve("bank deposits", scope=TOPIC).hits
    assert (hit.match, hit.similarity) == (Match.LEXICAL, None)
    with pytest.raises(ProviderError):
        retrieve("bank deposits", scope=TOPIC, mode="semantic")


@pytest.mark.django_db(transaction=True)
def test_a_search_whose_model_is_switched_meanwhile_is_made_anew(
    service: Service, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where another process has made all vectors of another model and drops those of this one."""
    add_source("bank deposits")
    for embedder in ("openai", "hashing", "openai"):
        settings.KB_EMBEDDER = embedder
        use_configured()
        fill_for(60)
    answer = service.answer

    def switching(request: dict[str, Any]) -> bytes:
        EmbeddingSpace.objects.filter(active=True).delete()
        EmbeddingSpace.objects.update(active=True)
        connection.close()
        return answer(request)

    monkeypatch.setattr(service, "answer", switching)
    assert [hit.text for hit in retrieve("bank deposits", scope=TOPIC, mode="semantic").hits] == ["bank deposits"]
