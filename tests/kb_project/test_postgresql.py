"""The database backend: what its pool hands out works, whatever became of the connection meanwhile."""

from collections.abc import Iterator
from threading import Timer
from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from django.db import connection as django_connection

from kb_project.database.postgresql import base
from kb_project.database.postgresql.base import DatabaseWrapper, is_open

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one for each alias, and requests to the tests' server may have it (tests/database)."""
    monkeypatch.setattr(DatabaseWrapper, "_connection_pools", {})


@pytest.fixture
def pooled() -> Iterator[DatabaseWrapper]:
    """A wrapper with a pool of one connection, on the test's database."""
    settings = {**django_connection.settings_dict, "CONN_HEALTH_CHECKS": False}
    settings["OPTIONS"] = {**settings["OPTIONS"], "pool": {"min_size": 1, "max_size": 1, "timeout": 10}}
    wrapper = DatabaseWrapper(settings, alias="default")
    yield wrapper
    wrapper.close()
    wrapper.close_pool()


def small_pool(**settings: Any) -> DatabaseWrapper:
    settings = {**django_connection.settings_dict, "CONN_HEALTH_CHECKS": False, **settings}
    settings["OPTIONS"] = {**settings["OPTIONS"], "pool": {"min_size": 1, "max_size": 1, "timeout": 0.3}}
    return DatabaseWrapper(settings, alias="default")


def test_server_that_is_away_is_not_waited_for_as_a_busy_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "BUSY_FOR_S", 3600.0)
    wrapper = small_pool(HOST="127.0.0.1", PORT=9)
    try:
        with pytest.raises(OperationalError):
            wrapper.ensure_connection()
    finally:
        wrapper.close_pool()
        monkeypatch.setattr(base.connection_class("default"), "unanswered_since", None)


def test_a_busy_pool_is_waited_for_beyond_its_timeout() -> None:
    wrapper = small_pool()
    try:
        pool = wrapper.pool
        assert pool is not None
        pool.open()
        held = pool.getconn()
        Timer(1.0, pool.putconn, [held]).start()
        assert backend_of(wrapper) == held.info.backend_pid
    finally:
        wrapper.close()
        wrapper.close_pool()


@pytest.fixture
def other() -> Iterator[psycopg.Connection]:
    parameters = {k: v for k, v in django_connection.get_connection_params().items() if k != "cursor_factory"}
    with psycopg.connect(**{**parameters, "context": None}, autocommit=True) as connection:
        yield connection


def backend_of(wrapper: DatabaseWrapper) -> int:
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_a_connection_of_the_pool_is_used_again(pooled: DatabaseWrapper) -> None:
    first = backend_of(pooled)
    pooled.close()
    assert backend_of(pooled) == first


@pytest.mark.parametrize(("prepares", "mode"), [(2, "force_generic_plan"), (None, "auto")])
def test_what_a_pool_prepares_is_planned_once(prepares: int | None, mode: str) -> None:
    options = {**django_connection.settings_dict["OPTIONS"], "prepare_threshold": prepares}
    wrapper = small_pool(OPTIONS=options)
    try:
        for _ in range(2):  # a new connection, and one that comes back
            with wrapper.cursor() as cursor:
                cursor.execute("SHOW plan_cache_mode")
                assert cursor.fetchone() == (mode,)
            wrapper.close()
    finally:
        wrapper.close_pool()


def test_a_connection_that_the_server_closed_is_replaced(pooled: DatabaseWrapper, other: psycopg.Connection) -> None:
    first = backend_of(pooled)
    pooled.close()
    other.execute("SELECT pg_terminate_backend(%s, 10000)", [first])
    assert backend_of(pooled) != first


def test_a_connection_with_news_is_open(other: psycopg.Connection, pooled: DatabaseWrapper) -> None:
    other.execute("LISTEN kb_news")
    assert is_open(other)
    with pooled.cursor() as cursor:
        cursor.execute("NOTIFY kb_news")
    assert is_open(other)


def test_a_connection_that_was_closed_here_is_not_open(other: psycopg.Connection) -> None:
    other.close()
    assert not is_open(other)
