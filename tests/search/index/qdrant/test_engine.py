"""The index in Qdrant beside Postgres: what is noted comes in, an outage loses nothing, a new collection takes over."""

import math
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import override_settings
from qdrant_client import models
from rest_framework.test import APIClient

from kb_project.errors import Unavailable
from kb_project.operations import readiness
from labels import assign
from search.embedders.spaces import active_space
from search.index import engine, using
from search.index.postgres.engine import PostgresIndex
from search.index.protocol import Vector
from search.index.qdrant import checks as qdrant_health
from search.index.qdrant import collections, counting, outbox
from search.index.qdrant.checks import CHECKS
from search.index.qdrant.client import client
from search.index.qdrant.collections import name_of
from search.index.qdrant.engine import QdrantIndex
from search.models import Collection, CollectionWork, EmbeddingSpace
from search.retrieval import retrieve
from sources.models import Chunk, Source
from sources.scope import Scope
from tests.factories import make_label
from tests.qdrant_server import QdrantServer
from tests.search.corpus import add_source
from tests.search.searching import by_words, vector_of, weighed

TOPIC = Scope(topic_id=1)
pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[QdrantServer]:
    """Qdrant's REST API, served beside this test."""
    client.cache_clear()
    counting.forget()
    with QdrantServer(api_key="secret") as server:
        named = override_settings(KB_INDEX="qdrant", KB_QDRANT_URL=server.url, KB_QDRANT_API_KEY="secret")
        with named, using(QdrantIndex()):
            engine().maintain()
            yield server
    client.cache_clear()


def points() -> dict[int, dict[str, object]]:
    """What the points of the collection in use are filed under, by the ids of their chunks."""
    name = collections.in_use([]).name
    records, _ = client().scroll(name, limit=1000, with_payload=True)
    return {int(record.id): dict(record.payload or {}) for record in records}


def chunk_ids() -> set[int]:
    return set(Chunk.objects.values_list("pk", flat=True))


def texts(query: str, scope: Scope = TOPIC) -> set[str]:
    counting.forget()
    found = [chunk_id for chunk_id, _ in by_words(query, scope, limit=50)]
    return set(Chunk.objects.filter(pk__in=found).values_list("text", flat=True))


def brought_into(collection: Collection) -> int:
    """How many chunks."""
    return sum(chunks for _, chunks in outbox.sync(collection))


def findings() -> list[str]:
    return [finding.object for check in CHECKS for finding in check.findings()]


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


def test_a_search_makes_two_requests_and_one_while_its_counts_are_remembered(server: QdrantServer) -> None:
    add_source("water of the river", "tax on land and on what stands on it, for each year")
    counting.forget()
    first, *others = asked_for(server, "what is the tax on land?")
    assert first.startswith("GET /collections/kb-"), "how many points there are, once in a while"
    assert others == ["query/batch", "query/batch"], "the counts, then words and meaning"
    assert asked_for(server, "the tax on land") == ["query/batch"]
    assert asked_for(server, "tax on land, river", mode="lexical") == ["query/batch", "query/batch"]
    assert asked_for(server, "tax on land", mode="semantic") == ["query/batch"]


def test_meaning_is_asked_for_with_the_words_and_found_as_it_is_alone(server: QdrantServer) -> None:
    add_source("water of the river", "tax on land", "land on the river")
    known = Future[Vector]()
    known.set_result(vector_of("tax on land"))
    alone, beside = (engine().nearest(known, space=active_space(), scope=TOPIC, limit=3) for _ in range(2))
    ranking = engine().candidates(weighed("tax on land", TOPIC), scope=TOPIC, limit=3, beside=beside)
    server.calls.clear()
    assert beside(()).ranking, "asked for already"
    assert not server.calls
    assert beside(()).ranking == alone(()).ranking
    assert ranking == by_words("tax on land", TOPIC, limit=3)


