"""How the log is written: in either form, with ids, without secrets, one line to an event."""

import json
import logging
import sys
from typing import Any

import pytest

from kb_project.observability import request_ids
from kb_project.observability.logs import JsonLines, LineFormatter, WithIds, configuration, masked


def record(message: str, *arguments: Any, **extra: Any) -> logging.LogRecord:
    made = logging.getLogger("ingest.stages.run").makeRecord(
        "ingest.stages.run", logging.INFO, __file__, 1, message, arguments, None, extra=extra
    )
    WithIds().filter(made)
    return made


def test_a_json_line_has_the_ids_and_what_else_was_given() -> None:
    token = request_ids.begin(request_id="abcd1234")
    with request_ids.also(job_id="j-1"):
        line = JsonLines().format(record("קובץ %s", "חוק.txt", ms=12.5))
    request_ids.end(token)
    found = json.loads(line)
    assert "\n" not in line
    assert "חוק" in line
    assert found.pop("time")
    assert found == {
        "level": "INFO",
        "logger": "ingest.stages.run",
        "message": "קובץ חוק.txt",
        "request_id": "abcd1234",
        "job_id": "j-1",
        "ms": 12.5,
    }


def test_a_request_that_a_library_adds_is_left_out_for_its_query_string() -> None:
    line = JsonLines().format(record("failed", request="<ASGIRequest: GET '/?q=what+was+searched'>"))
    assert "searched" not in line


def test_a_readable_line_has_the_ids_before_its_message() -> None:
    token = request_ids.begin(task_id="t-1")
    line = LineFormatter().format(record("done"))
    request_ids.end(token)
    assert line.endswith(" INFO ingest.stages.run [task_id=t-1]: done")


def test_what_was_sent_cannot_write_a_line_of_its_own() -> None:
    line = LineFormatter().format(record("GET %s", "/a\r\n2026-01-01 INFO forged\u2028x"))
    assert len(line.splitlines()) == 1
    assert "\\x0d\\x0a" in line


def test_a_traceback_is_kept_in_both_forms() -> None:
    try:
        raise RuntimeError("no space")
    except RuntimeError:
        made = record("failed")
        made.exc_info = sys.exc_info()
    assert "RuntimeError: no space" in LineFormatter().format(made)
    assert "RuntimeError: no space" in json.loads(JsonLines().format(made))["exc_info"]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Api-Key abcdefgh.0123456789abcdefghijklmnopqrstuv", "0123456789abcdef"),
        ("{'Authorization': 'Bearer eyJhbGciOi'}", "eyJhbGciOi"),
        ('{"password": "hunter2hunter2", "user": "dana"}', "hunter2"),
        ("password=hunter2 user=dana", "hunter2"),
        ("postgres://kb:s3cr3tpw@db:5432/kb", "s3cr3tpw"),
        ("redis://:s3cr3tpw@localhost/0", "s3cr3tpw"),
        ("key sk-ant-api03-AAAAAAAAAAAAAAAA refused", "AAAAAAAA"),
        ("the key abcdefgh.0123456789abcdefghijklmnopqrstuv", "0123456789abcdef"),
        ("AWS_SECRET_ACCESS_KEY: wJalrXUtnFEMI", "wJalrXUtnFEMI"),
        ("Cookie: sessionid=abc123def456", "abc123def456"),
        ("x-api-key: abc123def456", "abc123def456"),
        ("PASSWORD=hunter2 user=dana", "hunter2"),
        ("set-cookie: csrftoken=abc123def456", "abc123def456"),
        ("minio_secret_key = wJalrXUtnFEMI", "wJalrXUtnFEMI"),
        ("BEARER eyJhbGciOi was refused", "eyJhbGciOi"),
        ("the key is only-for-tests-secret", "only-for-tests-secret"),
    ],
)
def test_secrets_are_never_written(settings: Any, text: str, secret: str) -> None:
    settings.SECRET_KEY = "only-for-tests-secret"
    assert secret not in masked(text)
    assert secret not in LineFormatter().format(record("%s", text))
    line = JsonLines().format(record(text, given=text))
    assert secret not in line
    assert json.loads(line)["level"] == "INFO"


@pytest.mark.parametrize(
    "text",
    ["GET /kb/search 200 12.5 ms", "Job 5f2a: password protected", "https://example.org/a:b", "tokens: many of them"],
)
def test_ordinary_lines_stay_as_they_are(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(("form", "formatter"), [("json", "json"), ("line", "line"), ("pretty", "line")])
def test_the_form_is_chosen_by_the_setting(form: str, formatter: str) -> None:
    assert configuration(form=form, level="INFO")["handlers"]["console"]["formatter"] == formatter
