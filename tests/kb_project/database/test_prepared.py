"""What a connection of a pool has prepared gives what a cursor gives, whatever became of the connection meanwhile."""

import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import DatabaseError, DataError, OperationalError, connection, connections, transaction

from kb_project.database.postgresql import prepared
from kb_project.database.postgresql.base import DatabaseWrapper
from kb_project.database.rows import Query, fetch, fetch_together

pytestmark = pytest.mark.django_db(transaction=True)
AFTER = 2
NAMES = "SELECT count(*)::int FROM pg_prepared_statements WHERE name LIKE 'kb!_%%' ESCAPE '!'"


@pytest.fixture(autouse=True)
def pooled(monkeypatch: pytest.MonkeyPatch) -> Iterator[DatabaseWrapper]:
    """The connection is one of a pool, as in a web process."""
    monkeypatch.setattr(DatabaseWrapper, "_connection_pools", {})
    before = connections["default"]
    settings = {**before.settings_dict, "CONN_HEALTH_CHECKS": False}
    pool = {"min_size": 1, "max_size": 1, "timeout": 10}
    settings["OPTIONS"] = {**settings["OPTIONS"], "pool": pool, "prepare_threshold": AFTER}
    wrapper = DatabaseWrapper(settings, alias="default")
    connections["default"] = wrapper
    yield wrapper
    connections["default"] = before
    wrapper.close()
    wrapper.close_pool()


def many(statement: str, parameters: Any, **options: Any) -> list[Any]:
    """By a cursor first, then by what is prepared."""
    return [fetch(statement, parameters, **options) for _ in range(AFTER + 2)]


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("SELECT %s::int, %s::bigint, %s::text", [1, 2**40, "a'\"\\ צה״ל %s"]),
        ("SELECT %s::date, %s::uuid", [date(2024, 2, 29), UUID(int=7)]),
        ("SELECT %s::timestamptz", [datetime(2024, 1, 2, tzinfo=UTC)]),
        ("SELECT %s::boolean, %s::float8, %s::bytea, %s::text", [True, 0.1, b"\0\xff", None]),
        ("SELECT %s::text[], %s::bigint[], %s::date[]", [["a,b", "{}"], [-1, 2**63 - 1], [date(1948, 5, 14)]]),
    ],
)
def test_values_come_back_as_from_a_cursor(statement: str, values: Sequence[Any]) -> None:
    first, *others = many(statement, values)
    assert all(rows == first and list(map(type, rows[0])) == list(map(type, first[0])) for rows in others)
    assert fetch(NAMES, [])[0][0] > 0


def test_a_name_may_be_there_twice_and_a_percent_sign_is_doubled() -> None:
    statement = "SELECT %(b)s::int, %(a)s::int, %(b)s::int, 7 %% 4"
    assert many(statement, {"a": 1, "b": 2, "unused": None}) == [[(2, 1, 2, 3)]] * (AFTER + 2)


def test_bytes_come_in_the_binary_format() -> None:
    assert many("SELECT %s::bytea", [b"\0\1"], binary=True) == [[(b"\0\1",)]] * (AFTER + 2)


def test_an_error_is_that_of_a_cursor_and_does_not_stay() -> None:
    statement = "SELECT 10 / %s::int"
    many(statement, [5])
    with pytest.raises(DataError, match="division by zero"):
        fetch(statement, [0])
    with pytest.raises(DataError):
        fetch("SELECT %s::text", ["a\0b"])
    assert fetch(statement, [2]) == [(5,)]


def test_a_statement_that_cannot_be_prepared_says_what_is_wrong() -> None:
    for _ in range(AFTER + 2):
        with pytest.raises(DatabaseError, match="no_such_column"):
            fetch("SELECT no_such_column", [])


def test_what_is_asked_together_is_answered_as_alone() -> None:
    def query(number: int) -> Query[int]:
        return Query("SELECT %(n)s::int * 2", {"n": number}, lambda rows: int(rows[0][0]))

    wide = Query("SELECT repeat('x', %(n)s::int)", {"n": 3_000_000}, lambda rows: len(rows[0][0]))
    for _ in range(AFTER + 2):
        assert fetch_together([query(1), wide, query(2)]) == [2, 3_000_000, 4]
    broken = Query("SELECT 1 / %(n)s::int", {"n": 1}, list)
    many(broken.statement, broken.parameters)
    with pytest.raises(DataError, match="division by zero"):
        fetch_together([query(1), Query(broken.statement, {"n": 0}, list), query(2)])
    assert fetch_together([query(3), broken]) == [6, [(1,)]]


def test_what_the_server_forgot_is_prepared_anew() -> None:
    statement = "SELECT %s::int + 1"
    many(statement, [1])
    with connection.cursor() as cursor:
        cursor.execute("DEALLOCATE ALL")
    assert many(statement, [1]) == [[(2,)]] * (AFTER + 2)


def test_columns_may_change_their_type_meanwhile() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE kb_changing (value int)")
        try:
            cursor.execute("INSERT INTO kb_changing VALUES (1)")
            many("SELECT value FROM kb_changing", [])
            cursor.execute("ALTER TABLE kb_changing ALTER value TYPE text")
            assert fetch("SELECT value FROM kb_changing", []) == [("1",)]
        finally:
            cursor.execute("DROP TABLE kb_changing")


def test_a_transaction_that_was_rolled_back_changes_nothing() -> None:
    statement = "SELECT %s::int + 2"
    for _ in range(3):
        many(statement, [1])
        with transaction.atomic():
            assert fetch(statement, [2]) == [(4,)]
            transaction.set_rollback(True)
        with transaction.atomic():
            assert fetch(statement, [3]) == [(5,)]


def test_a_connection_that_was_lost_is_an_operational_error(pooled: DatabaseWrapper) -> None:
    many("SELECT %s::int", [1])
    parameters = {k: v for k, v in pooled.get_connection_params().items() if k not in ("cursor_factory", "context")}
    with psycopg.connect(**parameters, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 60000)", [pooled.connection.info.backend_pid])
    with pytest.raises(OperationalError):
        fetch("SELECT %s::int", [1])


def test_a_connection_keeps_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MAX_PREPARED", 3)
    for number in range(6):
        many(f"SELECT %s::int + {number}", [1])
    many("SELECT %s::int + 0", [1])
    assert fetch(NAMES, []) == [(3,)]


def test_what_is_asked_together_drives_nothing_out_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MAX_PREPARED", 3)
    oldest, *others, due = [Query(f"SELECT %(n)s::int + {number}", {"n": 1}, list) for number in range(4)]
    for query in (oldest, *others):
        many(query.statement, query.parameters)
    for _ in range(AFTER):
        fetch(due.statement, due.parameters)  # so that it is prepared the next time
    assert fetch_together([oldest, due]) == [[(1,)], [(4,)]]


def test_others_go_on_while_one_waits() -> None:
    many("SELECT pg_sleep(%s::float8)", [0])
    counted = 0
    waiting = threading.Event()

    def count() -> None:
        nonlocal counted
        while not waiting.is_set():
            counted += 1
            time.sleep(0.001)

    counting = threading.Thread(target=count)
    counting.start()
    fetch("SELECT pg_sleep(%s::float8)", [1])
    waiting.set()
    counting.join()
    assert counted > 1
