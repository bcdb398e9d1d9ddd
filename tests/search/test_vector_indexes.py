"""Which topics have an HNSW index of their vectors, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from search import vector_indexes
from search.models import EmbeddingSpace
from search.reembed import drop_inactive
from search.spaces import active_space
from search.vector_indexes import index_name, indexed_topics, maintain
from tests.factories import make_topic
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> Any:
    monkeypatch.setattr(vector_indexes, "HNSW_FROM", 20)
    monkeypatch.setattr(vector_indexes, "DROPPED_BELOW", 10)
    yield
    for space in EmbeddingSpace.objects.all():
        vector_indexes.drop_of(space.pk)


def texts(number: int) -> list[str]:
    return [f"passage number {place} of water and tax" for place in range(number)]


def test_large_topics_get_an_index_and_small_ones_none() -> None:
    large, small = make_topic(), make_topic()
    add_source(*texts(25), topic=large)
    add_source(*texts(15), topic=small)
    assert maintain(active_space()) == 1
    assert indexed_topics(active_space().pk) == {large.pk}
    assert maintain(active_space()) == 0


def test_a_topic_that_shrank_a_little_keeps_its_index_and_a_small_one_loses_it() -> None:
    topic = make_topic()
    source = add_source(*texts(10), topic=topic)
    other = add_source(*texts(12), topic=topic)
    maintain(active_space())
    source.delete()
    maintain(active_space())
    assert indexed_topics(active_space().pk) == {topic.pk}
    other.delete()
    maintain(active_space())
    assert indexed_topics(active_space().pk) == set()


def test_what_an_interrupted_build_left_is_built_anew() -> None:
    topic = make_topic()
    add_source(*texts(25), topic=topic)
    space = active_space()
    maintain(space)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", [index_name(space.pk, topic.pk)]
        )
    assert indexed_topics(space.pk) == set()
    assert maintain(space) == 1
    assert indexed_topics(space.pk) == {topic.pk}


def test_the_index_over_all_topics_of_the_first_version_goes() -> None:
    add_source(*texts(3))
    space = active_space()
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE INDEX kb_chunk_embedding_hnsw_{space.pk} ON kb_chunk_embedding USING hnsw"
            f" ((embedding::halfvec({space.dimension})) halfvec_ip_ops) WHERE space_id = {space.pk}"
        )
    maintain(space)
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [f"kb_chunk_embedding_hnsw_{space.pk}"])
        assert cursor.fetchone() == (None,)


def test_the_indexes_of_a_space_go_with_it() -> None:
    topic = make_topic()
    add_source(*texts(25), topic=topic)
    space = active_space()
    maintain(space)
    space.active = False
    space.save()
    drop_inactive()
    assert indexed_topics(space.pk) == set()


def test_only_one_process_builds_at_a_time() -> None:
    add_source(*texts(25), topic=make_topic())
    space = active_space()
    held = connection.copy()
    try:
        with held.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [vector_indexes.BUILD_LOCK])
            assert maintain(space) == 0
            cursor.execute("SELECT pg_advisory_unlock(%s)", [vector_indexes.BUILD_LOCK])
    finally:
        held.close()
    assert maintain(space) == 1