def test_words_are_found_without_a_vector_that_could_not_be_made(server: QdrantServer) -> None:
    add_source("water of the river")
    failed = Future[Vector]()
    failed.set_exception(RuntimeError("no embedder"))
    beside = engine().nearest(failed, space=active_space(), scope=TOPIC, limit=3)
    assert engine().candidates(weighed("river", TOPIC), scope=TOPIC, limit=3, beside=beside)
    with pytest.raises(RuntimeError, match="no embedder"):
        beside(())


@pytest.mark.parametrize(("points", "shards"), [(1_000, 1), (8_000, 8)])
@pytest.mark.parametrize("number", [0, 1, 7, 8, 120, 960])
def test_idf_tells_in_how_many_points_a_stem_is(points: int, shards: int, number: int) -> None:
    """Each shard has its part of the points, and of those that have the stem."""
    in_shard, of_shard = points / shards, number / shards
    score = math.log(1 + (in_shard - of_shard + 0.5) / (of_shard + 0.5))
    assert counting.told_by([score] * min(number, shards), points, shards) == number


def test_a_collection_of_another_format_is_filled_again_and_not_searched_meanwhile(
    server: QdrantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    client().delete_collection(collections.in_use([]).name)
    monkeypatch.setattr(collections, "FORMAT", collections.FORMAT - 1)
    engine().maintain()
    add_source("water of the river")
    assert texts("water") == {"water of the river"}
    monkeypatch.undo()
    with pytest.raises(Unavailable):
        texts("water")
    with pytest.raises(readiness.NotReady, match="filled again"):
        qdrant_health.check_index()
    engine().maintain()
    assert texts("water") == {"water of the river"}


def test_what_has_changed_is_read_from_postgres_until_it_is_brought_in(server: QdrantServer) -> None:
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
        counting.forget()
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


def test_one_that_is_killed_while_it_brings_in_is_followed_by_another(
    server: QdrantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_a_source_that_another_is_bringing_in_is_left_to_it(server: QdrantServer) -> None:
    source = add_source("water of the river")
    Source.objects.filter(pk=source.pk).update(kind="tool")
    [collection] = collections.living()
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(format('kb %%s %%s', %s::bigint, %s::bigint), 0))",
                [collection.pk, source.pk],
            )
        assert brought_into(collection) == 0
        assert CollectionWork.objects.exists()
        other.rollback()
        assert brought_into(collection) == 1
    finally:
        other.close()


def test_a_new_collection_is_filled_beside_the_old_one_and_takes_its_place(server: QdrantServer) -> None:
    add_source("water of the river")
    before = collections.in_use([])
    said = StringIO()
    call_command("reindex_all", "--index", "qdrant", stdout=said, stderr=StringIO())
    after = collections.in_use([])
    assert (after.name != before.name, said.getvalue()) == (True, "The index in qdrant is filled.\n")
    assert not client().collection_exists(before.name)
    assert texts("water") == {"water of the river"}
    assert Collection.objects.count() == 1


def test_what_is_published_while_a_collection_is_filled_comes_into_both(server: QdrantServer) -> None:
    add_source("water of the river")
    made = collections.wanted(anew=True)
    collections.ensure_there(made)
    assert collections.wanted(anew=True) == made, "an interrupted one is filled further"
    add_source("water of the sea")  # maintains both, and switches
    assert collections.in_use([]).name == name_of(made.key)
    assert set(points()) == chunk_ids()


def test_a_model_that_was_switched_gets_a_collection_of_its_own(server: QdrantServer) -> None:
    add_source("water of the river", "tax on land")
    before = collections.in_use([])
    old, known = active_space(), Future[Vector]()
    known.set_result(vector_of("water"))
    new = EmbeddingSpace.objects.create(provider="hashing", model="other", dimension=old.dimension)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO kb_chunk_embedding SELECT %s, chunk_id, topic_id, embedding FROM kb_chunk_embedding", [new.pk]
        )
    EmbeddingSpace.objects.filter(pk=old.pk).update(active=False)
    EmbeddingSpace.objects.filter(pk=new.pk).update(active=True)
    assert len(engine().nearest(known, space=new, scope=TOPIC, limit=2)(()).ranking) == 2, "all are compared"
    engine().maintain()
    assert collections.in_use([]).space_id == new.pk
    assert collections.in_use([]).name != before.name


