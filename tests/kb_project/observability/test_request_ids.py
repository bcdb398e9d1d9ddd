"""Ids of requests: taken when they can be, made up otherwise, and gone afterwards."""

import logging
from typing import Any

import pytest
from django.test import Client

from kb_project.observability import request_ids

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_ids_left_over() -> None:
    """A stream that another test never closed leaves its id on, since all tests run in one thread."""
    request_ids.end()


@pytest.mark.parametrize("given", ["abcd1234", "3f2a-77_1.B", "0" * 64])
def test_an_id_that_is_sane_is_kept_and_answered_with(client: Client, given: str) -> None:
    assert client.get("/healthz", headers={"X-Request-Id": given})["X-Request-Id"] == given


@pytest.mark.parametrize("given", ["", "short", "0" * 65, "with space1", 'quote"quote', "שלוםשלום", "line\tfeed1"])
def test_any_other_id_is_replaced(client: Client, given: str) -> None:
    answered = client.get("/healthz", headers={"X-Request-Id": given})["X-Request-Id"]
    assert answered != given
    assert request_ids.request_id_from(answered) == answered


def test_a_problem_names_the_request(client: Client) -> None:
    answer = client.get("/kb/nothing", headers={"X-Request-Id": "abcd1234"})
    assert (answer.status_code, answer.json()["instance"]) == (404, "urn:kb:request:abcd1234")


def test_nothing_is_left_after_an_answer(client: Client) -> None:
    client.get("/healthz")
    assert request_ids.current() == {}


def test_an_inner_id_joins_the_outer_ones_for_its_block() -> None:
    token = request_ids.begin(task_id="t", request_id="")
    with request_ids.also(job_id="j"):
        assert request_ids.current() == {"task_id": "t", "job_id": "j"}
    assert request_ids.current() == {"task_id": "t"}
    request_ids.end(token)
    assert request_ids.current() == {}


def test_request_is_one_line_with_its_user_and_no_query_string(
    staff_client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "kb.access"):
        staff_client.get("/library/?q=secret-words", headers={"X-Request-Id": "abcd1234"})
    (line,) = [record for record in caplog.records if record.name == "kb.access"]
    given = vars(line)
    assert (given["method"], given["path"], given["status"], given["user"]) == ("GET", "/library/", 200, "dana")
    assert given["request_id"] == "abcd1234"
    assert given["ms"] > 0
    assert "secret-words" not in line.getMessage()


def test_a_fault_is_logged_with_its_request_and_the_answer_once(
    client: Client, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/readyz", headers={"X-Request-Id": "abcd1234"})
    lines = [record for record in caplog.records if "/readyz" in record.getMessage()]
    assert answer.status_code == 503
    assert [(line.name, line.levelname, vars(line)["request_id"]) for line in lines] == [
        ("kb.access", "WARNING", "abcd1234")
    ]


def test_probes_are_not_in_the_log_while_they_succeed(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "kb.access"):
        client.get("/healthz")
        client.get("/healthz?unknown=1")
    assert [vars(record)["status"] for record in caplog.records if record.name == "kb.access"] == [400]
