"""Positions in the write-ahead log, and what is noted of them in Redis."""

import os
import time
from contextlib import suppress
from typing import Any

import pytest
import redis
from django.db import connection, transaction

from kb_project.database.standbys import positions
from kb_project.database.standbys.positions import ALL, ANY, KEY, Position
from kb_project.operations.local_stack.machine import free_port
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory() -> redis.Redis:
    """Redis, with nothing noted in it."""
    positions._memory.cache_clear()
    client = redis.Redis.from_url(os.environ["REDIS_URL"])
    client.delete(KEY, positions.WITHDRAWING)
    return client


def drop_connections(memory: redis.Redis) -> int:
    """How many connections of this process's database the server closed: others' tests use the server as well."""
    own = memory.client_info()
    others = [
        client for client in memory.client_list() if int(client["db"]) == own["db"] and int(client["id"]) != own["id"]
    ]
    return sum(memory.client_kill_filter(_id=client["id"]) for client in others)


def far_ahead(bytes_ahead: int = 1 << 40) -> Position:
    at = positions.of_primary()
    return Position(at.timeline, at.lsn + bytes_ahead)


@pytest.mark.parametrize(
    ("lower", "higher"),
    [(Position(1, 9), Position(1, 10)), (Position(1, 1 << 40), Position(2, 3)), (Position(9, 5), Position(10, 5))],
)
def test_texts_of_positions_compare_as_they_do(lower: Position, higher: Position) -> None:
    assert lower < higher
    assert str(lower) < str(higher)
    assert Position.parse(str(higher).encode()) == higher


@pytest.mark.parametrize(
    ("at", "least", "reaches"),
    [
        (Position(1, 10), Position(1, 10), True),
        (Position(1, 9), Position(1, 10), False),
        (Position(2, 10), Position(1, 10), True),
        (Position(2, 9), Position(1, 10), False),
        (Position(1, 99), Position(2, 10), False),
    ],
)
def test_a_later_timeline_alone_is_not_enough(at: Position, least: Position, reaches: bool) -> None:
    assert at.reaches(least) is reaches


def test_the_primary_is_further_after_a_change() -> None:
    before = positions.of_primary()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_logical_emit_message(false, 'kb', 'a change')")
    after = positions.of_primary()
    assert after.timeline == before.timeline
    assert after.lsn > before.lsn


def test_a_topic_waits_for_its_own_changes_and_for_those_of_everything(memory: redis.Redis) -> None:
    positions.required_position(None)  # from here on Redis is believed
    everything, own = far_ahead(), far_ahead(1 << 41)
    memory.hset(KEY, mapping={ALL: str(everything), ANY: str(own), "7": str(own)})
    assert positions.required_position(7) == own
    assert positions.required_position(8) == everything
    assert positions.required_position(None) == own


def test_no_note_is_replaced_by_an_earlier_one(memory: redis.Redis) -> None:
    ahead = far_ahead()
    memory.hset(KEY, mapping={ALL: str(ahead), ANY: str(ahead)})
    positions.require_reads_after_now()
    positions.require_reads_after_now(7)
    noted: Any = memory.hgetall(KEY)
    assert Position.parse(noted[ALL.encode()]) == ahead
    assert Position.parse(noted[ANY.encode()]) == ahead
    assert Position.parse(noted[b"7"]) <= positions.of_primary()


def test_where_nothing_is_noted_all_that_the_primary_has_is_waited_for(memory: redis.Redis) -> None:
    positions.required_position(7)
    memory.delete(KEY)
    before = positions.of_primary()
    least = positions.required_position(7)
    assert least is not None
    assert least >= before
    assert memory.hget(KEY, ALL) == str(least).encode()


def test_a_new_connection_to_redis_is_not_believed(memory: redis.Redis) -> None:
    """Another server, or one that was restarted, may have lost notes."""
    positions.required_position(7)
    memory.hset(KEY, mapping={ALL: str(Position(1, 1)), ANY: str(Position(1, 1))})
    assert positions.required_position(7) == Position(1, 1)
    assert drop_connections(memory) > 0
    least = positions.required_position(7)
    assert least is not None
    assert least > Position(1, 1)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_read_from_a_standby_while_something_is_withdrawn(memory: redis.Redis, settings: Any) -> None:
    settings.DATABASE_REPLICAS = ["replica1"]
    positions.required_position(7)
    with transaction.atomic():
        positions.reads_wait_for_all()
        before = positions.of_primary()
        assert positions.required_position(7) is None
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_logical_emit_message(true, 'kb', 'a withdrawal')")
    least = positions.required_position(7)
    assert least is not None
    assert least > before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ahead_s", [3600, -3600], ids=["ahead", "behind"])
def test_differing_clocks_show_nothing_that_is_withdrawn(
    ahead_s: int, memory: redis.Redis, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATABASE_REPLICAS = ["replica1"]
    positions.required_position(7)
    now = time.time
    with transaction.atomic():
        positions.reads_wait_for_all()
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(time, "time", lambda: now() + ahead_s)
            positions.reads_wait_for_all()
            assert positions.required_position(7) is None
        assert memory.zcard(positions.WITHDRAWING) == 2
        for end in memory.zrange(positions.WITHDRAWING, 0, -1, withscores=True):
            assert 0 < float(end[1]) - now() <= positions.WITHDRAWN_WITHIN_S + 1


@pytest.mark.django_db(transaction=True)
def test_a_withdrawal_that_did_not_come_about_is_given_up(
    memory: redis.Redis, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATABASE_REPLICAS = ["replica1"]
    monkeypatch.setattr(positions, "WITHDRAWN_WITHIN_S", 2.0)
    positions.required_position(7)
    with suppress(ZeroDivisionError), transaction.atomic():
        positions.reads_wait_for_all()
        raise ZeroDivisionError
    assert positions.required_position(7) is None
    wait_until(lambda: positions.required_position(7) is not None)


@pytest.mark.django_db(transaction=True)
def test_a_topic_waits_for_what_was_published_in_it(memory: redis.Redis, settings: Any) -> None:
    settings.DATABASE_REPLICAS = ["replica1"]
    positions.required_position(7)
    with transaction.atomic():
        positions.reads_wait_for_topic(7)
        assert positions.required_position(7) is not None
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_logical_emit_message(true, 'kb', 'a document')")
    own, other = positions.required_position(7), positions.required_position(8)
    assert own is not None
    assert other is not None
    assert own > other


def test_without_redis_nobody_knows_and_a_change_waits(
    memory: redis.Redis, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "STALE_AFTER_S", 0.5)
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    positions._memory.cache_clear()
    try:
        assert positions.required_position(7) is None
        began = time.monotonic()
        positions.require_reads_after_now()
        assert time.monotonic() - began >= positions.STALE_AFTER_S
    finally:
        positions._memory.cache_clear()
