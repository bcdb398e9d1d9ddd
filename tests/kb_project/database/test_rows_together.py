"""Rows by SQL written by hand: lists arrive as they were, and what is asked together is answered as if asked alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import DatabaseError, DataError, connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from kb_project.database.rows import Together, fetch

pytestmark = pytest.mark.django_db
HARD = [
    *("", " ", "NULL", "null", '"', "\\", '\\"', "\\\\", "{", "}", "{}", ",", "a,b", "'", "''", "%", "%s", "%(x)s"),
    *("\n", "\t", " a ", 'צה"ל', "צה״ל", "🙂", "a" * 10_000),
]
NUMBERS = "SELECT to_json(n) FROM unnest(%(numbers)s::bigint[]) AS n"


@pytest.mark.parametrize("texts", [HARD, *([text] for text in HARD)])
def test_texts_in_a_list_arrive_as_they_are(texts: list[str]) -> None:
    assert fetch("SELECT unnest(%s::text[])", [texts]) == [(text,) for text in texts]
    assert fetch("SELECT unnest(%(texts)s::text[])", {"texts": texts}) == [(text,) for text in texts]


def test_numbers_in_a_list_arrive_as_they_are() -> None:
    numbers = [0, -1, 32_768, -(2**31), 2**63 - 1, -(2**63)]
    assert fetch("SELECT unnest(%s::bigint[])", [numbers]) == [(number,) for number in numbers]


def test_what_is_no_list_of_numbers_or_texts_is_left_to_the_driver() -> None:
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


def test_after_a_statement_failed_the_connection_is_looked_at_before_the_next_request() -> None:
    connection.errors_occurred = False
    with pytest.raises(DatabaseError), transaction.atomic():
        fetch("SELECT no_such_column", [])
    assert connection.errors_occurred
    connection.errors_occurred = False


def test_several_statements_take_one_round_trip_and_keep_their_parameters_apart() -> None:
    together = Together()
    first = together.ask(NUMBERS, {"numbers": [1, 2]})
    second = together.ask("SELECT json_build_array(%(a)s::int, %(a_1)s::int)", {"a": 3, "a_1": 4})
    third = together.ask(NUMBERS, {"numbers": []})
    with CaptureQueriesContext(connection) as asked:
        assert third.rows() == []
        assert first.rows() == [1, 2]
        assert second.rows() == [[3, 4]]
        assert third.rows() == []
    assert len(asked) == 1


def test_what_is_asked_after_the_answer_came_is_asked_by_itself() -> None:
    together = Together()
    first = together.ask(NUMBERS, {"numbers": [1]})
    assert first.rows() == [1]
    second = together.ask(NUMBERS, {"numbers": [2]})
    with CaptureQueriesContext(connection) as asked:
        assert (first.rows(), second.rows()) == ([1], [2])
    assert len(asked) == 1


def test_more_than_ten_statements_keep_their_parameters_apart() -> None:
    together = Together()
    asked = [together.ask(NUMBERS, {"numbers": [number]}) for number in range(25)]
    assert [one.rows() for one in asked] == [[number] for number in range(25)]


def test_rows_come_in_the_order_of_their_statement() -> None:
    together = Together()
    asked = together.ask("SELECT to_json(n) FROM generate_series(1, 1000) AS n ORDER BY n DESC", {})
    assert asked.rows() == list(range(1000, 0, -1))


def test_texts_and_null_come_through_json_as_they_are() -> None:
    together = Together()
    asked = together.ask("SELECT json_build_array(t, NULL) FROM unnest(%(texts)s::text[]) AS t", {"texts": HARD})
    assert asked.rows() == [[text, None] for text in HARD]


def test_a_statement_that_failed_has_no_answer_when_it_is_asked_for_again() -> None:
    together = Together()
    asked = together.ask("SELECT to_json(1 / %(n)s::int)", {"n": 0})
    for _ in range(2):
        with pytest.raises(DatabaseError), transaction.atomic():
            asked.rows()
