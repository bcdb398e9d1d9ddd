"""Which topics have an HNSW index of their vectors, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from search import vector_indexes
from search.management.commands import reembed as command
from search.models import EmbeddingSpace
from search.reembed import drop_inactive
from search.spaces import active_space
from search.tasks import index_embeddings
from search.vector_indexes import index_name, indexed_topics, maintain
from tests.factories import make_topic
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db(transaction=True)
TAKE_THE_LOCK = f"SELECT pg_advisory_xact_lock({vector_indexes.BUILD_LOCK})"


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> Any:
    monkeypatch.setattr(vector_indexes, "HNSW_FROM", 20)
    monkeypatch.setattr(vector_indexes, "DROPPED_BELOW", 10)
    yield
    for space in EmbeddingSpace.objects.all():
        vector_indexes.drop_of(space.pk)


@contextmanager
def held_by_another(statement: str) -> Iterator[BaseDatabaseWrapper]:
    """Another connection, in a transaction that has run the statement; closing it ends the transaction."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute(statement)
        yield other
        if other.connection is not None:
            with other.cursor() as cursor:
                cursor.execute("ROLLBACK")  # the server would notice that it is closed a moment later
    finally:
        other.close()


class Heard(StringIO):
    """Calls `on_line` with whatever is written."""

    on_line: Callable[[str], object] | None = None

    def write(self, text: str) -> int:
        if self.on_line:
            self.on_line(text)
        return super().write(text)


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


def test_the_indexes_of_a_space_go_after_it() -> None:
    topic = make_topic()
    add_source(*texts(25), topic=topic)
    space = active_space()
    maintain(space)
    space.active = False
    space.save()
    drop_inactive()
    maintain(active_space())
    assert indexed_topics(space.pk) == set()


def test_searches_go_on_while_a_space_and_its_vectors_are_deleted() -> None:
    add_source(*texts(25), topic=make_topic())
    space = active_space()
    maintain(space)
    EmbeddingSpace.objects.update(active=False)
    with held_by_another("SELECT FROM kb_chunk_embedding"), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '2s'")
        drop_inactive()
        cursor.execute("RESET lock_timeout")
    assert not EmbeddingSpace.objects.exists()
    maintain(active_space())
    assert indexed_topics(space.pk) == set()


def test_a_space_loses_its_indexes_before_a_bulk_load() -> None:
    add_source(*texts(25), topic=make_topic())
    space = active_space()
    maintain(space)
    with held_by_another(TAKE_THE_LOCK):
        assert not vector_indexes.drop_of(space.pk)
    assert vector_indexes.drop_of(space.pk)
    assert indexed_topics(space.pk) == set()


def test_only_one_process_builds_at_a_time() -> None:
    add_source(*texts(25), topic=make_topic())
    space = active_space()
    with held_by_another(TAKE_THE_LOCK):
        assert maintain(space) is None
        assert index_embeddings() == 0
    assert maintain(space) == 1


def test_each_run_of_the_task_builds_one_index() -> None:
    for _ in range(2):
        add_source(*texts(25), topic=make_topic())
    assert [index_embeddings() for _ in range(3)] == [1, 1, 0]
    assert len(indexed_topics(active_space().pk)) == 2


def test_a_build_may_take_longer_than_the_work_on_a_document(settings: Any) -> None:
    assert index_embeddings.soft_time_limit > settings.CELERY_TASK_TIME_LIMIT


def test_reembed_switches_only_when_the_build_of_another_process_has_ended(settings: Any) -> None:
    topic = make_topic()
    add_source(*texts(25), topic=topic)
    old = active_space()
    maintain(old)
    settings.KB_EMBEDDER, settings.KB_EMBEDDING_DIMENSION = "hashing", 64
    said = Heard()
    with held_by_another(TAKE_THE_LOCK) as other:

        def look(text: str) -> None:
            assert active_space() == old
            other.close()

        said.on_line = look
        call_command("reembed", stderr=said)
    assert "Another process builds indexes" in said.getvalue()
    assert active_space() != old
    assert indexed_topics(active_space().pk) == {topic.pk}
    assert indexed_topics(old.pk) == set()


def test_reembed_gives_up_rather_than_switch_without_indexes(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    add_source(*texts(25), topic=make_topic())
    old = active_space()
    settings.KB_EMBEDDER, settings.KB_EMBEDDING_DIMENSION = "hashing", 64
    monkeypatch.setattr(command, "INDEX_TIME_LIMIT_S", -1)
    with held_by_another(TAKE_THE_LOCK), pytest.raises(CommandError, match="still use the old model"):
        call_command("reembed")
    assert active_space() == old


def test_a_lock_that_the_connection_lost_is_in_the_log(caplog: Any) -> None:
    with vector_indexes._only_one() as ours, connection.cursor() as cursor:
        assert ours
        cursor.execute("SELECT pg_advisory_unlock(%s)", [vector_indexes.BUILD_LOCK])  # a pooler gave it to another
    assert "pooler" in caplog.text
