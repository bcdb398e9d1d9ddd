"""The index in Qdrant beside Postgres: what is noted comes in, and an outage loses nothing."""

import threading
from concurrent.futures import Future
from datetime import date
from typing import Any

import pytest
from django.db import connection, transaction
from rest_framework.test import APIClient

from kb_project.errors import Unavailable
from labels import assign
from search.embedders.spaces import active_space
from search.index import engine
from search.index.protocol import Vector
from search.index.qdrant import collections, outbox
from search.index.qdrant.client import client
from search.models import Collection, CollectionWork
from search.retrieval import retrieve
from sources.models import Source
from sources.scope import Scope
from tests.factories import make_label
from tests.qdrant_server import QdrantServer
from tests.search.corpus import add_source
from tests.search.index.qdrant.looking import TOPIC, brought_into, chunk_ids, findings, points, texts
from tests.search.searching import by_words, vector_of, weighed

pytestmark = pytest.mark.django_db


def test_what_is_published_changed_and_withdrawn_comes_to_qdrant(server: QdrantServer) -> None:
    source = add_source("water of the river", "tax on land", kind="law")
    assert set(points()) == chunk_ids()
    label = make_label("Rent")
    assign.add(source, [label], by="test")
    source.published_at, source.kind, source.valid_from = date(2020, 1, 1), "circular", date(2021, 1, 1)
    source.save()
    assert CollectionWork.objects.exists()
    engine().maintain()
    assert not CollectionWork.objects.exists()
    for payload in points().values():
        assert (payload["labels"], payload["kind"]) == ([label.pk], "circular")
        assert (payload["published"], payload["begins"]) == (
            date(2020, 1, 1).toordinal(),
            date(2021, 1, 1).toordinal(),
        )
    assign.remove(source, [label], by="test")
    engine().maintain()
    assert {tuple(payload["labels"]) for payload in points().values()} == {()}  # type: ignore[arg-type]
    with transaction.atomic():
        engine().withdraw(source.pk)
        source.delete()
    assert points(), "not yet"
    assert texts("water") == set(), "Postgres has the last word"
    engine().maintain()
    assert points() == {}


def asked_for(server: QdrantServer, query: str, **options: Any) -> list[str]:
    """What a search asks Qdrant for."""
    server.calls.clear()
    assert retrieve(query, scope=TOPIC, **options).hits
    return [call.rpartition("/points/")[2] for call in server.calls]


def test_a_search_makes_two_requests(server: QdrantServer) -> None:
    add_source("water of the river", "tax on land and on what stands on it, for each year")
    for mode in ("hybrid", "lexical", "semantic"):
        asked = asked_for(server, "what is the tax on land?", mode=mode)
        assert asked == ["query/batch", "query/batch"], "the counts, then words and meaning"


def test_meaning_is_asked_for_with_the_words_and_found_as_it_is_alone(server: QdrantServer) -> None:
    add_source("water of the river", "tax on land", "land on the river")
    known = Future[Vector]()
    known.set_result(vector_of("tax on land"))
    alone, beside = (engine().nearest(known, space=active_space(), scope=TOPIC, limit=3) for _ in range(2))
    ranking = engine().candidates(weighed("tax on land", TOPIC), scope=TOPIC, limit=3, nearest=beside)
    server.calls.clear()
    assert beside(()).ranking, "asked for already"
    assert not server.calls
    assert beside(()).ranking == alone(()).ranking
    assert ranking == by_words("tax on land", TOPIC, limit=3)


def test_words_are_found_without_vector_that_could_not_be_made(server: QdrantServer) -> None:
    add_source("water of the river")
    failed = Future[Vector]()
    failed.set_exception(RuntimeError("no embedder"))
    beside = engine().nearest(failed, space=active_space(), scope=TOPIC, limit=3)
    assert engine().candidates(weighed("river", TOPIC), scope=TOPIC, limit=3, nearest=beside)
    with pytest.raises(RuntimeError, match="no embedder"):
        beside(())


def test_what_changed_is_read_from_postgres_until_brought_in(server: QdrantServer) -> None:
    source = add_source("water of the river")
    label = make_label("Rent")
    assign.add(source, [label], by="test")
    assert texts("water", Scope(topic_id=1, label_ids=(label.pk,))) == {"water of the river"}
    assert outbox.waiting() > 0
    engine().maintain()
    assert outbox.waiting() == 0


def test_in_an_outage_searches_fail_clearly_and_nothing_is_lost(server: QdrantServer) -> None:
    add_source("water of the river")
    with server.failing():
        with pytest.raises(Unavailable):
            retrieve("water", scope=TOPIC)
        answer = APIClient().post("/kb/search", {"query": "water", "topic_id": 1}, format="json")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        add_source("water of the sea")  # which maintains the index, in vain
        assert CollectionWork.objects.exists()
        assert findings() == ["index"]
    assert texts("water") == {"water of the river", "water of the sea"}
    engine().maintain()
    assert not CollectionWork.objects.exists()
    assert set(points()) == chunk_ids()


def test_a_killed_bringing_in_is_followed_by_another(server: QdrantServer, monkeypatch: pytest.MonkeyPatch) -> None:
    source = add_source("water of the river")
    [collection] = collections.living()
    collections.note_all(collection)
    Collection.objects.update(state=Collection.State.ACTIVE)

    def killed(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(client(), "delete", killed)
    with pytest.raises(KeyboardInterrupt):
        brought_into(collection)
    monkeypatch.undo()
    assert CollectionWork.objects.filter(source_id=source.pk).exists()
    brought_into(collection)
    assert not CollectionWork.objects.exists()
    assert set(points()) == chunk_ids()


@pytest.mark.django_db(transaction=True)
def test_what_another_process_is_bringing_in_is_left_to_it(server: QdrantServer) -> None:
    source = add_source("water of the river")
    Source.objects.filter(pk=source.pk).update(kind="tool")
    [collection] = collections.living()
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s::bigint)", [outbox._LOCK + collection.pk])
        assert brought_into(collection) == 0
        assert CollectionWork.objects.exists()
    finally:
        other.close()
    assert brought_into(collection) == 1


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_qdrant_is_written_to(
    server: QdrantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = connection.connection.info.backend_pid
    upsert, states = server.engine.upsert, list[tuple[str, int]]()

    def watched(*args: Any, **options: Any) -> Any:
        states.append(session(me))
        return upsert(*args, **options)

    monkeypatch.setattr(server.engine, "upsert", watched)
    add_source("water of the river")
    engine().maintain()
    assert states == [("idle", 1)]
    assert session(me) == ("active" if connection.connection.info.backend_pid == me else "idle", 0)


def session(pid: int) -> tuple[str, int]:
    """What a session is doing, and how many sources it has locked."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT state, (SELECT count(*) FROM pg_locks l WHERE l.pid = a.pid AND locktype = 'advisory')"
            " FROM pg_stat_activity a WHERE pid = %s",
            [pid],
        )
        found = cursor.fetchone()
    if threading.current_thread() is not threading.main_thread():
        connection.close()
    return found
