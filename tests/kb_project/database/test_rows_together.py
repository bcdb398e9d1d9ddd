"""Rows by SQL written by hand: lists arrive as they were, and what is asked together is answered as if asked alone."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import DatabaseError, DataError, connection, transaction
from django.db.transaction import TransactionManagementError
from psycopg.pq import PipelineStatus

from kb_project.database.rows import Query, fetch, fetch_together

pytestmark = pytest.mark.django_db
HARD = [
    *("", " ", "NULL", "null", '"', "\\", '\\"', "\\\\", "{", "}", "{}", ",", "a,b", "'", "''", "%", "%s", "%(x)s"),
    *("\n", "\t", " a ", 'צה"ל', "צה״ל", "🙂", "a" * 10_000),
]
NUMBERS = "SELECT n FROM unnest(%(numbers)s::bigint[]) AS n"


@pytest.mark.parametrize("texts", [HARD, *([text] for text in HARD)])
def test_texts_in_a_list_arrive_as_they_are(texts: list[str]) -> None:
    assert fetch("SELECT unnest(%s::text[])", [texts]) == [(text,) for text in texts]
    assert fetch("SELECT unnest(%(texts)s::text[])", {"texts": texts}) == [(text,) for text in texts]


def test_numbers_in_a_list_arrive_as_they_are() -> None:
    numbers = [0, -1, 32_768, -(2**31), 2**63 - 1, -(2**63)]
    assert fetch("SELECT unnest(%s::bigint[])", [numbers]) == [(number,) for number in numbers]


def test_what_is_no_list_of_numbers_or_texts_is_left_to_driver() -> None:
    days = [date(2024, 2, 29), date(1948, 5, 14)]
    assert fetch("SELECT %s::date[], %s::boolean[]", [days, [True, False]]) == [(days, [True, False])]
    assert fetch("SELECT cardinality(%s::int[]), cardinality(%s::text[])", [[], []]) == [(0, 0)]


@pytest.mark.parametrize("value", ["a\0b", ["a\0b"], ["a", "\0"]])
def test_a_nul_is_refused_as_django_refuses_it(value: str | list[str]) -> None:
    with pytest.raises(DataError), transaction.atomic():
        fetch("SELECT %s::text", [value])
    assert fetch("SELECT 1", []) == [(1,)]


def test_nothing_is_asked_in_a_transaction_that_is_to_be_rolled_back() -> None:
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            fetch("SELECT 1", [])


def test_who_watches_the_statements_of_a_connection_sees_what_is_fetched() -> None:
    seen = []

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        seen.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        assert fetch("SELECT %s::int", [7]) == [(7,)]
    assert seen == [("SELECT %s::int", [7])]


def test_a_connection_is_checked_after_a_failed_statement() -> None:
    connection.errors_occurred = False
    with pytest.raises(DatabaseError), transaction.atomic():
        fetch("SELECT no_such_column", [])
    assert connection.errors_occurred
    connection.errors_occurred = False


def query(numbers: list[int]) -> Query[list[int]]:
    return Query(NUMBERS, {"numbers": numbers}, lambda rows: [number for (number,) in rows])


def test_queries_asked_together_are_answered_as_alone() -> None:
    queries = [query([number]) for number in range(25)]
    assert fetch_together([*queries, query([])]) == [*([number] for number in range(25)), []]
    assert [one.fetch() for one in queries] == [[number] for number in range(25)]
    assert fetch_together([]) == []


def test_queries_asked_together_take_one_round_trip() -> None:
    seen = []

    def watch(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        seen.append(connection.connection.pgconn.pipeline_status)
        return result

    with connection.execute_wrapper(watch):
        fetch_together([query([1]), query([2])])
        query([3]).fetch()
    assert seen == [PipelineStatus.ON, PipelineStatus.ON, PipelineStatus.OFF]


def test_a_failing_query_fails_for_those_beside_it_only() -> None:
    broken = Query("SELECT 1 / %(n)s::int", {"n": 0}, list)
    with pytest.raises(DataError, match="division by zero"), transaction.atomic():
        fetch_together([query([1]), broken, query([2])])
    assert query([3]).fetch() == [3]
