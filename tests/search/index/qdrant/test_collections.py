"""Collections in Qdrant: filled beside the one in use, lost, of another format or model."""

from concurrent.futures import Future
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings

from kb_project.errors import Unavailable
from kb_project.operations import readiness
from search.embedders.spaces import active_space
from search.index import engine, using
from search.index.postgres.engine import PostgresIndex
from search.index.protocol import Vector
from search.index.qdrant import checks as qdrant_health
from search.index.qdrant import collections
from search.index.qdrant.client import client
from search.index.qdrant.collections import name_of
from search.models import Collection, EmbeddingSpace
from search.retrieval import retrieve
from tests.qdrant_server import QdrantServer
from tests.search.corpus import add_source
from tests.search.index.qdrant.looking import TOPIC, brought_into, chunk_ids, points, texts
from tests.search.searching import vector_of

pytestmark = pytest.mark.django_db


def test_a_collection_of_another_format_is_refilled_unsearched(
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


def test_what_is_published_during_a_filling_comes_into_both(server: QdrantServer) -> None:
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


def test_a_lost_collection_is_refilled_and_not_searched(server: QdrantServer) -> None:
    add_source("water of the river")
    name = collections.in_use([]).name
    client().delete_collection(name)
    with pytest.raises(Unavailable):
        retrieve("water", scope=TOPIC)
    engine().maintain()
    assert texts("water") == {"water of the river"}


def test_a_collection_not_made_to_the_end_is_made_anew(server: QdrantServer, monkeypatch: pytest.MonkeyPatch) -> None:
    add_source("water of the river")
    client().delete_collection(collections.in_use([]).name)

    def killed(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(client(), "create_payload_index", killed)
    with pytest.raises(KeyboardInterrupt):
        engine().maintain()
    monkeypatch.undo()
    engine().maintain()
    assert texts("water") == {"water of the river"}
    assert set(points()) == chunk_ids()


def test_a_collection_lost_while_filled_is_filled_anew(server: QdrantServer) -> None:
    add_source("water of the river")
    made = collections.wanted(anew=True)
    collections.ensure_there(made)
    assert brought_into(made) == 1
    client().delete_collection(name_of(made.key))
    call_command("reindex_all", "--index", "qdrant", stdout=StringIO(), stderr=StringIO())
    assert collections.in_use([]).name == name_of(made.key)
    assert texts("water") == {"water of the river"}


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