def test_a_collection_that_got_lost_is_filled_again_and_not_searched_meanwhile(server: QdrantServer) -> None:
    add_source("water of the river")
    name = collections.in_use([]).name
    client().delete_collection(name)
    counting.forget()
    with pytest.raises(Unavailable):
        retrieve("water", scope=TOPIC)
    engine().maintain()
    assert texts("water") == {"water of the river"}


def test_a_collection_that_got_lost_while_it_was_filled_is_filled_from_the_beginning(server: QdrantServer) -> None:
    add_source("water of the river")
    made = collections.wanted(anew=True)
    collections.ensure_there(made)
    assert brought_into(made) == 1
    client().delete_collection(name_of(made.key))
    call_command("reindex_all", "--index", "qdrant", stdout=StringIO(), stderr=StringIO())
    assert collections.in_use([]).name == name_of(made.key)
    assert texts("water") == {"water of the river"}


def test_a_point_that_is_missing_wrong_or_too_many_is_found_and_mended(server: QdrantServer) -> None:
    first, second = add_source("water of the river"), add_source("tax on land")
    assert findings() == []
    name = collections.in_use([]).name
    mine, other = first.chunks.get(), second.chunks.get()
    client().delete(name, [mine.pk])
    wrong = {**points()[other.pk], "kind": "tool"}
    client().upsert(name, [_point(other.pk, wrong), _point(10**9, {**wrong, "source": 10**6})])
    assert sorted(findings()) == sorted([f"source {pk}" for pk in (first.pk, second.pk, 10**6)])
    for check in CHECKS:
        for finding in check.findings():
            assert check.repair
            check.repair(finding)
    assert findings() == [], "they are noted"
    engine().maintain()
    assert set(points()) == chunk_ids()
    assert findings() == []


def _point(pk: int, payload: dict[str, object]) -> models.PointStruct:
    return models.PointStruct(id=pk, payload=payload, vector={"words": models.SparseVector(indices=[1], values=[1.0])})


def test_readiness_says_whether_qdrant_answers_and_how_much_waits(server: QdrantServer) -> None:
    before, told = list(readiness.CHECKS), dict(readiness.DETAILS)
    try:
        qdrant_health.register()
        [check] = [one for one in readiness.CHECKS if one.name == "index"]
        check.look()
        add_source("water of the river")
        assert readiness.DETAILS["index"]() == {"waiting": 0}
        with server.failing(), pytest.raises(readiness.NotReady):
            check.look()
        client().delete_collection(collections.in_use([]).name)
        with pytest.raises(readiness.NotReady, match="lost"):
            check.look()
    finally:
        readiness.CHECKS[:] = before
        readiness.DETAILS.clear()
        readiness.DETAILS.update(told)


def test_filling_wants_a_server_and_no_topic() -> None:
    with override_settings(KB_QDRANT_URL=""), pytest.raises(CommandError, match="KB_QDRANT_URL"):
        call_command("reindex_all", "--index", "qdrant")
    with pytest.raises(CommandError, match="--topic"):
        call_command("reindex_all", "--index", "postgres", "--topic", "general")


def test_back_in_postgres_what_came_meanwhile_is_found_and_gathered(server: QdrantServer) -> None:
    add_source("water of the river")
    with using(PostgresIndex()):
        assert texts("water") == {"water of the river"}, "as fresh"
        call_command("reindex_all", "--index", "postgres", stdout=StringIO(), stderr=StringIO())
        assert texts("water") == {"water of the river"}


def test_searches_wait_for_a_filled_collection(server: QdrantServer) -> None:
    add_source("water of the river")
    Collection.objects.update(state=Collection.State.FILLING)
    with pytest.raises(Unavailable, match="being filled"):
        retrieve("water", scope=TOPIC)


def test_names_begin_with_what_the_installation_is_called(server: QdrantServer) -> None:
    with override_settings(KB_QDRANT_COLLECTION="law"):
        assert name_of(7) == f"law-{collections.FORMAT}-7"


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
